import type { Block } from '../generated/prisma/client.ts';
import { marketData } from '../nouns/market-data.ts';
import type { Statements } from '../servers/statements.ts';
import { type Sql, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import type { Calendar } from './calendar.ts';
import { type Candle, fillCandles, MADE_OF, readCandles, type Traded, tradedOf } from './candles.ts';
import { valuePieces } from './market-rollups.ts';
import { type FindBuckets, findBuckets, keepBuckets, readSince, type SeriesRequest } from './requests.ts';
import { type Bucket, checkRows, fillBuckets, MOST_ROWS, type Summary, summarise } from './summaries.ts';
import { unitsWithin } from './units.ts';
import { type TimedSummary, type Updated, updatesOf, withUpdates } from './updates.ts';
import { carriedOf, type MarketValueName, placeOfValue } from './values.ts';

/** The buckets of a series, and how many rows were read for them. */
export interface Series {
  readonly buckets: readonly Bucket[];
  readonly rows: number;
}

/** What is asked of markets. */
export interface MarketQuestion {
  readonly of: MarketValueName | 'TRADE_PRICE';
  /** Whether it is asked as well what was traded. */
  readonly hasTraded: boolean;
  /** Whether it is asked as well when each bucket was changed last. */
  readonly hasUpdates: boolean;
}

/** A bucket with what was traded in it, and when it was changed: nothing where nobody asks. */
export type MarketBucket = Bucket & Traded & Updated;

export interface MarketSeries {
  readonly buckets: readonly MarketBucket[];
  readonly rows: number;
}

/** How a series finds what it is of. */
export interface MarketFinding {
  readonly markets: typeof findMarkets;
  readonly buckets: FindBuckets;
}

const ANEW: MarketFinding = { markets: findMarkets, buckets: findBuckets };

/** Finds what a series that is followed is of: what stays as it is from block to block is found once. */
export function keepFinding(): MarketFinding {
  let kept: readonly Group[] = [];
  return {
    buckets: keepBuckets(),
    markets: async (statements, marketIds, question, request, at) => {
      const known = kept.flatMap(({ markets }) => markets);
      const isKept = known.length === marketIds.length && known.every(({ key }) => key <= at.lastPosition);
      if (isKept && request.from !== null) return [{ begin: null, markets: known }];
      kept = await findMarkets(statements, marketIds, question, request, at);
      return kept;
    },
  };
}

/** Reads the course of a value of several markets up to a block, by market: none of one that has no data, nor trades where it is of these. */
export async function readMarketSeries(
  statements: Statements,
  marketIds: readonly string[],
  question: MarketQuestion,
  request: SeriesRequest,
  at: Block,
  find: MarketFinding = ANEW,
): Promise<ReadonlyMap<string, MarketSeries>> {
  const series = new Map<string, MarketSeries>();
  const { of, hasTraded } = question;
  const isOfTrades = of === 'TRADE_PRICE';
  const made = hasTraded || isOfTrades ? MADE_OF : [marketData];
  for (const { begin, markets } of await find.markets(statements, marketIds, question, request, at)) {
    const calendar = await find.buckets(statements, request, at, begin, made);
    const isEmpty = calendar.times.length < 2;
    const ids = markets.map(({ marketId }) => marketId);
    const needsCandles = !isEmpty && (hasTraded || isOfTrades);
    const candles = needsCandles ? await readCandles(statements, ids, question, calendar, at) : [];
    const keys = markets.map(({ key }) => key);
    const values = isEmpty ? [] : await readSummaries(statements, keys, question, calendar, at);
    for (const { marketId, key } of markets) {
      const own = candles.filter((one) => one.marketId === marketId);
      const ofValue = values.filter((one) => one.key === key);
      const { buckets, rows } = isOfTrades
        ? candleSeriesOf(calendar, own, at)
        : seriesOf(calendar, ofValue, at);
      const [traded, updated] = [tradedOf(own), updatesOf(isOfTrades ? own : ofValue)];
      const withRest = (one: Bucket, place: number): MarketBucket => {
        const { volume, notional, trades } = traded(place);
        const { start, end, open, high, low, close, isComplete } = one;
        const lastUpdate = updated(place);
        return { start, end, open, high, low, close, isComplete, volume, notional, trades, lastUpdate };
      };
      series.set(marketId, { rows, buckets: buckets.map(withRest) });
    }
  }
  return series;
}

function candleSeriesOf(calendar: Calendar, candles: readonly Candle[], at: Block): Series {
  const { rows } = seriesOf(calendar, candles, at);
  return { buckets: fillCandles(calendar, candles, at.timestamp), rows };
}

export function seriesOf(calendar: Calendar, summaries: readonly Summary[], at: Block): Series {
  return {
    buckets: fillBuckets(calendar, summaries, at.timestamp),
    rows: summaries.reduce((sum, { rows }) => sum + rows, calendar.times.length),
  };
}

/** A market by the position of its data, or of its first trade. */
interface Found {
  readonly marketId: string;
  readonly key: bigint;
  /** The time of the block with that position. */
  readonly begin: bigint;
}

/** Markets whose series have the same buckets. */
interface Group {
  readonly begin: bigint | null;
  readonly markets: readonly Found[];
}

async function findMarkets(
  statements: Statements,
  marketIds: readonly string[],
  { of }: Pick<MarketQuestion, 'of'>,
  { from }: SeriesRequest,
  at: Block,
): Promise<readonly Group[]> {
  const withData = await readFound(
    statements,
    sql`SELECT market_id AS "marketId", created_position AS key
      FROM market_data WHERE market_id = ANY (${[...marketIds]}::text[]) AND created_position <= ${at.lastPosition}`,
  );
  const found = of === 'TRADE_PRICE' ? await withTraded(withData) : withData;
  if (from !== null) return [{ begin: null, markets: found }];
  const begins = [...new Set(found.map(({ begin }) => begin))];
  return begins.map((begin) => ({ begin, markets: found.filter((one) => one.begin === begin) }));

  /** Trades may come before there is data, or without: which matters only to when a series begins, and to whether there is one. */
  async function withTraded(known: readonly Found[]): Promise<readonly Found[]> {
    const byId = new Map(known.map((one) => [one.marketId, one]));
    const asked = from === null ? marketIds : marketIds.filter((id) => !byId.has(id));
    const traded = asked.length === 0 ? [] : await findTraded(statements, asked, at);
    for (const one of traded)
      if (one.key < (byId.get(one.marketId)?.key ?? one.key + 1n)) byId.set(one.marketId, one);
    return [...byId.values()];
  }
}

/** Finds markets by their first trades. */
function findTraded(statements: Statements, marketIds: readonly string[], at: Block): Promise<Found[]> {
  return readFound(
    statements,
    sql`SELECT first.* FROM unnest(${[...marketIds]}::text[]) AS asked (id) CROSS JOIN LATERAL (
        SELECT market_id AS "marketId", created_position AS key FROM trades
        WHERE market_id = asked.id AND created_position <= ${at.lastPosition} ORDER BY created_position LIMIT 1
      ) AS first`,
  );
}

function readFound(statements: Statements, found: Sql): Promise<Found[]> {
  return statements.rows<Found>(
    statementOf(
      sql`SELECT *, (SELECT timestamp FROM blocks WHERE height = key >> 20) AS begin FROM (${found}) AS found`,
      'nothing',
    ),
  );
}

async function readSummaries(
  statements: Statements,
  keys: readonly bigint[],
  { of, hasUpdates }: MarketQuestion,
  calendar: Calendar,
  at: Block,
): Promise<readonly TimedSummary[]> {
  if (of === 'TRADE_PRICE') return [];
  const { times, positions } = calendar;
  const place = placeOfValue(of);
  const source = {
    keys: 'unnest($1::bigint[])',
    after: '$3::bigint',
    upTo: '$4::bigint',
    time: '$5::bigint',
  };
  const text = summarise(
    `(${valuePieces({ units: unitsWithin(times), place, most: MOST_ROWS + 1 }, source)})
    UNION ALL SELECT key, position, values[1], values[1], values[1]
    FROM (${carriedOf(source.keys, [place], source.after)}) AS carried WHERE $5::bigint IS NOT NULL`,
    '$2::bigint[]',
  );
  const values = [keys, positions, positions[0], positions.at(-1), at.timestamp];
  const asked = hasUpdates ? withUpdates(text) : text;
  const rows = await readSince<TimedSummary>(statements, calendar, [marketData], asked, values);
  checkRows(rows);
  return rows;
}
