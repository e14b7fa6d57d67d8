import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PARTITIONS_ROWS } from '../../src/data/history/before-partitions.ts';
import { coverHeight } from '../../src/data/history/coverage.ts';
import { readPartitions } from '../../src/data/history/partitions.ts';
import { migrate } from '../../src/data/migrate.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { heightOf } from '../../src/domain/positions.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask, readState, withClient } from '../support/state.ts';
import { copyMigrations } from './migrations-folder.ts';

const BLOCKS = 120;
const NETWORK = { seed: seed + 21, parties: 20, markets: 3, release: '0.79' } as const;

/** A database as the version before left it, with the network in it. */
async function createOlder(): Promise<TestDatabase> {
  await using whole = await createSimulatedDatabase({ ...NETWORK, blocks: BLOCKS });
  const old = await createEmptyDatabase();
  await using folder = await copyMigrations(PARTITIONS_ROWS);
  await migrate(old.url, { folder: folder.path });
  const state = await readState(whole.url);
  await withClient(old.url, async (client) => {
    await client.query("SET periscope.migration = '9'");
    for (const [table, rows] of Object.entries(state))
      if (!HISTORIES.includes(table))
        await client.query(
          `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, row)).* FROM unnest($1::jsonb[]) AS row`,
          [rows],
        );
  });
  return old;
}

/** The migrations that came after. */
const LATER = readdirSync('prisma/migrations')
  .filter((name) => /^\d/.test(name) && name > PARTITIONS_ROWS)
  .sort();

/** They have had partitions before. */
const HISTORIES = ['changes', 'balance_changes', 'archived_rows', 'archived_changes', 'archived_balances'];

test('rewards and trades of an older version become the first partitions as they stand, whoever is killed', async () => {
  await using old = await createOlder();
  const before = await readState(old.url);
  const files = await readFiles(old.url);
  await ask(old.url, 'CREATE ROLE older_reader; GRANT SELECT ON rewards TO older_reader');
  // Somebody reads a table all the time that is to be prepared, and then one that is to be changed.
  await killWhileHeld(old.url, 'trades');
  await killWhileHeld(old.url, 'networks');
  expect((await readState(old.url))['rewards']).toEqual(before['rewards']);
  await using folder = await copyMigrations(LATER[0]);
  expect(await migrate(old.url, { folder: folder.path })).toEqual([PARTITIONS_ROWS]);
  // No row was copied, and no index made anew.
  expect(await readFiles(old.url)).toEqual(files);
  expect(await migrate(old.url)).toEqual(LATER);
  const after = await readState(old.url);
  expect(after['rewards']).toEqual(before['rewards']);
  expect(after['trades']).toEqual(before['trades']);
  expect(after['row_counts']).toEqual(before['row_counts']);
  expect(await ask(old.url, `SELECT conname FROM pg_constraint WHERE conname = 'before_partitions'`)).toEqual(
    [],
  );
  expect(
    await ask(old.url, `SELECT has_table_privilege('older_reader', 'rewards', 'SELECT') AS may`),
  ).toEqual([{ may: true }]);
  await ask(old.url, 'DROP OWNED BY older_reader; DROP ROLE older_reader');
  expect(await ask(old.url, 'SELECT count(*) AS n FROM api_v1_rewards')).toEqual([
    { n: `${before['rewards']?.length}` },
  ]);
});

test('a migration that fails leaves no bound that the older version comes to', async () => {
  await using old = await createOlder();
  await using folder = await copyMigrations(LATER[0]);
  await folder.add(
    PARTITIONS_ROWS,
    'SELECT 1 / (SELECT count(*) - 2 FROM pg_constraint WHERE conname = $$before_partitions$$)',
  );
  await expect(migrate(old.url, { folder: folder.path })).rejects.toThrow(
    'failed and changed nothing: division by zero',
  );
  expect(await ask(old.url, `SELECT conname FROM pg_constraint WHERE conname = 'before_partitions'`)).toEqual(
    [],
  );
  expect((await migrate(old.url))[0]).toBe(PARTITIONS_ROWS);
});

test('the writer goes on in the first partition, and makes the next ones ahead', async () => {
  await using old = await createOlder();
  await migrate(old.url);
  const writer = await Writer.open(old.url);
  const source = openSimulation({ ...NETWORK, blocks: BLOCKS + 60 });
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  await writer.close();
  await using whole = await createSimulatedDatabase({ ...NETWORK, blocks: BLOCKS + 60 });
  const [found, wanted] = [await readState(old.url), await readState(whole.url)];
  for (const table of ['rewards', 'trades', 'reward_sums', 'row_counts', 'blocks'])
    expect(found[table], table).toEqual(wanted[table]);
  const partitions = await withClient(old.url, async (client) => {
    const [before] = (await readPartitions(client)).filter(({ table }) => table === 'rewards');
    await coverHeight(client, ['rewards'], heightOf(before?.to ?? 0n) - 1n, 64n, 1n);
    return (await readPartitions(client)).filter(({ table }) => table === 'rewards');
  });
  expect(partitions[0]?.name).toBe('rewards_before');
  expect(partitions[1]?.from).toBe(partitions[0]?.to);
});

test('a new database has the indexes of an older one', async () => {
  await using old = await createOlder();
  await migrate(old.url);
  await using fresh = await createDisposableDatabase();
  const indexes = `SELECT indexdef FROM pg_indexes WHERE tablename IN ('rewards', 'trades') ORDER BY 1`;
  expect(await ask(old.url, indexes)).toEqual(await ask(fresh.url, indexes));
});

/** The files in which rows and indexes lie. */
function readFiles(url: string) {
  return ask(
    url,
    `SELECT relfilenode FROM pg_class WHERE relkind IN ('r', 'i') AND relname ~ '^(rewards|trades)(_|$)' AND relfilenode <> 0
     ORDER BY relfilenode`,
  );
}

/** Ends a migration that waits for the lock of a table. */
async function killWhileHeld(url: string, table: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${table} LIMIT 1`);
    const migrating = migrate(url).catch((error: Error) => error.message);
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await ask(url, waiting)).length, { interval: 5 }).toBe(1);
    await ask(url, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
    for (let ended = false; !ended; await sleep(20)) {
      await ask(url, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
      ended = (await Promise.race([migrating, sleep(50, null)])) !== null;
    }
    expect(await migrating).toMatch(/terminat/);
    await client.query('ROLLBACK');
  });
}
