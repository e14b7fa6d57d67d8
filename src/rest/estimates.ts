import { graphql } from './graphql.ts';
import { optional, required } from './params.ts';
import { route } from './route.ts';
import { decimal, id, int64, integer, unsigned } from './value-types.ts';

const MAX_PRICE = 2n ** 255n - 1n;
const MAX_SIZE = 2n ** 64n - 1n;

const marketId = required(id, 'The id of the market.');

export const estimateRoutes = [
  route({
    path: '/api/v2/estimate/position',
    summary: 'The margin that a position would need, and where it would be closed out',
    parameters: {
      marketId,
      openVolume: required(int64, 'The volume held, in position decimals; below zero for a short position.'),
      collateralAvailable: optional(
        decimal,
        "What there is to cover the position, in the settlement asset's smallest unit. Without it, liquidation is null.",
      ),
    },
    operation: graphql(`
      query EstimatePosition($marketId: ID!, $openVolume: Int64!, $collateralAvailable: Decimal) {
        estimatePosition(
          marketId: $marketId, openVolume: $openVolume, collateralAvailable: $collateralAvailable
        ) {
          margin { worstCase { ...EstimatedLevels } bestCase { ...EstimatedLevels } }
          liquidation { worstCase { ...Prices } bestCase { ...Prices } }
        }
      }
      fragment EstimatedLevels on EstimatedMarginLevel {
        maintenanceMargin searchLevel initialMargin collateralReleaseLevel partyId marketId asset timestamp
      }
      fragment Prices on LiquidationPrices { openVolumeOnly includingBuyOrders includingSellOrders }
    `),
    variables: (given) => given,
    body: ({ estimatePosition }) => estimatePosition,
    bodyIs: 'their field',
  }),
  route({
    path: '/api/v2/estimate/fee',
    summary: 'The fees that a trade would cost',
    parameters: {
      marketId,
      price: required(integer(1n, MAX_PRICE), 'The price of the trade, in market decimals.'),
      size: required(unsigned(1n, MAX_SIZE), 'The volume of the trade, in position decimals.'),
    },
    operation: graphql(`
      query EstimateFee($marketId: ID!, $price: Integer!, $size: Uint64!) {
        fee: estimateFee(marketId: $marketId, price: $price, size: $size) {
          makerFee infrastructureFee liquidityFee
        }
      }
    `),
    variables: (given) => given,
    body: (data) => data,
    bodyIs: 'the data',
  }),
];
