import type { Block } from '../generated/prisma/client.ts';
import { marketData } from '../nouns/market-data.ts';
import { trades } from '../nouns/trades.ts';
import type { Statements } from '../servers/statements.ts';
import type { Calendar } from './calendar.ts';
import { type MadeOf, readSince } from './requests.ts';
import { type Bucket, checkRows, fillBuckets, MOST_ROWS } from './summaries.ts';
import { tradePieces } from './trade-rollups.ts';
import { unitsWithin } from './units.ts';
import { type TimedSummary, withUpdates } from './updates.ts';

/** What candles are made of: they hold as long as the data of markets beside them. */
export const MADE_OF: MadeOf = [marketData, trades];

/** The trades of a market in a bucket in which there were some; of bucket 0 the last price alone. */
export interface Candle extends TimedSummary {
  readonly marketId: string;
  readonly first: string;
  readonly volume: string;
  readonly notional: string;
  readonly trades: number;
}

/** What was traded in a bucket. */
export interface Traded {
  /** In position decimals; and prices times sizes. */
  readonly volume: string;
  readonly notional: string;
  readonly trades: number;
}

/** Reads what was traded in markets in each bucket, and when last, where that is asked for. */
export async function readCandles(
  statements: Statements,
  marketIds: readonly string[],
  { hasUpdates }: { readonly hasUpdates: boolean },
  calendar: Calendar,
  at: Block,
): Promise<readonly Candle[]> {
  const { times, positions } = calendar;
  const range = { after: '$3::bigint', upTo: '$4::bigint', time: '$5::bigint' };
  const values = [marketIds, positions, positions[0], positions.at(-1), at.timestamp];
  const units = unitsWithin(times);
  const text = candlesOf(tradePieces(units, MOST_ROWS + 1, range));
  const candles = await readSince<Candle>(
    statements,
    calendar,
    MADE_OF,
    hasUpdates ? withUpdates(text) : text,
    units.length === 0 ? values.slice(0, 4) : values,
  );
  checkRows(candles);
  return candles;
}

/** What was traded by bucket, of pieces. */
function candlesOf(pieces: string): string {
  return `
    SELECT market_id AS "marketId", bucket, max(position) AS position, max(open) FILTER (WHERE is_first)::text AS first, max(high)::text AS high,
      min(low)::text AS low, max(close) FILTER (WHERE is_last)::text AS close,
      sum(volume)::text AS volume, sum(notional)::text AS notional, sum(trades)::int AS trades, count(*)::int AS rows
    FROM (
      SELECT *, lag(bucket) OVER walk IS DISTINCT FROM bucket AS is_first, lead(bucket) OVER walk IS DISTINCT FROM bucket AS is_last
      FROM (
        SELECT *, width_bucket(position - 1, $2::bigint[]) AS bucket FROM (${pieces}) AS pieces
      ) AS placed
      WINDOW walk AS (PARTITION BY market_id ORDER BY position)
    ) AS walked
    GROUP BY market_id, bucket`;
}

/** Has a row for each bucket, of trades: it opens with its first one, and has the price of the last one before where it has none. */
export function fillCandles(
  calendar: Calendar,
  candles: readonly Candle[],
  newestTime: bigint,
): readonly Bucket[] {
  const byBucket = new Map(candles.map((one) => [one.bucket, one]));
  return fillBuckets(calendar, candles, newestTime).map((bucket, index) => {
    const candle = byBucket.get(index + 1);
    if (candle === undefined) return bucket;
    const { first: open, high, low, close } = candle;
    return { ...bucket, open, high, low, close };
  });
}

const NOTHING: Traded = { volume: '0', notional: '0', trades: 0 };

/** Gives what was traded in the bucket at a place. */
export function tradedOf(candles: readonly Candle[]): (place: number) => Traded {
  const byBucket = new Map(candles.map((one) => [one.bucket - 1, one]));
  return (place) => {
    const candle = byBucket.get(place);
    return candle === undefined
      ? NOTHING
      : { volume: candle.volume, notional: candle.notional, trades: candle.trades };
  };
}
