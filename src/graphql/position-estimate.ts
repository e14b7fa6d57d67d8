import type { ModeEstimate, ModeLevels } from '../domain/estimates/estimate-in-mode.ts';
import type { PositionEstimate as Estimate } from '../domain/estimates/estimate-position.ts';
import type { LiquidationPrices as Prices } from '../domain/estimates/liquidation.ts';
import type { MarginLevels } from '../domain/estimates/margin.ts';
import { builder } from './builder.ts';
import { defineObject, exposeColumns } from './columns.ts';

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

/** Margin levels as those of a party are described; what an estimate without a margin mode has none of is null. */
interface LevelsShape extends MarginLevels {
  readonly orderMargin: string | null;
  readonly marginMode: number | null;
  readonly marginFactor: string | null;
  readonly partyId: string;
  readonly marketId: string;
  readonly assetId: string;
  readonly timestamp: bigint;
}

interface PositionEstimateShape extends Pick<Estimate, 'liquidation'> {
  readonly margin: { readonly worstCase: LevelsShape; readonly bestCase: LevelsShape };
  readonly collateralIncrease: ModeEstimate['collateralIncrease'] | null;
}

/** An estimate, with what its margin levels repeat. */
export function describeEstimate(
  estimate: Estimate | ModeEstimate,
  { id: marketId, assetId }: { readonly id: string; readonly assetId: string },
): PositionEstimateShape {
  const describe = (levels: MarginLevels | ModeLevels): LevelsShape => ({
    partyId: '',
    marketId,
    assetId,
    timestamp: 0n,
    orderMargin: null,
    marginMode: null,
    marginFactor: null,
    ...levels,
  });
  const { worstCase, bestCase } = estimate.margin;
  return {
    margin: { worstCase: describe(worstCase), bestCase: describe(bestCase) },
    collateralIncrease: 'collateralIncrease' in estimate ? estimate.collateralIncrease : null,
    liquidation: estimate.liquidation,
  };
}

const EstimatedMarginLevel = builder.objectRef<LevelsShape>('EstimatedMarginLevel').implement({
  description:
    'The margin levels that a position would have, in whole smallest units of the settlement asset.',
  fields: (t) => ({
    ...exposeColumns(t, {
      Integer: {
        maintenanceMargin: 'The maintenance margin. With less, the position would be closed out.',
        searchLevel:
          'The search level. With less, the network would take margin from the party\'s general account. `"0"` in isolated margin mode, in which it never does.',
        initialMargin: 'The initial margin. It would be needed to open the position.',
        collateralReleaseLevel:
          'The collateral release level. With more, the network would release margin. `"0"` in isolated margin mode, in which it never does.',
      },
      ID: {
        partyId: 'Empty, as an estimate is for no party in particular.',
        marketId: 'The identifier of the market of the position.',
      },
      Timestamp: { timestamp: 'Always `"0"`, as an estimate is for no time in particular.' },
      'Integer | null': {
        orderMargin:
          'The margin that the limit orders would need, apart from the position; null unless in isolated margin mode.',
      },
      'MarginMode | null': {
        marginMode:
          'The margin mode by whose rules the levels are; null if the estimate was asked for without one.',
      },
      'Decimal | null': {
        marginFactor:
          'The part of the value of the position that is its margin; null unless in isolated margin mode.',
      },
    }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset of the margin.' }),
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

const LiquidationPrices = defineObject<Prices>(
  'LiquidationPrices',
  "The prices at which the collateral would no longer cover the maintenance margin, in the settlement asset's smallest unit, with 16 decimal places; in market decimals, and whole, where `scaleLiquidationPriceToMarketDecimals` asks for it. With a margin mode, and for perpetuals and futures with a cap, they are whole, and where the collateral does not cover the margin as it is, they are the market's price.",
  {
    Decimal: {
      openVolumeOnly: 'The price for the open volume alone; `"0"` if there is no open volume.',
      includingBuyOrders: 'The price if the buy orders trade before it is reached.',
      includingSellOrders: 'The price if the sell orders trade before it is reached.',
    },
  },
);

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

const CollateralIncrease = defineObject<ModeEstimate['collateralIncrease']>(
  'CollateralIncreaseEstimate',
  'The bounds of what would have to be added to the margin accounts of the party, in whole smallest units of the settlement asset; below zero if it would be released. In isolated margin mode both are one.',
  {
    Integer: {
      worstCase: "The bound with all of the market's slippage.",
      bestCase: 'The bound without slippage.',
    },
  },
);

export const PositionEstimate = builder.objectRef<PositionEstimateShape>('PositionEstimate').implement({
  description: 'An estimate of the margin and the liquidation prices of a position.',
  fields: (t) => ({
    margin: t.expose('margin', {
      type: MarginEstimate,
      description: 'The margin that the position would need.',
    }),
    collateralIncreaseEstimate: t.expose('collateralIncrease', {
      type: CollateralIncrease,
      nullable: true,
      description:
        'What would be missing in the margin accounts; null if the estimate was asked for without a margin mode.',
    }),
    liquidation: t.expose('liquidation', {
      type: LiquidationEstimate,
      nullable: true,
      description:
        'The prices at which the position would be closed out; null unless `collateralAvailable` or a margin mode is given.',
    }),
  }),
});
