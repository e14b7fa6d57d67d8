import { setTimeout as sleep } from 'node:timers/promises';
import { findHistoryStart } from '../data/blocks.ts';
import type { PrismaClient } from '../data/generated/prisma/client.ts';
import { isUnavailable, unavailable } from '../data/unavailable.ts';
import { GatewayError } from '../errors.ts';
import type { Turns } from './turns.ts';

/** How long a stream that reads from the database waits for it to come back. */
const PATIENCE_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/**
 * Asks the database in its turn, and again while it is away. Throws UNAVAILABLE when it has been away for too long, and at once
 * when the signal is aborted, whatever the database is doing by then.
 */
export async function askPatiently<T>(
  { turns, signal }: { readonly turns: Turns; readonly signal: AbortSignal },
  ask: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let retry = FIRST_RETRY_MS; ; retry = Math.min(retry * 2, LAST_RETRY_MS)) {
    try {
      return await unlessAborted(signal, () => turns.take(ask));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (signal.aborted || performance.now() > deadline) throw unavailable(error);
      await sleep(retry, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** To be called after the reading that it vouches for: history is trimmed while it is read. */
export async function checkHistory(
  prisma: PrismaClient,
  { isTrimmed }: { readonly isTrimmed: boolean },
  position: bigint,
): Promise<void> {
  if (isTrimmed && (await findHistoryStart(prisma)) > position) throw forgotten();
}

export function forgotten(): GatewayError {
  return new GatewayError(
    'OUT_OF_RANGE',
    'The history of changes no longer reaches back to where this stream stands. Begin again without a cursor, with a new snapshot.',
  );
}

async function unlessAborted<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw unavailable();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(unavailable());
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([ask(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
