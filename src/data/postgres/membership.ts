import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The pair of numbers that is the advisory lock, in the database `postgres`, where nothing else takes locks. */
const LOCK = '1885696883, 1';
const QUERY_LIMIT_MS = 30_000;
const CONNECT_LIMIT_MS = 10_000;
/** Between attempts to join again, which get rarer: at first for a server that was just started, then for one that does not come up. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

/**
 * One process's stake in a running server: a connection that holds a shared advisory lock, which PostgreSQL
 * lets go when the process dies in whatever way. Who gets the lock exclusively is the last one.
 */
export type Membership = {
  /** Ends the stake. When nobody else has one, runs `last` first, and nobody can join while it runs. */
  leave(last: () => Promise<void>): Promise<void>;
};

/**
 * Joins the server at `url` (its database `postgres`), and whatever server comes after it: `revive` starts one where
 * none runs. Throws the driver's error when it cannot join yet.
 */
export async function join(url: string, revive: () => Promise<unknown>): Promise<Membership> {
  const leaving = new AbortController();
  const { signal } = leaving;
  let client: Promise<pg.Client | undefined> = Promise.resolve(await connect(url, lost));

  function lost(): void {
    if (!signal.aborted) client = rejoin();
  }

  /** A server that crashed and recovered has forgotten us; one that was killed is started again. */
  async function rejoin(): Promise<pg.Client | undefined> {
    for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(2 * wait, LAST_RETRY_MS)) {
      await sleep(wait, undefined, { ref: false, signal }).catch(() => undefined);
      const again = signal.aborted ? undefined : await connect(url, lost).catch(() => undefined);
      if (again) return again;
      if (!signal.aborted) await revive().catch(() => undefined);
    }
    return undefined;
  }

  return {
    async leave(last) {
      leaving.abort();
      // Without a connection, the server is asked once more; one that does not answer has nothing to end.
      const connection = (await client) ?? (await connect(url, lost).catch(() => undefined));
      if (!connection) return;
      try {
        if (await isLast(connection)) await last();
      } finally {
        await connection.end().catch(() => undefined);
      }
    },
  };
}

/** Gives the shared lock back before it asks for the exclusive one: of two that leave at once, one gets it. */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS mine`);
    return rows[0].mine;
  } catch {
    return false; // The server is already going down.
  }
}

async function connect(url: string, lost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'periscope member',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
    keepAlive: true,
  });
  client.on('error', () => {}); // Always followed by 'end'.
  try {
    await client.connect();
    await client.query(`SELECT pg_advisory_lock_shared(${LOCK})`);
    client.on('end', lost);
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}
