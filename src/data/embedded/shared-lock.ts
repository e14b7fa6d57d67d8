import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Backoff } from '../../backoff.ts';
import { createConnection } from '../servers/connect.ts';

/** The pair of numbers that is the advisory lock, in the database `postgres`, where nothing else takes locks. */
const LOCK = '1885696883, 1';
const QUERY_LIMIT_MS = 30_000;
/** Between attempts to take the lock again, which get rarer: at first for a server that was just started, then for one that does not come up. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;
/** How long a server that runs may leave the question unanswered whether anybody uses it; and in a hurry. */
const ANSWER_LIMIT_MS = 10_000;
const HURRIED_ANSWER_MS = 3_000;
/** Others have them. */
const TOO_MANY_CONNECTIONS = '53300';

/**
 * What holds a running server for one process: a connection with a shared advisory lock, which PostgreSQL
 * lets go when the process dies in whatever way. Who gets the lock exclusively is the last one.
 */
export type SharedLock = {
  /** Gives the lock back. When nobody else has it, stops the server first, and nobody can take the lock meanwhile. */
  release(how: Omit<Release, 'url'>): Promise<void>;
};

/** What is left to do for a server that nobody may need any more. */
export type Release = {
  /** The address of its database `postgres`. */
  readonly url: string;
  /** Whether it is there still; another one in its place does not count. */
  readonly isRunning: () => boolean;
  /** Stops it. */
  readonly last: () => Promise<void>;
  /** Once it is aborted, a server that does not answer soon is taken for one that nobody uses. */
  readonly hurry: AbortSignal | undefined;
};

/**
 * Takes the lock of the server at `url` (its database `postgres`), and of whatever server comes after it: `revive`
 * starts one where none runs. Throws the driver's error when the lock cannot be had yet.
 */
export async function takeSharedLock(url: string, revive: () => Promise<unknown>): Promise<SharedLock> {
  const released = new AbortController();
  const { signal } = released;
  let client: Promise<pg.Client | undefined> = Promise.resolve(await connect(url, lost));

  function lost(): void {
    if (!signal.aborted) client = takeAgain();
  }

  /** A server that crashed and recovered has forgotten us; one that was killed is started again. */
  async function takeAgain(): Promise<pg.Client | undefined> {
    const backoff = new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: LAST_RETRY_MS, ref: false, signal });
    while (await backoff.wait()) {
      const again = await connect(url, lost).catch(() => undefined);
      if (again) return again;
      if (!signal.aborted) await revive().catch(() => undefined);
    }
    return undefined;
  }

  return {
    async release(how) {
      released.abort();
      await stopUnlessUsed({ ...how, url }, client);
    },
  };
}

/**
 * Stops a server whose lock nobody has, be it that it does not answer: it recovers from a crash, or cannot, and
 * whoever needs it starts it again.
 */
export async function stopUnlessUsed(
  how: Release,
  holder: Promise<pg.Client | undefined> = Promise.resolve(undefined),
): Promise<void> {
  const answered = new AbortController();
  const asking = holder
    .then((client) => askAndStop(how, client))
    .finally(() => {
      answered.abort();
    });
  await Promise.race([asking, untilTooLate(how.hurry, answered.signal)]);
  if (answered.signal.aborted) await asking;
  else await how.last();
}

/** Resolves soon after `hurry` is aborted, or when there is an answer. */
async function untilTooLate(hurry: AbortSignal | undefined, signal: AbortSignal): Promise<void> {
  const ignore = () => undefined;
  if (!hurry?.aborted) await once(hurry ?? signal, 'abort', { signal }).catch(ignore);
  await sleep(HURRIED_ANSWER_MS, undefined, { signal }).catch(ignore);
}

async function askAndStop({ url, isRunning, last }: Release, holder: pg.Client | undefined): Promise<void> {
  let client = holder;
  let isFull = false;
  const checkFull = (error: pg.DatabaseError) => {
    isFull = error.code === TOO_MANY_CONNECTIONS;
    return undefined;
  };
  try {
    for (const deadline = performance.now() + ANSWER_LIMIT_MS; isRunning(); await sleep(FIRST_RETRY_MS)) {
      client ??= await connect(url, () => {}).catch(checkFull);
      const verdict = client && (await isLast(client).catch(() => undefined));
      if (isFull || verdict === false) return;
      if (verdict || performance.now() > deadline) return await last();
      void client?.end().catch(() => undefined);
      client = undefined;
    }
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Gives the shared lock back before it asks for the exclusive one: of two that end at once, one gets it. */
async function isLast(client: pg.Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS mine`);
  return rows[0].mine;
}

async function connect(url: string, lost: () => void): Promise<pg.Client> {
  const client = createConnection(url, { purpose: 'member', query_timeout: QUERY_LIMIT_MS });
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
