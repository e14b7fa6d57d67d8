import type { MarketObjects } from '../data/nouns/markets.ts';
import { builder } from './builder.ts';
import { objectIn } from './links.ts';
import {
  CompositePrice,
  FundingTerms,
  FutureCap,
  LiquidationStrategy,
  LiquidityFeeSettings,
  LiquiditySla,
  RiskFactorOverride,
} from './market-parts.ts';
import { Product } from './markets.ts';

/** What a market says of itself, by purpose. */

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
  cap: t.field({
    type: FutureCap,
    nullable: true,
    description: 'The cap of a future; null if there is none.',
    ...objectIn<NonNullable<MarketObjects['cap']>>()('cap'),
  }),
  funding: t.field({
    type: FundingTerms,
    nullable: true,
    description: 'How the funding of a perpetual is computed; null for other products.',
    ...objectIn<NonNullable<MarketObjects['funding']>>()('funding'),
  }),
  internalCompositePrice: t.field({
    type: CompositePrice,
    nullable: true,
    description:
      'How the price is made that the funding of a perpetual is computed from; null if it is the mark price, and for other products.',
    ...objectIn<NonNullable<MarketObjects['internalCompositePrice']>>()('internalCompositePrice'),
  }),
}));

builder.prismaObjectFields('Market', (t) => ({
  decimalPlaces: t.exposeInt('decimalPlaces', { description: 'The number of decimal places of prices.' }),
  positionDecimalPlaces: t.exposeInt('positionDecimalPlaces', {
    description:
      'The number of decimal places of volumes; negative if the unit is larger than one. Volumes of a spot are in its base asset.',
  }),
  tickSize: t.expose('tickSize', {
    type: 'Integer',
    nullable: true,
    description:
      'The step between prices of orders, in market decimals; null if the network gave none (before release 0.75), which is 1.',
  }),
  markPriceConfiguration: t.field({
    type: CompositePrice,
    nullable: true,
    description: 'How the mark price is made; null if the network gave none (before release 0.74).',
    ...objectIn<NonNullable<MarketObjects['markPriceConfiguration']>>()('markPriceConfiguration'),
  }),
  enableTransactionReordering: t.exposeBoolean('enableTransactionReordering', {
    description: 'Whether the network takes aggressive orders of a block after the others.',
  }),
  allowedEmptyAmmLevels: t.expose('allowedEmptyAmmLevels', {
    type: 'Uint64',
    description:
      'The number of price levels without volume that an automated market maker may have; `"0"` before release 0.79.',
  }),
  allowedSellers: t.exposeStringList('allowedSellers', {
    description: 'A list of the parties that alone may sell in a spot market; if it is empty, all may.',
  }),
}));

builder.prismaObjectFields('Market', (t) => ({
  makerFee: t.expose('makerFee', {
    type: 'Decimal',
    description: 'The share of the value of a trade that goes to its maker.',
  }),
  infrastructureFee: t.expose('infrastructureFee', {
    type: 'Decimal',
    description: 'The share of the value of a trade that goes to the validators.',
  }),
  liquidityFee: t.expose('liquidityFee', {
    type: 'Decimal',
    description: 'The share of the value of a trade that goes to the liquidity providers.',
  }),
  treasuryFee: t.expose('treasuryFee', {
    type: 'Decimal',
    nullable: true,
    description:
      "The share of the value of a trade that goes to the network's treasury; null if the network gave none (before release 0.78).",
  }),
  buyBackFee: t.expose('buyBackFee', {
    type: 'Decimal',
    nullable: true,
    description:
      'The share of the value of a trade that the network buys back tokens with; null if the network gave none (before release 0.78).',
  }),
  liquidityFeeSettings: t.field({
    type: LiquidityFeeSettings,
    nullable: true,
    description: 'How the liquidity fee is set; null if the network gave none (before release 0.74).',
    ...objectIn<NonNullable<MarketObjects['liquidityFeeSettings']>>()('liquidityFeeSettings'),
  }),
}));

