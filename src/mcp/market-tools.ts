import { graphql } from '../rest/graphql.ts';
import { after, count, decimal, text, texts, tool } from './tool.ts';

const PRICES =
  "Prices are in market decimals: divide by 10^decimalPlaces. Volumes are in position decimals: divide by 10^positionDecimalPlaces. Amounts are in the asset's smallest unit: divide by 10^decimals of the asset. Times are nanoseconds since 1970 UTC. All of them are exact text: calculate with decimals, not with floats.";

const MarketFields = graphql(`
  fragment ToolMarketFields on Market {
    id instrumentName instrumentCode state tradingMode decimalPlaces positionDecimalPlaces quoteName
    settlementAssetNode { id symbol decimals }
  }
`);

/** Tools that ask about markets. */
export const marketTools = [
  tool({
    name: 'list_markets',
    title: 'Markets',
    description: `The markets, the newest first, with their state and newest prices. ${PRICES}`,
    arguments: {
      states: texts('Only markets in these states, as STATE_ACTIVE, STATE_SUSPENDED, STATE_SETTLED.'),
      first: { ...count(50, 'markets'), default: 20 },
      after,
    },
    operation: graphql(
      `
      query ToolListMarkets($states: [MarketState!], $first: Int = 20, $after: String) {
        block { height timestamp }
        markets(states: $states, first: $first, after: $after) {
          totalCount
          nodes { ...ToolMarketFields marketData { markPrice bestBidPrice bestOfferPrice openInterest } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
      [MarketFields],
    ),
  }),
  tool({
    name: 'get_market',
    title: 'A market, its data and its candles',
    description: `A market with its newest data, fees and candles of its trades, the newest first. ${PRICES} Fees are shares of a trade's value. The notional of a candle is in market and position decimals together: divide by 10^(decimalPlaces + positionDecimalPlaces).`,
    arguments: {
      id: text('The identifier of the market, as search and list_markets give it.'),
      every: decimal(
        '^P[0-9DWTHM]{2,12}$',
        'How wide a candle is, as an ISO 8601 duration: PT1M, PT15M, PT1H, P1D. One hour unless said.',
      ),
      candles: { ...count(200, 'candles'), default: 24 },
    },
    required: ['id'],
    missing: { field: 'market', noun: 'market', argument: 'id' },
    operation: graphql(
      `
      query ToolMarket($id: ID!, $every: String! = "PT1H", $candles: Int = 24) {
        block { height timestamp }
        market(id: $id) {
          ...ToolMarketFields
          makerFee infrastructureFee liquidityFee openTimestamp closeTimestamp
          marketData {
            markPrice lastTradedPrice midPrice indicativePrice indicativeVolume
            bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume
            openInterest suppliedStake targetStake marketTradingMode trigger auctionEnd timestamp
          }
          candles(every: $every, first: $candles) { nodes { start open high low close volume notional trades isComplete } }
        }
      }
    `,
      [MarketFields],
    ),
  }),
  tool({
    name: 'estimate_position',
    title: 'Margin and liquidation price of a position',
    description: `What margin a position would need in a market as it stands, and at which prices it would be liquidated, at best and at worst. ${PRICES} Liquidation prices are in the asset's smallest unit, unlike other prices; of perpetuals and of futures with a cap, they are the market's price where the collateral does not cover the margin.`,
    arguments: {
      marketId: text('The identifier of the market.'),
      openVolume: decimal(
        '^-?\\d{1,19}$',
        'The volume in position decimals, as digits: positive for long, negative for short.',
      ),
      collateralAvailable: decimal(
        '^\\d{1,40}(\\.\\d{1,18})?$',
        "The collateral behind it, in the smallest unit of the market's asset; without it, no liquidation prices.",
      ),
    },
    required: ['marketId', 'openVolume'],
    missing: { field: 'estimatePosition', noun: 'market', argument: 'marketId' },
    operation: graphql(`
      query ToolEstimatePosition($marketId: ID!, $openVolume: Int64!, $collateralAvailable: Decimal) {
        block { height timestamp }
        market(id: $marketId) { instrumentName decimalPlaces positionDecimalPlaces settlementAssetNode { symbol decimals } }
        estimatePosition(
          marketId: $marketId, openVolume: $openVolume, collateralAvailable: $collateralAvailable
        ) {
          margin {
            bestCase { maintenanceMargin searchLevel initialMargin collateralReleaseLevel }
            worstCase { maintenanceMargin searchLevel initialMargin collateralReleaseLevel }
          }
          liquidation {
            bestCase { openVolumeOnly includingBuyOrders includingSellOrders }
            worstCase { openVolumeOnly includingBuyOrders includingSellOrders }
          }
        }
      }
    `),
  }),
];
