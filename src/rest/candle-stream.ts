import type { ResultOf } from 'gql.tada';
import { type Candle, CandleShape, candleId } from './candles.ts';
import { graphql } from './graphql.ts';
import { required } from './params.ts';
import { rowStreamRoute } from './stream-route.ts';

const observed = graphql(`
  subscription ObserveCandles($marketId: ID!, $every: String!, $after: String, $progress: Boolean) {
    marketSeries(marketId: $marketId, of: TRADE_PRICE, every: $every, after: $after, progress: $progress) {
      buckets { start lastUpdate high low open close volume notional }
      block { height timestamp }
      cursor
    }
  }
`);

/** The reference's stream of candles: one a message. As in their list there is none before the first trade. */
export const candleStream = rowStreamRoute({
  path: '/api/v2/stream/candle/data',
  summary: 'The newest candle of a market as it changes, and each candle that ends',
  parameters: { candleId: required(candleId, 'Which candles: how wide ones, of which market.') },
  operation: observed,
  variables: ({ candleId }) => candleId,
  rows: ({ marketSeries: { buckets, block, cursor } }) => ({ rows: buckets.filter(isCandle), block, cursor }),
  written: { name: 'Candles', member: 'candle', row: CandleShape },
});

type Bucket = ResultOf<typeof observed>['marketSeries']['buckets'][number];

function isCandle(bucket: Bucket): bucket is Bucket & Candle {
  return Object.values(bucket).every((value) => value !== null);
}
