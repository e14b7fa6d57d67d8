import { markets, type Product as ProductShape } from '../data/nouns/markets.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns, exposeObjects } from './columns.ts';
import { defineConnection, listOf } from './connections.ts';
import { rowBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import {
  CompositePrice,
  FundingTerms,
  FutureCap,
  LiquidationStrategy,
  LiquidityFeeSettings,
  LiquiditySla,
  RiskFactorOverride,
} from './market-parts.ts';
import { defineStream } from './streams.ts';

/** The rows have them as text, so they are texts here. */
const products: Readonly<Record<string, { readonly description: string }>> = {
  FUTURE: { description: 'A future: positions settle once, when the market ends. It can have a cap.' },
  PERPETUAL: { description: 'A perpetual: positions go on, and pay each other funding.' },
  SPOT: {
    description:
      'A spot: one asset is exchanged for another. There are no positions, and so no margin, risk factors or settlement.',
  },
} satisfies Readonly<Record<ProductShape, unknown>>;

const Product = builder.enumType('Product', {
  description:
    'What a market trades. The network has no names for it; a product that this version does not know is null.',
  values: products,
});

export const Market = builder.prismaNode('Market', {
  nullable: true,
  id: { field: 'id' },
  description: 'A market for a future, a perpetual or a spot.',
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: { id: 'The identifier of the market.' },
      String: {
        instrumentId: 'The identifier of the instrument. May be empty.',
        instrumentCode: 'The code of the instrument.',
        instrumentName: 'The name of the instrument.',
      },
    }),
    tags: t.exposeStringList('tags', { description: 'A list of the tags of the instrument.' }),
  }),
});

/** What it says of itself, by purpose. */
builder.prismaObjectFields('Market', (t) => ({
  product: t.expose('product', {
    type: Product,
    nullable: true,
    description: 'What the market trades; null for a product of a newer release of the network.',
  }),
  settlementAsset: t.exposeID('settlementAssetId', {
    nullable: true,
    description:
      'The identifier of the asset that the market settles in; null for a spot, whose fees are in its quote asset.',
  }),
  baseAsset: t.exposeID('baseAssetId', {
    nullable: true,
    description: 'The identifier of the asset that a spot market buys and sells; null for other products.',
  }),
  quoteAsset: t.exposeID('quoteAssetId', {
    nullable: true,
    description: 'The identifier of the asset that a spot market pays with; null for other products.',
  }),
  quoteName: t.exposeString('quoteName', {
    nullable: true,
    description: 'The name of the unit in which prices are quoted, such as `USD`; null for a spot.',
  }),
  ...exposeObjects(
    t,
    { type: FutureCap, nullable: true },
    { cap: 'The cap of a future; null if there is none.' },
  ),
  ...exposeObjects(
    t,
    { type: FundingTerms, nullable: true },
    {
      funding: 'How the funding of a perpetual is computed; null for other products.',
    },
  ),
  ...exposeObjects(
    t,
    { type: CompositePrice, nullable: true },
    {
      internalCompositePrice:
        'How the price is made that the funding of a perpetual is computed from; null if it is the mark price, and for other products.',
    },
  ),
}));

builder.prismaObjectFields('Market', (t) => ({
  ...exposeColumns(t, {
    Int: {
      decimalPlaces: 'The number of decimal places of prices.',
      positionDecimalPlaces:
        'The number of decimal places of volumes; negative if the unit is larger than one. Volumes of a spot are in its base asset.',
    },
    'Integer | null': {
      tickSize:
        'The step between prices of orders, in market decimals; null if the network gave none (before release 0.75), which is 1.',
    },
    Boolean: {
      enableTransactionReordering: 'Whether the network takes aggressive orders of a block after the others.',
    },
    Uint64: {
      allowedEmptyAmmLevels:
        'The number of price levels without volume that an automated market maker may have; `"0"` before release 0.79.',
    },
  }),
  ...exposeObjects(
    t,
    { type: CompositePrice, nullable: true },
    {
      markPriceConfiguration:
        'How the mark price is made; null if the network gave none (before release 0.74).',
    },
  ),
  allowedSellers: t.exposeStringList('allowedSellers', {
    description: 'A list of the parties that alone may sell in a spot market; if it is empty, all may.',
  }),
}));

