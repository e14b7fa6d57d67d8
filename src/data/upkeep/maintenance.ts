import type pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';

const LOCK_LIMIT_MS = 60_000;
/** The lock that Prisma takes to migrate, so that its commands and ours wait for each other. */
const PRISMA_LOCK = 72707369;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Lends a connection of its own, for what is done to a database rather than with it. It is cut once the signal is aborted, of which the reason
 * is thrown then.
 */
export async function withMaintenanceClient<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const client = createConnection(url, { purpose: 'migrate', lock_timeout: LOCK_LIMIT_MS });
  const cut = () => destroy(client);
  signal?.addEventListener('abort', cut);
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end();
  }
}

/** Lets one process at a time change what the database is made of; held until the connection ends. */
export async function takeMaintenanceLock(client: pg.Client): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
  } catch (cause) {
    if ((cause as pg.DatabaseError).code !== LOCK_NOT_AVAILABLE) throw cause;
    const seconds = LOCK_LIMIT_MS / 1000;
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `Another process has been migrating this database for ${seconds} seconds.`,
    );
  }
}
