import type { PositionEstimate as Estimate } from '../domain/estimates.ts';
import type { LiquidationPrices as Prices } from '../domain/liquidation.ts';
import type { MarginLevels } from '../domain/margin.ts';
import { builder } from './builder.ts';

const Side = builder.enumType('Side', {
  description: 'Which side of the book an order is on.',
  values: {
    SIDE_BUY: { description: 'The order buys.' },
    SIDE_SELL: { description: 'The order sells.' },
  },
});

const OrderType = builder.enumType('OrderType', {
  description: 'At what price an order trades.',
  values: {
    TYPE_LIMIT: { description: 'At its own price or a better one.' },
    TYPE_MARKET: { description: 'At whatever price there is.' },
  },
});

export const OpenOrderInput = builder.inputType('OpenOrderInput', {
  description: 'An order that has not traded yet, or not all of it.',
  fields: (t) => ({
    side: t.field({ type: Side, required: true, description: 'Whether it buys or sells.' }),
    type: t.field({
      type: OrderType,
      required: true,
      description:
        'Whether it trades at a price of its own. A limit order is margined until it trades; a market order counts as traded.',
    }),
    remaining: t.field({
      type: 'Uint64',
      required: true,
      description: 'What is left to trade, in position decimals.',
    }),
    price: t.field({
      type: 'Decimal',
      description:
        'The price of a limit order, in market decimals and not negative; a market order has none.',
    }),
  }),
});

/** An estimate, with what its margin levels repeat. */
type PositionEstimateShape = Estimate & { readonly marketId: string; readonly assetId: string };
type LevelsShape = MarginLevels & { readonly marketId: string; readonly assetId: string };

const EstimatedMarginLevel = builder.objectRef<LevelsShape>('EstimatedMarginLevel').implement({
  description:
    "How much margin a position would need. Levels are in the settlement asset's smallest unit, rounded to whole ones.",
  fields: (t) => ({
    maintenanceMargin: t.expose('maintenanceMargin', {
      type: 'Integer',
      description: 'Below this the position would be closed out.',
    }),
    searchLevel: t.expose('searchLevel', {
      type: 'Integer',
      description: "Below this the network would take more margin from the party's general account.",
    }),
    initialMargin: t.expose('initialMargin', {
      type: 'Integer',
      description: 'What a party would have to put up to open the position.',
    }),
    collateralReleaseLevel: t.expose('collateralReleaseLevel', {
      type: 'Integer',
      description: 'Above this the network would give margin back.',
    }),
    partyId: t.id({ description: 'Empty: an estimate is of no party.', resolve: () => '' }),
    marketId: t.exposeID('marketId', { description: 'The market of the position.' }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset that margin is put up in.' }),
    timestamp: t.field({
      type: 'Timestamp',
      description: '`"0"`: an estimate is of no time.',
      resolve: () => 0n,
    }),
  }),
});

const MarginEstimate = builder
  .objectRef<{ readonly worstCase: LevelsShape; readonly bestCase: LevelsShape }>('MarginEstimate')
  .implement({
    description: 'Between what bounds the margin of a position would lie.',
    fields: (t) => ({
      worstCase: t.expose('worstCase', {
        type: EstimatedMarginLevel,
        description: "With all of the market's slippage.",
      }),
      bestCase: t.expose('bestCase', { type: EstimatedMarginLevel, description: 'Without slippage.' }),
    }),
  });

const LiquidationPrices = builder.objectRef<Prices>('LiquidationPrices').implement({
  description:
    "The prices at which the collateral would no longer cover the maintenance margin, in the settlement asset's smallest unit, to 16 decimal places.",
  fields: (t) => ({
    openVolumeOnly: t.expose('openVolumeOnly', {
      type: 'Decimal',
      description: 'Of the open volume alone; `"0"` where there is none.',
    }),
    includingBuyOrders: t.expose('includingBuyOrders', {
      type: 'Decimal',
      description: 'Once the buy orders had traded on the way there.',
    }),
    includingSellOrders: t.expose('includingSellOrders', {
      type: 'Decimal',
      description: 'Once the sell orders had traded on the way there.',
    }),
  }),
});

const LiquidationEstimate = builder
  .objectRef<NonNullable<Estimate['liquidation']>>('LiquidationEstimate')
  .implement({
    description: 'Between what bounds the liquidation price of a position would lie.',
    fields: (t) => ({
      worstCase: t.expose('worstCase', {
        type: LiquidationPrices,
        description: "With all of the market's slippage.",
      }),
      bestCase: t.expose('bestCase', { type: LiquidationPrices, description: 'Without slippage.' }),
    }),
  });

export const PositionEstimate = builder.objectRef<PositionEstimateShape>('PositionEstimate').implement({
  description: 'What a position in a market would take.',
  fields: (t) => ({
    margin: t.field({
      type: MarginEstimate,
      description: 'The margin that the position would need.',
      resolve: ({ margin, marketId, assetId }) => ({
        worstCase: { ...margin.worstCase, marketId, assetId },
        bestCase: { ...margin.bestCase, marketId, assetId },
      }),
    }),
    liquidation: t.expose('liquidation', {
      type: LiquidationEstimate,
      nullable: true,
      description: 'Where the position would be closed out; null unless collateralAvailable is given.',
    }),
  }),
});
