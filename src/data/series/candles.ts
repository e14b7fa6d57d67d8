import type { Statements } from '../servers/statements.ts';
import type { Calendar } from './calendar.ts';
import { readSince } from './requests.ts';
import { type Bucket, checkRows, fillBuckets, MOST_ROWS, type Summary } from './summaries.ts';

/** The trades of a market in a bucket in which there were some; of bucket 0 the last price alone. */
export interface Candle extends Summary {
  readonly marketId: string;
  readonly first: string;
  readonly volume: string;
  readonly notional: string;
}

/** What was traded in a bucket. */
export interface Traded {
  /** In position decimals; and prices times sizes. */
  readonly volume: string;
  readonly notional: string;
  readonly trades: number;
}

/** Reads what was traded in markets in each bucket. */
export async function readCandles(
  statements: Statements,
  marketIds: readonly string[],
  calendar: Calendar,
): Promise<readonly Candle[]> {
  const { positions } = calendar;
  const values = [marketIds, positions, positions[0], positions.at(-1)];
  const candles = await readSince<Candle>(statements, calendar, CANDLES, values);
  checkRows(candles);
  return candles;
}

const CANDLES = `
  SELECT market_id AS "marketId", bucket, max(price) FILTER (WHERE is_first)::text AS first, max(price)::text AS high,
    min(price)::text AS low, max(price) FILTER (WHERE is_last)::text AS close,
    sum(size)::text AS volume, sum(size * price)::text AS notional, count(*)::int AS rows
  FROM (
    SELECT *, lag(bucket) OVER walk IS DISTINCT FROM bucket AS is_first, lead(bucket) OVER walk IS DISTINCT FROM bucket AS is_last
    FROM (
      SELECT market_id, created_position, price::numeric, size::numeric,
        width_bucket(created_position - 1, $2::bigint[]) AS bucket
      FROM (
        (SELECT * FROM trades
        WHERE market_id = ANY ($1::text[]) AND created_position > $3::bigint AND created_position <= $4::bigint
        LIMIT ${MOST_ROWS + 1})
        UNION ALL
        SELECT before.* FROM unnest($1::text[]) AS markets (id) CROSS JOIN LATERAL (
          SELECT * FROM trades WHERE market_id = markets.id AND created_position <= $3::bigint
          ORDER BY created_position DESC LIMIT 1
        ) AS before
      ) AS found
    ) AS placed
    WINDOW walk AS (PARTITION BY market_id ORDER BY created_position)
  ) AS walked
  GROUP BY market_id, bucket`;

/** As `fillBuckets`, of trades: a bucket opens with its first one, and has the price of the last one before where it has none. */
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
      : { volume: candle.volume, notional: candle.notional, trades: candle.rows };
  };
}