builder.prismaObjectFields('Market', (t) => {
  const multiple = (field: 'searchLevel' | 'initialMargin' | 'collateralRelease', name: string) =>
    t.expose(field, {
      type: 'Decimal',
      nullable: true,
      description: `The ${name}, as a multiple of the maintenance margin; null where there is no margin, as in a spot market.`,
    });
  const slippage = (field: 'linearSlippageFactor' | 'quadraticSlippageFactor', of: string) =>
    t.expose(field, {
      type: 'Decimal',
      nullable: true,
      description: `The slippage that margins assume for ${of}, as a share of the mark price; null if the network gave none.`,
    });
  return {
    searchLevel: multiple('searchLevel', 'search level'),
    initialMargin: multiple('initialMargin', 'initial margin'),
    collateralRelease: multiple('collateralRelease', 'collateral release level'),
    fullyCollateralised: t.exposeBoolean('fullyCollateralised', {
      nullable: true,
      description:
        'Whether the margin of a position is all that it can lose; null if the network did not say.',
    }),
    riskFactorOverride: t.field({
      type: RiskFactorOverride,
      nullable: true,
      description:
        'The risk factors that governance set; null if there are none. Those that hold are in `riskFactor`.',
      ...objectIn<NonNullable<MarketObjects['riskFactorOverride']>>()('riskFactorOverride'),
    }),
    linearSlippageFactor: slippage('linearSlippageFactor', 'each unit of the position'),
    quadraticSlippageFactor: slippage('quadraticSlippageFactor', 'the square of the position'),
    liquidationStrategy: t.field({
      type: LiquidationStrategy,
      nullable: true,
      description:
        'How positions that the network took over are sold; null in a spot market, and if the network gave none (before release 0.74).',
      ...objectIn<NonNullable<MarketObjects['liquidationStrategy']>>()('liquidationStrategy'),
    }),
  };
});

builder.prismaObjectFields('Market', (t) => ({
  lpPriceRange: t.expose('lpPriceRange', {
    type: 'Decimal',
    nullable: true,
    description:
      'The largest distance from the mid price at which liquidity can be provided, as a share of that price; null from release 0.73 on, where it is in `liquiditySla`.',
  }),
  liquiditySla: t.field({
    type: LiquiditySla,
    nullable: true,
    description:
      'What liquidity providers owe the market; null if the network gave none (before release 0.73).',
    ...objectIn<NonNullable<MarketObjects['liquiditySla']>>()('liquiditySla'),
  }),
  parentMarketId: t.exposeID('parentMarketId', {
    nullable: true,
    description: 'The identifier of the market that this one succeeds, or would; null if there is none.',
  }),
  insurancePoolFraction: t.expose('insurancePoolFraction', {
    type: 'Decimal',
    nullable: true,
    description:
      'The share of the insurance pool of its parent that the market takes over, from 0 to 1; null without a parent.',
  }),
}));

builder.prismaObjectFields('Market', (t) => {
  const time = (
    field: 'proposedTimestamp' | 'pendingTimestamp' | 'openTimestamp' | 'closeTimestamp',
    description: string,
  ) => t.expose(field, { type: 'Timestamp', description });
  return {
    state: t.expose('state', { type: 'MarketState', description: 'The state of the market.' }),
    tradingMode: t.expose('tradingMode', {
      type: 'MarketTradingMode',
      description: 'The trading mode of the market.',
    }),
    proposedTimestamp: time('proposedTimestamp', 'The time at which the market was proposed.'),
    pendingTimestamp: time(
      'pendingTimestamp',
      'The time at which the opening auction began; `"0"` until then.',
    ),
    openTimestamp: time('openTimestamp', 'The time at which trading began; `"0"` until then.'),
    closeTimestamp: time('closeTimestamp', 'The time at which the market closed; `"0"` until then.'),
  };
});
