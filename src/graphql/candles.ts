import type { Block } from '../data/generated/prisma/client.ts';
import { dependsOnRows } from '../data/noun-tags.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { trades } from '../data/nouns/trades.ts';
import type { ReadByKeys } from '../data/queries/load-by-key.ts';
import { findTradedTimes } from '../data/queries/traded-times.ts';
import { MADE_OF } from '../data/series/candles.ts';
import { readMarketSeries } from '../data/series/market-series.ts';
import { type FirstKnown, forgotten, readFirstKnown } from '../data/series/requests.ts';
import type { Statements } from '../data/servers/statements.ts';
import { max, min } from '../domain/bigints.ts';
import { beginOf, isEven, type Numbers, numberAt, numberFrom, pageOf } from '../domain/candle-pages.ts';
import { nameListAt } from '../domain/cursors.ts';
import { readWidth, type Width } from '../domain/durations.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import { defineObject } from './columns.ts';
import { toConnection } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, rowsOfPage } from './costs.ts';
import { checkCursorBlock, type PageArgs, pageArgs, readPageArgs } from './list-args.ts';
import { definePlainConnection } from './plain-connections.ts';
import { selectsAny } from './selected.ts';
import { from as ofSource } from './sources.ts';
import { boundOf, checkBound } from './times.ts';

/** The list of a market's candles. It is no noun's: any candle is worked out from the trades, and a page of them at once. */

interface CandleRow {
  readonly start: bigint;
  readonly lastUpdate: bigint;
  readonly high: string;
  readonly low: string;
  readonly open: string;
  readonly close: string;
  readonly volume: string;
  readonly notional: string;
  readonly trades: number;
  readonly isComplete: boolean;
}

const Candle = defineObject<CandleRow>(
  'Candle',
  'The trades of a market in one piece of time. Without any, all four prices are that of the last trade before.',
  {
    Timestamp: {
      start: 'The time at which it begins.',
      lastUpdate: 'The time of the block of the last trade in it, or before it where it has none.',
    },
    Decimal: {
      high: 'The greatest price. In market decimals.',
      low: 'The least price. In market decimals.',
      open: 'The price of the first trade. In market decimals.',
      close: 'The price of the last trade so far. In market decimals.',
      volume: 'The sum of the sizes. In position decimals.',
      notional: 'The sum of price times size. In market decimals and position decimals together.',
    },
    Int: { trades: 'The number of trades.' },
    Boolean: { isComplete: 'Whether it is over, so that no later block can change it.' },
  },
);

type CandlePage = ReturnType<typeof toConnection<CandleRow>>;

const CandleConnection = definePlainConnection(Candle, {
  ...{ name: 'Candle', row: 'A candle', rows: 'candles' },
  // Each is made of pieces, and may be asked for the block of its last trade.
  cost: { each: COST_OF.history, page: { rows: rowsOfPage, row: 2 * COST_OF.row } },
});

const candleArgs = builder.args((t) => ({
  every: t.string({
    required: true,
    description:
      'How wide candles are, as an ISO 8601 duration that divides the day without a rest, or of days or weeks: PT1M, PT4H, P1D, P1W. They are aligned to the calendar of UTC as buckets of `series` are.',
  }),
  from: t.field({
    type: 'Timestamp',
    description:
      'Only candles that begin at this time or later, in nanoseconds. 0 is no condition. A time that looks like seconds, milliseconds or microseconds is refused.',
  }),
  to: t.field({
    type: 'Timestamp',
    description:
      'Only candles that begin before this time, in nanoseconds as `from`, up to that of the newest block. Without it, or with 0, the list ends with the candle of the last trade.',
  }),
}));

