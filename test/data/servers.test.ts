import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readNewestMigration } from '../../src/data/migrate.ts';
import type { Database } from '../../src/data/servers/client.ts';
import { Servers } from '../../src/data/servers/servers.ts';
import { Floor } from '../../src/data/servers/statements.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { HANG_MS } from '../support/limits.ts';
import { WRITES_BLOCKS, withClient } from '../support/state.ts';

/** What is asked with this in its address takes the database for a replica that has as many blocks as it is let have. */
const STANDBY = `
  CREATE SCHEMA standby;
  CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true';
  CREATE TABLE standby.most (height bigint);
  INSERT INTO standby.most VALUES (1);
  CREATE VIEW standby.blocks AS SELECT blocks.* FROM public.blocks, standby.most WHERE blocks.height <= most.height`;
const AS_STANDBY = '-c search_path=standby,pg_catalog,public';
/** Several come between two looks at a server. */
const BLOCK_EVERY_MS = 100;
/** How often each is looked at. */
const LOOKED_AT_MS = 1_000;

test('goes back to a replica that has caught up, while blocks come', async () => {
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    const floor = new Floor();
    const writing = new AbortController();
    let height = 20;
    await client.query(`${WRITES_BLOCKS}; ${STANDBY}; ${blockAt(height)}`);
    const servers = await startServers(database.url, floor);
    const statesOf = () => servers.describe().map(({ state }) => state);
    const write = async () => {
      while (!writing.signal.aborted) {
        height += 1;
        await client.query(blockAt(height));
        // As one that is answered from.
        floor.raise(BigInt(height));
        await sleep(BLOCK_EVERY_MS);
      }
    };
    let written = Promise.resolve();
    try {
      expect(statesOf()).toEqual(['used', 'lagging']);
      await sleep(LOOKED_AT_MS / 2);
      // The look at the standby has to wait, so that it is looked at when the primary is not from then on.
      await client.query('BEGIN; LOCK TABLE standby.most; UPDATE standby.most SET height = 1000000');
      await sleep((LOOKED_AT_MS * 4) / 5);
      await client.query('COMMIT');
      written = write();
      await expect.poll(statesOf, { timeout: HANG_MS }).toEqual(['spare', 'used']);
    } finally {
      writing.abort();
      await written;
      await servers.close();
    }
  });
});

test('reads no replica that has not replayed the last migration, and each that has', async () => {
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    await client.query(`${WRITES_BLOCKS}; ${STANDBY}; ${blockAt(1)}`);
    await client.query(`
      CREATE TABLE standby._prisma_migrations AS SELECT * FROM public._prisma_migrations
      WHERE migration_name < (SELECT max(migration_name) FROM public._prisma_migrations)`);
    const servers = await startServers(database.url, new Floor());
    const statesOf = () => servers.describe().map(({ state }) => state);
    try {
      expect(statesOf()).toEqual(['used', 'behind']);
      await client.query('DROP TABLE standby._prisma_migrations');
      await expect.poll(statesOf, { timeout: HANG_MS }).toEqual(['spare', 'used']);
    } finally {
      await servers.close();
    }
  });
});

/** Those of a database, and of what takes it for a replica. */
async function startServers(url: string, floor: Floor): Promise<Servers> {
  const standby = new URL(url);
  standby.searchParams.set('options', AS_STANDBY);
  return Servers.start({
    urls: [url, standby.href],
    maxLagBlocks: 10,
    migration: await readNewestMigration(),
    readsPrimary: true,
    floor,
    open: () => ({ cut() {}, async close() {} }) as unknown as Database,
    logger: pino({ level: 'silent' }),
  });
}

function blockAt(height: number): string {
  return `INSERT INTO public.blocks (height, hash, timestamp, last_position) VALUES (${height}, '', ${height}, ${height})`;
}
