/** The upper ends of the buckets, in milliseconds; what takes longer is counted in the last, which has no end. */
export const BUCKET_ENDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

/**
 * How long things took, in the buckets of a histogram. Plain numbers, which are read when metrics are asked for: to add
 * one costs tens of nanoseconds, where prom-client's own histogram takes microseconds.
 */
export class Durations {
  /** How many fell into each bucket. */
  readonly counts: number[] = new Array(BUCKET_ENDS_MS.length + 1).fill(0);
  sumMs = 0;

  add(ms: number): void {
    let bucket = 0;
    while (bucket < BUCKET_ENDS_MS.length && ms > (BUCKET_ENDS_MS[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sumMs += ms;
  }
}
