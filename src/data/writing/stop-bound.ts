import type pg from 'pg';
import { destroy } from '../servers/presence.ts';

/**
 * So long what is under way may take once a stop is asked for: with a server that is silent it would not end before its own limit,
 * which whoever stops processes does not wait for. Nothing is lost: what is not in the database by then is taken in again.
 */
const STOP_LIMIT_MS = 5_000;

/** Closes a connection that is still used so long after the signal is aborted, until this is disposed of. */
export function boundStop(client: pg.Client, signal: AbortSignal | undefined): Disposable {
  let late: NodeJS.Timeout | undefined;
  const onStop = () => {
    late = setTimeout(() => destroy(client), STOP_LIMIT_MS).unref();
  };
  if (signal?.aborted) onStop();
  else signal?.addEventListener('abort', onStop, { once: true });
  return {
    [Symbol.dispose]() {
      signal?.removeEventListener('abort', onStop);
      clearTimeout(late);
    },
  };
}