builder.prismaObjectFields('Market', (t) => ({
  ...exposeColumns(t, {
    Decimal: {
      makerFee: 'The share of the value of a trade that goes to its maker.',
      infrastructureFee: 'The share of the value of a trade that goes to the validators.',
      liquidityFee: 'The share of the value of a trade that goes to the liquidity providers.',
    },
    'Decimal | null': {
      treasuryFee:
        "The share of the value of a trade that goes to the network's treasury; null if the network gave none (before release 0.78).",
      buyBackFee:
        'The share of the value of a trade that the network buys back tokens with; null if the network gave none (before release 0.78).',
    },
  }),
  ...exposeObjects(
    t,
    { type: LiquidityFeeSettings, nullable: true },
    {
      liquidityFeeSettings:
        'How the liquidity fee is set; null if the network gave none (before release 0.74).',
    },
  ),
}));

builder.prismaObjectFields('Market', (t) => ({
  ...exposeColumns(t, {
    'Decimal | null': {
      searchLevel: describeMultiple('search level'),
      initialMargin: describeMultiple('initial margin'),
      collateralRelease: describeMultiple('collateral release level'),
      linearSlippageFactor: describeSlippage('each unit of the position'),
      quadraticSlippageFactor: describeSlippage('the square of the position'),
    },
    'Boolean | null': {
      fullyCollateralised:
        'Whether the margin of a position is all that it can lose; null if the network did not say.',
    },
  }),
  ...exposeObjects(
    t,
    { type: RiskFactorOverride, nullable: true },
    {
      riskFactorOverride:
        'The risk factors that governance set; null if there are none. Those that hold are in `riskFactor`.',
    },
  ),
  ...exposeObjects(
    t,
    { type: LiquidationStrategy, nullable: true },
    {
      liquidationStrategy:
        'How positions that the network took over are sold; null in a spot market, and if the network gave none (before release 0.74).',
    },
  ),
}));

function describeMultiple(name: string): string {
  return `The ${name}, as a multiple of the maintenance margin; null where there is no margin, as in a spot market.`;
}

function describeSlippage(of: string): string {
  return `The slippage that margins assume for ${of}, as a share of the mark price; null if the network gave none.`;
}

builder.prismaObjectFields('Market', (t) => ({
  ...exposeColumns(t, {
    'Decimal | null': {
      lpPriceRange:
        'The largest distance from the mid price at which liquidity can be provided, as a share of that price; null from release 0.73 on, where it is in `liquiditySla`.',
      insurancePoolFraction:
        'The share of the insurance pool of its parent that the market takes over, from 0 to 1; null without a parent.',
    },
    'ID | null': {
      parentMarketId: 'The identifier of the market that this one succeeds, or would; null if there is none.',
    },
  }),
  ...exposeObjects(
    t,
    { type: LiquiditySla, nullable: true },
    {
      liquiditySla:
        'What liquidity providers owe the market; null if the network gave none (before release 0.73).',
    },
  ),
}));

builder.prismaObjectFields('Market', (t) =>
  exposeColumns(t, {
    MarketState: { state: 'The state of the market.' },
    MarketTradingMode: { tradingMode: 'The trading mode of the market.' },
    Timestamp: {
      proposedTimestamp: 'The time at which the market was proposed.',
      pendingTimestamp: 'The time at which the opening auction began; `"0"` until then.',
      openTimestamp: 'The time at which trading began; `"0"` until then.',
      closeTimestamp: 'The time at which the market closed; `"0"` until then.',
    },
  }),
);

export const MarketConnection = defineConnection(markets, Market, 'A market');

const [IN_STATES, IN_NO_STATES] = [
  'Only markets in one of these states.',
  'Only markets in none of these states.',
];

const MarketFilter = builder.inputType('MarketFilter', {
  description: 'The conditions that a market must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    assetIds: t.idList({ description: 'Only markets that settle in one of these assets.' }),
    codes: t.stringList({ description: 'Only markets whose instrument has one of these codes.' }),
    states: t.field({ type: ['MarketState'], description: IN_STATES }),
    exceptStates: t.field({ type: ['MarketState'], description: IN_NO_STATES }),
  }),
});

defineQueries((t) => ({
  market: t.prismaField({
    type: Market,
    nullable: true,
    description: 'The market with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    ...rowBy(markets, 'id'),
  }),
  markets: t.field({
    type: MarketConnection,
    description: 'A list of markets.',
    args: {
      settlementAssetId: t.arg.id({ description: 'Only markets that settle in this asset.' }),
      states: t.arg({ type: ['MarketState'], description: IN_STATES }),
      exceptStates: t.arg({ type: ['MarketState'], description: IN_NO_STATES }),
      filter: t.arg({
        type: MarketFilter,
        description: 'The conditions that the markets must meet, beside those of other arguments.',
      }),
      ...orderedPageArgs,
    },
    ...listOf(markets),
  }),
}));

defineStream(markets, Market, {
  description: 'A snapshot of the markets, then each change of one, in order, by whole blocks.',
  args: {},
  filterOf: () => ({}),
});
