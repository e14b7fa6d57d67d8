import { Backoff } from '../backoff.ts';
import type { Semaphore } from '../data/servers/semaphore.ts';
import { isUnavailable, tookTooLong } from '../data/servers/unavailable.ts';
import { Rejection, unavailable } from '../errors.ts';
import type { Bite } from './bite.ts';

/** How long a stream that reads from the database waits for it to come back. */
const DEADLINE_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/**
 * Reads from the database, and again while it is away or too much waits for it. Throws UNAVAILABLE when it has been away for too long, when
 * a statement has taken too long twice, and at once when the signal is aborted, whatever the database is doing by then.
 */
export async function readWithRetry<T>(
  { reads, signal }: { readonly reads: Semaphore; readonly signal: AbortSignal },
  read: () => Promise<T>,
): Promise<T> {
  let backoff: Backoff | undefined;
  for (let hasTimedOut = false; ; ) {
    const queuedAt = performance.now();
    const begin = () => {
      backoff?.postpone(performance.now() - queuedAt);
      return read();
    };
    try {
      return await unlessAborted(signal, () => reads.run(begin, signal));
    } catch (error) {
      if (!isUnavailable(error) && !isCrowded(error)) throw error;
      // Its time begins here, and stands still in a queue: who waits long for a place has not been without the database.
      backoff ??= new Backoff({
        firstMs: FIRST_RETRY_MS,
        limitMs: LAST_RETRY_MS,
        deadlineMs: DEADLINE_MS,
        signal,
      });
      // A lock or a checkpoint passes. What takes too long by itself would hold a connection each time.
      const isSlow = tookTooLong(error);
      if ((isSlow && hasTimedOut) || !(await backoff.wait())) throw unavailable(error);
      hasTimedOut ||= isSlow;
    }
  }
}

/** Reads with retries, as much at once as a bite says: where a statement takes too long, ever less. */
export async function readInBites<T>(
  bite: Bite,
  options: Parameters<typeof readWithRetry>[0],
  read: (size: number) => Promise<T>,
): Promise<T> {
  while (true) {
    try {
      return await readWithRetry(options, () => bite.take(read));
    } catch (error) {
      if (!tookTooLong(error) || bite.isLeast) throw error;
    }
  }
}

/** Whether so many others wait for the database that nothing was asked of it. */
function isCrowded(error: unknown): boolean {
  return error instanceof Rejection && error.code === 'UNAVAILABLE';
}

async function unlessAborted<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw unavailable();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(unavailable());
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([read(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
