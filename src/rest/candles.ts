import type { ResultOf } from 'gql.tada';
import { canonicalId, complaintAboutId } from '../domain/ids.ts';
import { notFound } from '../errors.ts';
import { readTime } from './as-of.ts';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { answerOf, pageAnswer } from './mapped-answers.ts';
import { pageOf, pagination } from './pagination.ts';
import { optional, required } from './params.ts';
import { route } from './route.ts';
import { has, listOf, object, scalar, text } from './shape.ts';
import { id, timestamp, type ValueType } from './value-types.ts';

/** The widths of the reference's candles, by its words for them. It has one of each block, too, which is no piece of time. */
const WIDTHS = {
  '1 minute': 'PT1M',
  '5 minutes': 'PT5M',
  '15 minutes': 'PT15M',
  '30 minutes': 'PT30M',
  '1 hour': 'PT1H',
  '4 hours': 'PT4H',
  '6 hours': 'PT6H',
  '8 hours': 'PT8H',
  '12 hours': 'PT12H',
  '1 day': 'P1D',
  '7 days': 'P1W',
} as const;
type Interval = keyof typeof WIDTHS;

const INTERVALS = Object.keys(WIDTHS) as readonly Interval[];

function nameCandles(interval: Interval, marketId: string): string {
  return `trades_candle_${interval.replace(' ', '_')}_${marketId}`;
}

/** Which candles an id names: how wide ones, of which market. */
export const candleId: ValueType<{ readonly every: string; readonly marketId: string }> = {
  accepts: `an id that /api/v2/candle/intervals gives: ${nameCandles('1 hour', '<market>')}, with another of ${INTERVALS.join(', ')}`,
  schema: { type: 'string', pattern: '^trades_candle_\\d+_[a-z]+_' },
  read(given) {
    const interval = INTERVALS.find((one) => given.startsWith(nameCandles(one, '')));
    const marketId = given.slice(interval === undefined ? 0 : nameCandles(interval, '').length);
    if (interval === undefined || marketId === '' || complaintAboutId(marketId) !== null) return undefined;
    return { every: WIDTHS[interval], marketId: canonicalId(marketId) };
  },
};

const CandleFields = graphql(`
  fragment CandleFields on Candle { start lastUpdate high low open close volume notional }
`);

export type Candle = ResultOf<typeof CandleFields>;

const price = scalar('Decimal');

/** A candle in the words of the reference. */
export const CandleShape = object<Candle>(
  'CandleData',
  'The trades of a market in one piece of time. Without any, all four prices are that of the last trade before.',
  {
    start: has('The time at which it begins.', scalar('Timestamp'), ({ start }) => start),
    lastUpdate: has(
      'The time of the block of the last trade in it, or before it where it has none.',
      scalar('Timestamp'),
      ({ lastUpdate }) => lastUpdate,
    ),
    high: has('The greatest price, in market decimals.', price, ({ high }) => high),
    low: has('The least price, in market decimals.', price, ({ low }) => low),
    open: has('The price of the first trade, in market decimals.', price, ({ open }) => open),
    close: has('The price of the last trade so far, in market decimals.', price, ({ close }) => close),
    volume: has('The sum of the sizes, in position decimals.', price, ({ volume }) => volume),
    notional: has(
      'The sum of price times size, in market decimals and position decimals together.',
      price,
      ({ notional }) => notional,
    ),
  },
);

const page = pageAnswer('candles', 'CandleData', CandleShape);

/** Of a market that is not known, as other lists are of what is not. */
const NO_CANDLES = {
  candles: {
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  },
};

const IntervalShape = object<{ readonly interval: Interval; readonly candleId: string }>(
  'IntervalToCandleId',
  'A width that the candles of a market have, and the id of these.',
  {
    interval: has('The width.', text, ({ interval }) => interval),
    candleId: has('The id, for candleId.', text, ({ candleId }) => candleId),
  },
);

const intervals = answerOf('intervalToCandleId', listOf(IntervalShape));

export const candleRoutes = [
  route({
    path: '/api/v2/candle',
    summary:
      'The candles of a market, from that of its first trade, or the first whole one that is kept, to that of the last',
    parameters: {
      candleId: required(candleId, 'Which candles: how wide ones, of which market.'),
      fromTimestamp: optional(timestamp, 'Only candles that begin at this time or later.'),
      toTimestamp: optional(
        timestamp,
        'Only candles that begin before this time, also behind the last trade.',
      ),
      ...pagination('candles'),
    },
    operation: graphql(
      `query ListCandles($marketId: ID!, $every: String!, $from: Timestamp, $to: Timestamp, ${PAGE_VARIABLES}) {
        market(id: $marketId) {
          candles(every: $every, from: $from, to: $to, ${PAGE_ARGUMENTS}) {
            edges { node { ...CandleFields } cursor }
            pageInfo { ...PageInfoFields }
          }
        }
      }`,
      [CandleFields, PageInfoFields],
    ),
    variables: ({ candleId, fromTimestamp, toTimestamp, ...given }) => ({
      ...candleId,
      from: fromTimestamp && `${readTime('fromTimestamp', fromTimestamp)}`,
      to: toTimestamp && `${readTime('toTimestamp', toTimestamp)}`,
      ...pageOf(given),
    }),
    schema: page.schema,
    body: ({ market }, given) => page.body(market ?? NO_CANDLES, given),
  }),
  route({
    path: '/api/v2/candle/intervals',
    summary: 'How wide the candles of a market are, and by what ids they are asked for',
    parameters: { marketId: required(id, 'The id of the market.') },
    operation: graphql('query ListCandleIntervals($marketId: ID!) { market(id: $marketId) { id } }'),
    variables: ({ marketId }) => ({ marketId }),
    schema: intervals.schema,
    body({ market }, given) {
      if (market === null) throw notFound('market', given.marketId);
      const all = INTERVALS.map((interval) => ({ interval, candleId: nameCandles(interval, market.id) }));
      return intervals.body({ intervalToCandleId: all }, given);
    },
  }),
];
