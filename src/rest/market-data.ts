import type { ResultOf } from 'gql.tada';
import { writeEmpty } from './absent-members.ts';
import { readTime } from './as-of.ts';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { pageOf, pagination } from './pagination.ts';
import { inPath, optional } from './params.ts';
import { route, wholeListRoute } from './route.ts';
import type { Shape } from './shape.ts';
import { id, timestamp } from './value-types.ts';

// The fields of each object stand in the order of the documented answer.
export const MarketDataFields = graphql(`
  fragment MarketDataFields on MarketData {
    markPrice bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume
    bestStaticBidPrice bestStaticBidVolume bestStaticOfferPrice bestStaticOfferVolume
    midPrice staticMidPrice market timestamp openInterest auctionEnd auctionStart
    indicativePrice indicativeVolume marketTradingMode trigger extensionTrigger
    targetStake suppliedStake
    priceMonitoringBounds {
      minValidPrice maxValidPrice trigger { horizon probability auctionExtension } referencePrice active
    }
    marketValueProxy
    liquidityProviderFeeShare { party equityLikeShare averageEntryValuation averageScore virtualStake }
    marketState nextMarkToMarket lastTradedPrice marketGrowth
    productData {
      perpetualData {
        fundingPayment fundingRate internalTwap externalTwap seqNum startTime
        internalCompositePrice nextInternalCompositePriceCalc internalCompositePriceType
        underlyingIndexPrice
        internalCompositePriceState { priceSources { priceSource price lastUpdated } }
      }
    }
    liquidityProviderSla {
      party currentEpochFractionOfTimeOnBook lastEpochFractionOfTimeOnBook
      lastEpochFeePenalty lastEpochBondPenalty hysteresisPeriodFeePenalties
      requiredLiquidity notionalVolumeBuys notionalVolumeSells
    }
    nextNetworkCloseout markPriceType
    markPriceState { priceSources { priceSource price lastUpdated } }
    activeProtocolAutomatedPurchase { id orderId }
  }
`);

/** Of what newer releases added. */
export const ABSENT_IN_MARKET_DATA = [
  ...['active', 'virtualStake', 'marketGrowth', 'productData', 'liquidityProviderSla', 'nextNetworkCloseout'],
  ...['markPriceType', 'markPriceState', 'activeProtocolAutomatedPurchase', 'orderId', 'seqNum', 'startTime'],
  ...['internalCompositePrice', 'nextInternalCompositePriceCalc', 'internalCompositePriceType'],
  ...['underlyingIndexPrice', 'internalCompositePriceState'],
];

/** Of a perpetual for which the network told none; the reference has no null of any text. */
const EMPTY = ['fundingPayment', 'fundingRate'] as const;
const emptyMembers = { names: EMPTY, isAskedBy: () => true };

/** The data of a market among other things. */
export const MarketDataShape: Shape<ResultOf<typeof MarketDataFields>> = {
  schema: { fragment: MarketDataFields, emptyWhenNull: EMPTY },
  write: (data) => writeEmpty([JSON.stringify(data)], EMPTY).join(''),
};

/** A page is charged for as if it were full, and few networks have more markets. */
const PAGE_SIZE = 100;

export const marketDataRoutes = [
  route({
    path: '/api/v2/market/data/:marketId/latest',
    summary: 'The latest market data of a market',
    parameters: { marketId: inPath(id, 'The id of the market.') },
    operation: graphql(
      `query GetLatestMarketData($marketId: ID!) { marketData(marketId: $marketId) { ...MarketDataFields } }`,
      [MarketDataFields],
    ),
    absentWhenNull: ABSENT_IN_MARKET_DATA,
    variables: ({ marketId }) => ({ marketId }),
    passes: 'data',
    emptyMembers,
    missing: {
      field: 'marketData',
      noun: 'market data',
      name: ({ marketId }) => marketId,
      message: ({ marketId }) =>
        `There are no market data of market ${JSON.stringify(marketId)}: it is unknown, or has none yet.`,
    },
  }),
];

function afterTime(time: bigint): string {
  // Nothing is from before 1970, when an end of 0 lets nothing through.
  return `${time <= 0n || time === MAX_TIME ? time : time + 1n}`;
}

const MAX_TIME = 2n ** 63n - 1n;

/** What the market data of so many blocks cost as of a block is what an operation may. */
const LARGEST_HISTORY = 1750;

/** Of the reference's paths beyond the documented ones. */
export const furtherMarketDataRoutes = [
  route({
    path: '/api/v2/market/data/:marketId',
    summary: 'What the market data of a market were after each block; without a time, the latest alone',
    parameters: {
      marketId: inPath(id, 'The id of the market.'),
      startTimestamp: optional(timestamp, 'Only market data of blocks of this time or later.'),
      endTimestamp: optional(timestamp, 'Only market data of blocks of this time or earlier.'),
      ...pagination('marketDataHistory', LARGEST_HISTORY),
    },
    operation: graphql(
      `query ListMarketDataHistory($marketId: ID!, $dateRange: DateRange, $latest: Boolean, ${PAGE_VARIABLES}) {
        marketData: marketDataHistory(marketId: $marketId, dateRange: $dateRange, latest: $latest, ${PAGE_ARGUMENTS}) {
          edges { node { ...MarketDataFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [MarketDataFields, PageInfoFields],
    ),
    absentWhenNull: ABSENT_IN_MARKET_DATA,
    variables: ({ marketId, startTimestamp, endTimestamp, ...given }) => ({
      marketId,
      latest: startTimestamp === undefined && endTimestamp === undefined,
      dateRange: {
        startTimestamp: startTimestamp && `${readTime('startTimestamp', startTimestamp)}`,
        // Here a range has its end as well, and there not. The last nanosecond that there is has no next.
        endTimestamp: endTimestamp && afterTime(readTime('endTimestamp', endTimestamp)),
      },
      ...pageOf(given),
    }),
    passes: 'data',
    emptyMembers,
  }),
  wholeListRoute({
    path: '/api/v2/markets/data',
    summary: 'The latest market data of every market; the newest market first',
    parameters: {},
    operation: graphql(
      `query ListLatestMarketData($first: Int, $after: String) {
        marketsData(first: $first, after: $after) {
          edges { node { ...MarketDataFields } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      [MarketDataFields],
    ),
    absentWhenNull: ABSENT_IN_MARKET_DATA,
    emptyWhenNull: EMPTY,
    variables: (_, after) => ({ first: PAGE_SIZE, after }),
    field: 'marketsData',
    page: ({ marketsData }) => ({
      rows: marketsData.edges.map(({ node }) => node),
      next: marketsData.pageInfo.hasNextPage ? marketsData.pageInfo.endCursor : null,
    }),
  }),
];
