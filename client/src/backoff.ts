import type { Environment } from './environment.ts';

/** The most that is waited between two attempts, and how long the first waits at most. */
const MOST_MS = 5_000;
const FIRST_MS = 50;

/**
 * How long to wait before an attempt, in milliseconds: at random up to a bound that doubles, so that many clients of a gateway that
 * comes back do not come at once; never less than the gateway asked for.
 */
export function delayBefore(attempt: number, told: number, random: number): number {
  const bound = Math.min(MOST_MS, FIRST_MS * 2 ** attempt);
  return told + random * bound;
}

/** Waits for so long, or until the signal is aborted. */
export function pause({ after }: Environment, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stop = after(milliseconds, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
