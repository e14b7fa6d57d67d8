import { Decimal } from '../../domain/decimals.ts';
import { GatewayError } from '../../errors.ts';
import type { Calendar } from './calendar.ts';

/** What happened to a value in a bucket in which it changed, as the database tells it. Bucket 0 is all before the first. */
export interface Summary {
  readonly key: bigint;
  readonly bucket: number;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  /** How many rows were read for it. */
  readonly rows: number;
}

/** A bucket of a series; its values are canonical decimals, null while nothing held. */
export interface Bucket {
  /** In nanoseconds: the first included, the last not. */
  readonly start: bigint;
  readonly end: bigint;
  /** What held at the start, at least, at most, and at the end. */
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  /** Whether no later block can change it. */
  readonly isComplete: boolean;
}

/**
 * Sums up pieces by bucket, as SQL. A piece is a change or several changes in a row: `key`, `position` of the last of them, what
 * the value was at most, at least and at last. `bounds` are the positions before which each bucket begins, and the last ends.
 * Of pieces of one height the last counts: blocks are whole. `rows` says how many rows were read for the pieces of a bucket.
 * The summaries have the `position` of their last change besides.
 */
export function summarise(pieces: string, bounds: string, rows = 'count(*)'): string {
  return `
    SELECT key, bucket, max(position) AS position, trim_scale(max(high) FILTER (WHERE is_whole))::text AS high,
      trim_scale(min(low) FILTER (WHERE is_whole))::text AS low,
      trim_scale(max(close) FILTER (WHERE next IS NULL OR width_bucket(next - 1, ${bounds}) <> bucket))::text AS close,
      ${rows}::int AS rows
    FROM (
      SELECT *, coalesce(next >> 20 <> position >> 20, TRUE) AS is_whole FROM (
        SELECT *, width_bucket(position - 1, ${bounds}) AS bucket,
          lead(position) OVER (PARTITION BY key ORDER BY position) AS next
        FROM (${pieces}) AS pieces
      ) AS placed
    ) AS pieces
    GROUP BY key, bucket`;
}

/** Has a row for each bucket, with what was before carried into it. */
export function fillBuckets(
  { times }: Calendar,
  summaries: readonly Summary[],
  newestTime: bigint,
): readonly Bucket[] {
  const byBucket = new Map(summaries.map((one) => [one.bucket, one]));
  let open = byBucket.get(0)?.close ?? null;
  return times.slice(1).map((end, index) => {
    const found = byBucket.get(index + 1);
    const close = found === undefined ? open : found.close;
    // Copied together from others each would take twenty times as long, and there are thousands.
    const bucket = {
      start: times[index] ?? 0n,
      end,
      open,
      close,
      high: extreme(open, found?.high ?? null, 1),
      low: extreme(open, found?.low ?? null, -1),
      // Times never fall.
      isComplete: end <= newestTime,
    };
    open = close;
    return bucket;
  });
}

/** The greater of two numbers, or the smaller one; of one alone that. */
function extreme(one: string | null, other: string | null, sign: 1 | -1): string | null {
  if (one === null || other === null || one === other) return one ?? other;
  return Decimal.ofResult(one).compare(Decimal.ofResult(other)) === sign ? one : other;
}

/** How many changes a statement reads one by one for series. */
export const MOST_ROWS = 100_000;

/** Throws INVALID_ARGUMENT where more would have to be read than is read. */
export function checkRows(summaries: readonly Summary[]): void {
  if (summaries.reduce((sum, { rows }) => sum + rows, 0) > MOST_ROWS)
    throw tooManyChanges('wider buckets (every), or less at a time');
}

export function tooManyChanges(instead: string): GatewayError {
  return new GatewayError(
    'INVALID_ARGUMENT',
    `The series is made of more than ${MOST_ROWS} changes: ask for a shorter range (from, to), ${instead}.`,
  );
}
