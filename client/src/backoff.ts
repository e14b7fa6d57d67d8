/** The most that is waited between two attempts, and how long the first waits at most. */
const MOST_MS = 5_000;
const FIRST_MS = 50;

/**
 * How long to wait before an attempt, in milliseconds: at random up to a bound that doubles, so that many clients of a gateway that
 * comes back do not come at once; never less than the gateway asked for.
 */
export function delayBefore(attempt: number, told: number, random: number): number {
  const bound = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempt, 20));
  return told + random * bound;
}
