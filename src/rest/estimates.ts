import { marginModes } from '../domain/enumerations.ts';
import { feeParts } from '../domain/trade-fees.ts';
import { graphql } from './graphql.ts';
import { optional, required } from './params.ts';
import { route } from './route.ts';
import { bool, decimal, enumOf, id, int64, integer, takenElsewhere, unsigned } from './value-types.ts';

const MAX_PRICE = 2n ** 255n - 1n;
const MAX_SIZE = 2n ** 64n - 1n;

const marketId = required(id, 'The id of the market.');

/** What newer releases ask of a position. Where one of them is given, the answer is as those releases have it. */
const ofMarginModes = {
  marginMode: optional(
    enumOf(marginModes),
    'The margin mode of the party. Unspecified: as cross margin, but the margin account alone is weighed.',
  ),
  averageEntryPrice: optional(
    decimal,
    'The price at which the position was entered, on average, in market decimals; 0 where there is none. Required with a margin mode.',
  ),
  marginAccountBalance: optional(
    decimal,
    "The balance of the party's margin account, in the settlement asset's smallest unit. Required with a margin mode.",
  ),
  orderMarginAccountBalance: optional(
    decimal,
    "The balance of the party's order margin account, in the settlement asset's smallest unit. Required with a margin mode.",
  ),
  generalAccountBalance: optional(
    decimal,
    "The balance of the party's general account, in the settlement asset's smallest unit. Required in cross margin mode.",
  ),
  marginFactor: optional(
    decimal,
    'The part of the value of the position that is its margin. Required in isolated margin mode.',
  ),
  includeRequiredPositionMarginInAvailableCollateral: optional(
    bool,
    'Whether, in isolated margin mode, the margin that the position requires is weighed in place of the balance of the margin account.',
  ),
};

const namesOfMarginModes = Object.keys(ofMarginModes) as readonly (keyof typeof ofMarginModes)[];

export const estimateRoutes = [
  route({
    path: '/api/v2/estimate/position',
    summary: 'The margin that a position would need, and where it would be closed out',
    parameters: {
      marketId,
      openVolume: required(int64, 'The volume held, in position decimals; below zero for a short position.'),
      collateralAvailable: optional(
        decimal,
        "What there is to cover the position, in the settlement asset's smallest unit. Without it and without a margin mode, liquidation is null. Not to be given with a margin mode.",
      ),
      ...ofMarginModes,
      // Of release 0.73 as well, which has no margin modes.
      scaleLiquidationPriceToMarketDecimals: optional(
        bool,
        "Whether liquidation prices are in market decimals, and whole, instead of the settlement asset's smallest unit.",
      ),
      orders: optional(
        takenElsewhere('GraphQL (estimatePosition)'),
        "The party's open orders: they cannot be written into an address. GraphQL takes them.",
      ),
    },
    operation: graphql(`
      query EstimatePosition(
        $marketId: ID!, $openVolume: Int64!, $collateralAvailable: Decimal
        $marginMode: MarginMode, $averageEntryPrice: Decimal, $marginAccountBalance: Decimal
        $orderMarginAccountBalance: Decimal, $generalAccountBalance: Decimal, $marginFactor: Decimal
        $includeRequiredPositionMarginInAvailableCollateral: Boolean
        $scaleLiquidationPriceToMarketDecimals: Boolean
      ) {
        estimatePosition(
          marketId: $marketId, openVolume: $openVolume, collateralAvailable: $collateralAvailable
          marginMode: $marginMode, averageEntryPrice: $averageEntryPrice
          marginAccountBalance: $marginAccountBalance, orderMarginAccountBalance: $orderMarginAccountBalance
          generalAccountBalance: $generalAccountBalance, marginFactor: $marginFactor
          includeRequiredPositionMarginInAvailableCollateral: $includeRequiredPositionMarginInAvailableCollateral
          scaleLiquidationPriceToMarketDecimals: $scaleLiquidationPriceToMarketDecimals
        ) {
          margin { worstCase { ...EstimatedLevels } bestCase { ...EstimatedLevels } }
          collateralIncreaseEstimate { worstCase bestCase }
          liquidation { worstCase { ...Prices } bestCase { ...Prices } }
        }
      }
      fragment EstimatedLevels on EstimatedMarginLevel {
        maintenanceMargin searchLevel initialMargin collateralReleaseLevel partyId marketId asset timestamp
        orderMargin marginMode marginFactor
      }
      fragment Prices on LiquidationPrices { openVolumeOnly includingBuyOrders includingSellOrders }
    `),
    variables: (given) => given,
    passes: 'field',
    absentWhenNull: ['orderMargin', 'marginMode', 'marginFactor', 'collateralIncreaseEstimate'],
    emptyMembers: {
      names: ['orderMargin', 'marginFactor'],
      isAskedBy: (given) => namesOfMarginModes.some((name) => given[name] !== undefined),
    },
  }),
  route({
    path: '/api/v2/estimate/fee',
    summary: 'The fees that a trade would cost',
    parameters: {
      marketId,
      price: required(integer(1n, MAX_PRICE), 'The price of the trade, in market decimals.'),
      size: required(unsigned(1n, MAX_SIZE), 'The volume of the trade, in position decimals.'),
      party: optional(id, 'The party that trades: what it is let off is taken off.'),
    },
    operation: graphql(`
      query EstimateFee($marketId: ID!, $price: Integer!, $size: Uint64!, $party: ID) {
        fee: estimateFee(marketId: $marketId, price: $price, size: $size, party: $party) {
          makerFee infrastructureFee liquidityFee
          makerFeeVolumeDiscount infrastructureFeeVolumeDiscount liquidityFeeVolumeDiscount
          makerFeeReferrerDiscount infrastructureFeeReferrerDiscount liquidityFeeReferrerDiscount
          treasuryFee buyBackFee highVolumeMakerFee
        }
      }
    `),
    variables: (given) => given,
    passes: 'data',
    // The first three are of every release.
    absentWhenNull: feeParts.slice(3),
    emptyMembers: { names: ['highVolumeMakerFee'], isAskedBy: ({ party }) => party !== undefined },
  }),
];
