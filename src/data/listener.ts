import type pg from 'pg';
import { Backoff } from '../backoff.ts';
import { createConnection } from './connect.ts';
import { BLOCK_CHANNEL } from './writer.ts';

const ANSWER_LIMIT_MS = 10_000;
const END_LIMIT_MS = 1_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
/** How long a connection whose other end is silent may seem alive: the kernel asks it from then on. */
const KEEP_ALIVE_MS = 10_000;

/** Whoever starts it closes it. */
export interface BlockListener {
  close(): Promise<void>;
}

/**
 * Calls `onWake` whenever there may be a new block: when the writer says so, and when the connection is back after it
 * was lost, for what was said meanwhile. Reconnects for as long as it is open, ever less often up to every 5 s.
 */
export function listenForBlocks(
  url: string,
  onWake: () => void,
  onLost: (error: Error) => void,
): BlockListener {
  const closing = new AbortController();
  const { signal } = closing;

  async function listen(): Promise<void> {
    // Many gateways lose a database at once; they need not all come back at once.
    const backoff = new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: LAST_RETRY_MS, jitter: true, signal });
    while (!signal.aborted) {
      const connection = createConnection(url, {
        purpose: 'listener',
        query_timeout: ANSWER_LIMIT_MS,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      });
      const cut = () => connection.connection.stream.destroy();
      signal.addEventListener('abort', cut);
      try {
        const lost = lossOf(connection);
        connection.on('notification', onWake);
        await connection.connect();
        await connection.query(`LISTEN ${BLOCK_CHANNEL}`);
        backoff.reset();
        onWake();
        throw await lost;
      } catch (error) {
        if (signal.aborted) return;
        onLost(error instanceof Error ? error : new Error(String(error)));
      } finally {
        signal.removeEventListener('abort', cut);
        await end(connection);
      }
      await backoff.wait();
    }
  }

  const done = listen();
  return {
    close() {
      closing.abort();
      return done;
    },
  };
}

/** Resolves with what ended a connection. */
function lossOf(connection: pg.Client): Promise<Error> {
  return new Promise((resolve) => {
    connection.on('error', resolve);
    connection.on('end', () => resolve(new Error('the connection ended')));
  });
}

/** Says goodbye, and hangs up where that is not answered. */
async function end(connection: pg.Client): Promise<void> {
  const hangUp = setTimeout(() => connection.connection.stream.destroy(), END_LIMIT_MS);
  await connection.end().catch(() => undefined);
  clearTimeout(hangUp);
}
