import type { ResultOf } from 'gql.tada';
import { writeEmpty } from './absent-members.ts';
import { graphql, PageInfoFields } from './graphql.ts';
import { pageOf, pagination } from './pagination.ts';
import { list, optional } from './params.ts';
import { route } from './route.ts';
import { flag, has, listOf, object, type Shape } from './shape.ts';
import { streamRoute } from './stream-route.ts';
import { id, timestamp } from './value-types.ts';

const FeeFields = graphql(`
  fragment FeeFields on TradeFee {
    makerFee infrastructureFee liquidityFee
    makerFeeVolumeDiscount infrastructureFeeVolumeDiscount liquidityFeeVolumeDiscount
    makerFeeReferrerDiscount infrastructureFeeReferrerDiscount liquidityFeeReferrerDiscount
    treasuryFee buyBackFee highVolumeMakerFee
  }
`);

export const TradeFields = graphql(
  `fragment TradeFields on Trade {
    id marketId price size buyer seller aggressor buyOrder sellOrder timestamp type
    buyerFee { ...FeeFields } sellerFee { ...FeeFields }
    buyerAuctionBatch sellerAuctionBatch assetPrice
  }`,
  [FeeFields],
);

/** Of releases that tell none; the reference has none of any. */
const EMPTY = ['assetPrice'] as const;

/** A trade among other things. */
export const TradeShape: Shape<ResultOf<typeof TradeFields>> = {
  schema: { fragment: TradeFields, emptyWhenNull: EMPTY },
  write: (trade) => writeEmpty([JSON.stringify(trade)], EMPTY).join(''),
};

const choices = {
  marketIds: list(id, 'Only trades in one of these markets.'),
  partyIds: list(id, 'Only trades that one of these parties bought or sold in.'),
};

export const tradeRoutes = [
  route({
    path: '/api/v2/trades',
    summary: 'A list of trades',
    parameters: {
      ...choices,
      orderIds: list(id, 'Only trades of one of these orders, on either side.'),
      'dateRange.startTimestamp': optional(timestamp, 'Only trades in blocks of this time or later.'),
      'dateRange.endTimestamp': optional(timestamp, 'Only trades in blocks before this time.'),
      ...pagination('trades'),
    },
    operation: graphql(
      `query ListTrades(
        $filter: TradeFilter, $dateRange: DateRange
        $first: Int, $after: String, $last: Int, $before: String, $newestFirst: Boolean
      ) {
        trades(
          filter: $filter, dateRange: $dateRange
          first: $first, after: $after, last: $last, before: $before, newestFirst: $newestFirst
        ) {
          edges {
            node { ...TradeFields }
            cursor
          }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [TradeFields, PageInfoFields],
    ),
    variables: ({ marketIds, orderIds, partyIds, ...given }) => ({
      filter: { marketIds, orderIds, partyIds },
      dateRange: {
        startTimestamp: given['dateRange.startTimestamp'],
        endTimestamp: given['dateRange.endTimestamp'],
      },
      ...pageOf(given),
    }),
    passes: 'data',
    emptyMembers: { names: EMPTY, isAskedBy: () => true },
  }),
];

const observed = graphql(
  `subscription ObserveTrades($marketIds: [ID!], $partyIds: [ID!], $after: String, $progress: Boolean) {
    trades(marketIds: $marketIds, partyIds: $partyIds, after: $after, progress: $progress) {
      snapshot { trades { ...TradeFields } lastPage }
      updates { trades { ...TradeFields } }
      block { height timestamp }
      cursor
    }
  }`,
  [TradeFields],
);

type Messages = ResultOf<typeof observed>['trades'];
type Updates = NonNullable<Messages['updates']>;

const rows = has<Updates, Updates['trades']>(
  'A list of trades, oldest first.',
  listOf(TradeShape),
  ({ trades }) => trades,
);

export const tradesStream = streamRoute({
  path: '/api/v2/stream/trades',
  summary: 'Trades as they are, and then the trades of each block',
  parameters: choices,
  operation: observed,
  variables: (given) => given,
  message: ({ trades }) => trades,
  written: {
    name: 'Trades',
    snapshot: object<NonNullable<Messages['snapshot']>>(
      'TradesSnapshot',
      'A page of the trades at the end of a block.',
      {
        trades: rows,
        lastPage: has('Whether this is the last page of the snapshot.', flag, ({ lastPage }) => lastPage),
      },
    ),
    updates: object<Updates>('TradesUpdates', 'The trades of a block.', { trades: rows }),
  },
});
