import type { PositionEstimate as Estimate } from '../domain/estimates/estimate-position.ts';
import type { LiquidationPrices as Prices } from '../domain/estimates/liquidation.ts';
import type { MarginLevels } from '../domain/estimates/margin.ts';
import { builder } from './builder.ts';

const Side = builder.enumType('Side', {
  description: 'The side of an order.',
  values: {
    SIDE_BUY: { description: 'A buy order.' },
    SIDE_SELL: { description: 'A sell order.' },
  },
});

const OrderType = builder.enumType('OrderType', {
  description: 'The type of an order.',
  values: {
    TYPE_LIMIT: { description: 'An order that trades at its price or a better one.' },
    TYPE_MARKET: { description: 'An order that trades at any price.' },
  },
});

export const OpenOrderInput = builder.inputType('OpenOrderInput', {
  description: 'An order that has not traded in full.',
  fields: (t) => ({
    side: t.field({ type: Side, required: true, description: 'The side of the order.' }),
    type: t.field({
      type: OrderType,
      required: true,
      description:
        'The type of the order. A limit order needs margin as an order; a market order counts as already traded.',
    }),
    remaining: t.field({
      type: 'Uint64',
      required: true,
      description: 'The volume that has not traded yet, in position decimals.',
    }),
    price: t.field({
      type: 'Decimal',
      description: 'The price of a limit order, in market decimals, not negative. A market order has none.',
    }),
  }),
});

/** Margin levels as those of a party are described. */
interface LevelsShape extends MarginLevels {
  readonly partyId: string;
  readonly marketId: string;
  readonly assetId: string;
  readonly timestamp: bigint;
}

interface PositionEstimateShape extends Pick<Estimate, 'liquidation'> {
  readonly margin: { readonly worstCase: LevelsShape; readonly bestCase: LevelsShape };
}

/** An estimate, with what its margin levels repeat. */
export function describeEstimate(
  { margin, liquidation }: Estimate,
  { id: marketId, assetId }: { readonly id: string; readonly assetId: string },
): PositionEstimateShape {
  const describe = (levels: MarginLevels): LevelsShape => ({
    ...levels,
    partyId: '',
    marketId,
    assetId,
    timestamp: 0n,
  });
  const { worstCase, bestCase } = margin;
  return { margin: { worstCase: describe(worstCase), bestCase: describe(bestCase) }, liquidation };
}

const EstimatedMarginLevel = builder.objectRef<LevelsShape>('EstimatedMarginLevel').implement({
  description:
    'The margin levels that a position would have, in whole smallest units of the settlement asset.',
  fields: (t) => ({
    maintenanceMargin: t.expose('maintenanceMargin', {
      type: 'Integer',
      description: 'The maintenance margin. With less, the position would be closed out.',
    }),
    searchLevel: t.expose('searchLevel', {
      type: 'Integer',
      description:
        "The search level. With less, the network would take margin from the party's general account.",
    }),
    initialMargin: t.expose('initialMargin', {
      type: 'Integer',
      description: 'The initial margin. It would be needed to open the position.',
    }),
    collateralReleaseLevel: t.expose('collateralReleaseLevel', {
      type: 'Integer',
      description: 'The collateral release level. With more, the network would release margin.',
    }),
    partyId: t.exposeID('partyId', {
      description: 'Empty, as an estimate is for no party in particular.',
    }),
    marketId: t.exposeID('marketId', { description: 'The identifier of the market of the position.' }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset of the margin.' }),
    timestamp: t.expose('timestamp', {
      type: 'Timestamp',
      description: 'Always `"0"`, as an estimate is for no time in particular.',
    }),
  }),
});

const MarginEstimate = builder.objectRef<PositionEstimateShape['margin']>('MarginEstimate').implement({
  description: 'The bounds of the margin that a position would need.',
  fields: (t) => ({
    worstCase: t.expose('worstCase', {
      type: EstimatedMarginLevel,
      description: "The bound with all of the market's slippage.",
    }),
    bestCase: t.expose('bestCase', {
      type: EstimatedMarginLevel,
      description: 'The bound without slippage.',
    }),
  }),
});

const LiquidationPrices = builder.objectRef<Prices>('LiquidationPrices').implement({
  description:
    "The prices at which the collateral would no longer cover the maintenance margin, in the settlement asset's smallest unit, with 16 decimal places.",
  fields: (t) => ({
    openVolumeOnly: t.expose('openVolumeOnly', {
      type: 'Decimal',
      description: 'The price for the open volume alone; `"0"` if there is no open volume.',
    }),
    includingBuyOrders: t.expose('includingBuyOrders', {
      type: 'Decimal',
      description: 'The price if the buy orders trade before it is reached.',
    }),
    includingSellOrders: t.expose('includingSellOrders', {
      type: 'Decimal',
      description: 'The price if the sell orders trade before it is reached.',
    }),
  }),
});

const LiquidationEstimate = builder
  .objectRef<NonNullable<Estimate['liquidation']>>('LiquidationEstimate')
  .implement({
    description: 'The bounds of the liquidation prices of a position.',
    fields: (t) => ({
      worstCase: t.expose('worstCase', {
        type: LiquidationPrices,
        description: "The bound with all of the market's slippage.",
      }),
      bestCase: t.expose('bestCase', { type: LiquidationPrices, description: 'The bound without slippage.' }),
    }),
  });

export const PositionEstimate = builder.objectRef<PositionEstimateShape>('PositionEstimate').implement({
  description: 'An estimate of the margin and the liquidation prices of a position.',
  fields: (t) => ({
    margin: t.expose('margin', {
      type: MarginEstimate,
      description: 'The margin that the position would need.',
    }),
    liquidation: t.expose('liquidation', {
      type: LiquidationEstimate,
      nullable: true,
      description:
        'The prices at which the position would be closed out; null unless `collateralAvailable` is given.',
    }),
  }),
});
