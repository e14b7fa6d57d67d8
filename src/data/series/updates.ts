import type { Summary } from './summaries.ts';

/** When a bucket was changed last. */
export interface Updated {
  /** The time of the block of the last change in it, or before it where it has none, in nanoseconds; null where there was none. */
  readonly lastUpdate: bigint | null;
}

/** A summary with the time of the block of its last change, where that is asked for. */
export interface TimedSummary extends Summary {
  readonly updated?: bigint;
}

/** Adds to summaries with the `position` of their last change, as SQL, the time of its block: `updated`. */
export function withUpdates(summaries: string): string {
  return `
    SELECT *, (SELECT timestamp FROM blocks WHERE height = position >> 20) AS updated FROM (${summaries}) AS summaries`;
}

/** Gives when the bucket at a place was changed last, for places in their order. */
export function updatesOf(summaries: readonly TimedSummary[]): (place: number) => bigint | null {
  const byBucket = new Map(summaries.map(({ bucket, updated }) => [bucket, updated ?? null]));
  let last = byBucket.get(0) ?? null;
  return (place) => {
    last = byBucket.get(place + 1) ?? last;
    return last;
  };
}