/** The range of times that candles begin in. */
interface Range {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

interface CandleQuestion {
  readonly every: string;
  readonly from?: bigint | null | undefined;
  readonly to?: bigint | null | undefined;
}

type CandleArgs = Range & { readonly every: string };

builder.prismaObjectFields('Market', (t) => ({
  candles: t.field({
    type: CandleConnection,
    description:
      'A list of the candles of the market, from that of its first trade on, or the first whole one that is kept, if any; the newest first.',
    args: { ...candleArgs, ...pageArgs },
    ...ofSource({
      kind: 'resolved',
      check({ every, from, to, ...page }: CandleQuestion & PageArgs) {
        readEvenWidth(every);
        readRange(from, to);
        readPageArgs('candles', page);
      },
    }),
    resolve: ({ id }, { every, from, to, ...page }, context, info) => {
      const hasUpdates = [['edges', 'node'], ['nodes']].some((path) =>
        selectsAny(info, ['lastUpdate'], path),
      );
      return readPage(id, { every, ...readRange(from, to) }, { page, hasUpdates }, context);
    },
  }),
}));

async function readPage(
  marketId: string,
  args: CandleArgs,
  asked: { readonly page: PageArgs; readonly hasUpdates: boolean },
  context: GatewayContext,
): Promise<CandlePage> {
  const width = readEvenWidth(args.every);
  const { cursor, ...request } = readPageArgs('candles', asked.page);
  checkCursorBlock({ cursor, ...request }, context);
  const at = await context.newestBlock();
  if (context.past === null)
    for (const noun of [marketData, trades])
      context.dependencies.add(dependsOnRows(noun, 'marketId', [marketId]));
  const list = at === null ? NO_CANDLES : await findNumbers(marketId, width, args, at, context);
  const place = cursor === null ? null : readPlace(cursor, request.backward ? 'before' : 'after', args.every);
  const { page, ...sides } = pageOf(list, { ...request, cursor: place });
  const rows = at === null ? [] : await readRows(marketId, width, page, asked.hasUpdates, at, context);
  const found = { rows: request.newestFirst ? rows.reverse() : rows, ...sides };
  return toConnection(
    nameListAt('candles', context.past?.height ?? null),
    found,
    ({ start }) => start / SECOND,
  );
}

const SECOND = 1_000_000_000n;
const NO_CANDLES: Numbers = { first: 0n, last: -1n };

function readEvenWidth(every: string): Width {
  const width = readWidth(every);
  if (width !== null && isEven(width)) return width;
  throw invalidArgument(
    'every',
    `every takes an ISO 8601 duration that divides the day without a rest, or of days or weeks, as PT15M, PT4H, P1D or P1W (292 years at most), not ${quoted(every)}.`,
  );
}

/** The number of the candle that a cursor is of, which has the seconds of its begin. Throws INVALID_ARGUMENT for one of another width. */
function readPlace(cursor: bigint, argument: 'after' | 'before', every: string): bigint {
  const [begin, width] = [cursor * SECOND, readEvenWidth(every)];
  const number = numberAt(begin, width);
  if (beginOf(number, width) === begin) return number;
  throw invalidArgument(
    argument,
    `${argument} takes a cursor that a page of candles gave; none of ${every} begins where this one stands.`,
  );
}

/** Throws INVALID_ARGUMENT for a range that ends before it begins, and for times that are not in nanoseconds. */
function readRange(...given: readonly (bigint | null | undefined)[]): Range {
  const [from = null, to = null] = given.map(boundOf);
  if (from !== null && to !== null && to < from)
    throw invalidArgument('to', `to takes a time that is not before from (${from}), not ${to}.`);
  checkBound('from', from);
  checkBound('to', to);
  return { from, to };
}

/** Which candles there are in a range of times. Throws OUT_OF_RANGE where trades of one that it names were dropped. */
async function findNumbers(
  marketId: string,
  width: Width,
  { from, to }: Range,
  at: Block,
  { histories, load }: GatewayContext,
): Promise<Numbers> {
  const { first, last, hasDropped } = await findTradedTimes(histories, marketId, at);
  const known = (await load(readKnown(histories), '', ONCE)) ?? NOTHING_FORGOTTEN;
  const newest = numberAt(at.timestamp, width);
  const end = to === null ? newest : min(numberFrom(to, width) - 1n, newest);
  // Nobody knows when those were that were dropped.
  const oldest = numberAt((hasDropped ? null : first) ?? 0n, width);
  const asked = max(oldest, from === null ? oldest : numberFrom(from, width));
  const firstWhole = known.position === 0n ? asked : numberFrom(known.time + 1n, width);
  // A list that names no time has the whole candles that are kept, be it none; what is kept of trades is told by the page itself.
  const namesEnd = to !== null || known.position > at.lastPosition;
  const lacks = from === null ? namesEnd && firstWhole > end : hasDropped && firstWhole > asked;
  if (lacks && asked <= end && (first !== null || hasDropped)) throw forgotten(known);
  if (first === null || last === null) return NO_CANDLES;
  return {
    first: max(numberAt(first, width), from === null ? firstWhole : asked),
    last: to === null ? numberAt(last, width) : end,
  };
}

const NOTHING_FORGOTTEN: FirstKnown = { position: 0n, height: 0n, time: 0n };

/** For all markets of an operation. */
const ONCE = { words: 'known of candles', atOnce: 1 };

/** Of the present: as of a block before, the first one that is kept was not there. */
function readKnown(histories: Statements): ReadByKeys<FirstKnown> {
  return async (_, keys) => {
    const known = await readFirstKnown(histories, MADE_OF);
    return new Map(keys.map((key) => [key, known]));
  };
}

async function readRows(
  marketId: string,
  width: Width,
  { first, last }: Numbers,
  hasUpdates: boolean,
  at: Block,
  { histories, readInTurn, charge }: GatewayContext,
): Promise<CandleRow[]> {
  if (last < first) return [];
  const range = { from: beginOf(first, width), to: beginOf(last, width) + 1n };
  const request = { ...range, width, points: null, zone: 'UTC' };
  const question = { of: 'TRADE_PRICE', hasTraded: true, hasUpdates } as const;
  const all = await readInTurn(() => readMarketSeries(histories, [marketId], question, request, at));
  const { buckets = [], rows = 0 } = all.get(marketId) ?? {};
  charge(rows);
  return buckets.map((bucket) => {
    const { start, open, high, low, close, volume, notional, trades, isComplete } = bucket;
    if (open === null || high === null || low === null || close === null)
      throw new TypeError('a candle behind the first trade has no price');
    const lastUpdate = bucket.lastUpdate ?? start;
    return { start, lastUpdate, high, low, open, close, volume, notional, trades, isComplete };
  });
}
