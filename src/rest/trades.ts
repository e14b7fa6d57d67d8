import type { ResultOf } from 'gql.tada';
import { writeEmpty } from './absent-members.ts';
import { graphql, PageInfoFields } from './graphql.ts';
import { pageOf, pagination } from './pagination.ts';
import { list, optional } from './params.ts';
import { route } from './route.ts';
import type { Shape } from './shape.ts';
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

export const tradeRoutes = [
  route({
    path: '/api/v2/trades',
    summary: 'A list of trades',
    parameters: {
      marketIds: list(id, 'Only trades in one of these markets.'),
      orderIds: list(id, 'Only trades of one of these orders, on either side.'),
      partyIds: list(id, 'Only trades that one of these parties bought or sold in.'),
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
