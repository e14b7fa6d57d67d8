import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { archiveSome, forget } from '../../src/data/history/archive.ts';
import { PARTITIONS_HISTORIES } from '../../src/data/history/before-partitions.ts';
import { changeLogOf } from '../../src/data/history/change-logs.ts';
import { coverHeight } from '../../src/data/history/coverage.ts';
import { Histories } from '../../src/data/history/histories.ts';
import { HistoryKeeper } from '../../src/data/history/keeper.ts';
import { packedRow } from '../../src/data/history/packed.ts';
import { type Partition, readPartitions } from '../../src/data/history/partitions.ts';
import { createPasts } from '../../src/data/history/past-statements.ts';
import { ALL_OF_IT } from '../../src/data/history/retention.ts';
import { readVersions } from '../../src/data/history/versions.ts';
import { migrate } from '../../src/data/migrate.ts';
import type { AnyNoun, Noun, Positioned } from '../../src/data/noun.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { beginReading } from '../../src/data/upkeep/backup.ts';
import { UpkeepError } from '../../src/data/writing/write-faults.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { heightOf } from '../../src/domain/positions.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { marketEvents } from '../support/estimate-markets.ts';
import { sourceOf } from '../support/events.ts';
import { forgetUpTo } from '../support/histories.ts';
import { within } from '../support/message-queue.ts';
import { createPackedNetwork } from '../support/packed-network.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask, readState, type State, withClient } from '../support/state.ts';
import { copyMigrations } from './migrations-folder.ts';

const BY_NOUN = '20261125100000_past_by_noun';
const BLOCKS = 150;
const FORGOTTEN = 120n;
const SPAN = 64n;
const network = { seed: seed + 5, blocks: BLOCKS, parties: 30, markets: 5, release: '0.79' } as const;
/** So few changes are packed at once that there is a middle to be killed in. */
const AT_ONCE = 1500;
const NOUNS: readonly AnyNoun[] = Object.values(nouns);
const ALL_TABLES = NOUNS.map(({ table }) => table.name.text).join();
const LISTED = Object.values(nouns).filter(({ isListed }) => isListed) as unknown as readonly Noun<
  Positioned,
  object
>[];

let whole: SimulatedDatabase;

beforeAll(async () => {
  whole = await createSimulatedDatabase(network);
});

afterAll(async () => {
  await whole?.[Symbol.asyncDispose]();
});

test('the histories of all nouns end with what every row is now', async () => {
  const database = openDatabase({ url: whole.url, readOnly: true });
  try {
    const upTo = 2n ** 52n;
    for (const noun of LISTED) {
      const log = changeLogOf(noun);
      const rows = new Map<bigint, Positioned>();
      for (let after = 0n; after < upTo; ) {
        const range = { after, upTo, limit: 5000 };
        const page = await log.readChanges(database.statements, {}, range);
        for (const { row } of page.changes) rows.set(row.createdPosition, row);
        after = page.reached;
      }
      const [counted] = await ask<{ n: string }>(
        whole.url,
        `SELECT count(*) AS n FROM ${noun.table.name.text}`,
      );
      expect(rows.size, noun.name).toBe(Number(counted?.n));
      const state = await log.readState(
        database.statements,
        {},
        { asOf: upTo, afterRow: -1n, limit: 100_000 },
      );
      const byPosition = (a: Positioned, b: Positioned) => (a.createdPosition < b.createdPosition ? -1 : 1);
      expect([...rows.values()].sort(byPosition), noun.name).toEqual(state);
    }
  } finally {
    await database.close();
  }
});

test('an older database is migrated in place: nothing is lost, whoever is killed, and the past is what it was', async () => {
  await using old = await createOlder();
  expect((await migrate(old.url))[0]).toBe(PARTITIONS_HISTORIES);
  const { row_counts: counts = [], blocks: chained = [], ...kept } = await readState(whole.url);
  // The version before kept no trades, and gave no block a digest.
  const counted = counts.filter((count) => JSON.parse(count).noun !== 'trades');
  const blocks = chained.map((block) => block.replace(/"digest": "\w+"/, '"digest": null'));
  expect(await readState(old.url)).toEqual({ ...kept, row_counts: counted, blocks, trades: [] });
  const heights = [2, 64, 65, 120, 121, 149];
  const before = await readPast(whole.url, heights);
  await forgetUpTo(old.url, FORGOTTEN);
  await ask(old.url, 'UPDATE networks SET past_from = 0');
  let rounds = 0;
  for (let isMore = true; isMore; rounds += 1) {
    if (rounds < 2) await killInTheMiddle(old.url);
    isMore = await withClient(old.url, (client) => archiveSome(client, () => SPAN, AT_ONCE));
    if (rounds < 3) expect(await readPast(old.url, heights), `${rounds}`).toEqual(before);
  }
  expect(rounds).toBeGreaterThan(3);
  await endPartition(old.url);
  await withClient(old.url, async (client) => {
    while (await archiveSome(client, () => SPAN)) await forget(client, () => SPAN);
  });
  expect((await withClient(old.url, readPartitions)).map(({ name }) => name)).not.toContain('changes_before');
  expect(await readPast(old.url, heights)).toEqual(before);
  expect(await packedOtherThanRows(old.url)).toEqual([]);
});

test('what an older version packed of all nouns together is what it was, until each noun has forgotten it', async () => {
  await using packed = await createPackedNetwork(openSimulation(network));
  while (await packed.packSome(100, AT_ONCE));
  const { archived_rows, ...state } = await readState(packed.url);
  await using old = await createOlder(BY_NOUN, { ...state, archived_changes: archived_rows ?? [] });
  await migrate(old.url);
  const heights = [2, 64, 65, 100, 101, 130, 149];
  const before = await readPast(whole.url, heights);
  expect(await readPast(old.url, heights)).toEqual(before);
  expect(await readAllVersions(old.url)).toEqual(await readAllVersions(whole.url));
  const tidy = (sql: string) =>
    withClient(old.url, async (client) => {
      await client.query(sql);
      while (await archiveSome(client, () => SPAN));
      await forget(client, () => SPAN);
      return (await readPartitions(client)).map(({ name }) => name);
    });
  await tidy(`UPDATE networks SET history_from = ${149n << 20n}`);
  expect(await readPast(old.url, heights)).toEqual(before);
  const forgetting = (condition: string) => `
    UPDATE networks SET past_from_of = (SELECT jsonb_object_agg(noun, ${130n << 20n})
    FROM unnest('{${ALL_TABLES}}'::text[]) AS noun WHERE ${condition})`;
  const late = heights.slice(-2);
  const after = await readPast(whole.url, late);
  const others = await tidy(forgetting(`noun <> 'votes'`));
  expect(await readPast(old.url, late)).toEqual(after);
  expect(others).toEqual(expect.arrayContaining(['archived_changes_0', 'archived_rows_votes_before']));
  expect(others).not.toContain('archived_rows_market_data_before');
  const none = await tidy(forgetting('TRUE'));
  expect(await readPast(old.url, late)).toEqual(after);
  expect(none.filter((name) => /^(?!rewards|trades).*_before$|^archived_changes/.test(name))).toEqual([]);
});

test('a change that is packed takes a fraction of what it took', async () => {
  await using old = await createOlder();
  await migrate(old.url);
  await forgetUpTo(old.url, BigInt(BLOCKS));
  await ask(old.url, 'UPDATE networks SET past_from = 0');
  const before = await measure(old.url, ['changes_before', 'balance_changes_before'], 'count(*)');
  await endPartition(old.url);
  await withClient(old.url, async (client) => {
    while (await archiveSome(client, () => 2n ** 22n)) await forget(client, () => 2n ** 22n);
  });
  const packed = 'sum(coalesce(cardinality(positions), 1))';
  const after = await measure(old.url, ['archived_rows', 'archived_balances'], packed);
  expect(after.changes).toBe(before.changes);
  // Rows of markets that live for 150 blocks, and votes that never change again, share little; long histories take a tenth.
  expect(after.bytes).toBeLessThan(before.bytes / 2);
});

test('changes are packed while the archive is under maintenance, and its indexes know of them after the next time', async () => {
  await using packed = await createPackedNetwork(openSimulation(network));
  expect(await packed.packSome(100, 500)).toBe(true);
  const [leaf] = await ask<{ name: string }>(
    packed.url,
    'SELECT DISTINCT tableoid::regclass AS name FROM archived_balances',
  );
  const ofIndex = (call: string) =>
    ask<{ found: number }>(
      packed.url,
      `SELECT ${call} AS found FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid JOIN pg_am AS method ON method.oid = relam
       WHERE indrelid = '${leaf?.name}'::regclass AND amname = 'brin'`,
    );
  // Gives how many ranges there were left.
  const summarize = () => ofIndex('brin_summarize_new_values(indexrelid)');
  expect(await summarize()).toEqual([{ found: 0 }]);
  await ofIndex('brin_desummarize_range(indexrelid, 0)');
  await withClient(packed.url, async (other) => {
    // As VACUUM has it.
    await other.query(`BEGIN; LOCK TABLE ${leaf?.name} IN SHARE UPDATE EXCLUSIVE MODE`);
    expect(await within(packed.packSome(100, 500), 'packing')).toBe(true);
    await other.query('COMMIT');
  });
  await packed.packSome(100, 500);
  expect(await summarize()).toEqual([{ found: 0 }]);
});

test('a keeper that meets the one of a writer before does nothing until it is woken again', async () => {
  await using packed = await createPackedNetwork(openSimulation(network));
  await forgetUpTo(packed.url, FORGOTTEN);
  const told = { onFailure: vi.fn(), onForgotten: vi.fn() };
  const keeper = new HistoryKeeper(packed.url, ALL_OF_IT, told);
  const keep = async () => {
    keeper.wake();
    await keeper.settled();
    const [found] = await ask<{ to: string }>(packed.url, 'SELECT archived_to AS to FROM networks');
    return Number(found?.to);
  };
  for (const meet of ['RETURN NULL', 'RAISE unique_violation', 'RAISE undefined_table']) {
    await ask(
      packed.url,
      `CREATE OR REPLACE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${meet}; END';
       CREATE OR REPLACE TRIGGER met BEFORE UPDATE ON networks FOR EACH ROW EXECUTE FUNCTION meet()`,
    );
    expect(await keep(), meet).toBe(0);
  }
  await ask(packed.url, 'DROP FUNCTION meet CASCADE');
  expect(await keep()).toBeGreaterThan(0);
  expect(told.onFailure).not.toHaveBeenCalled();
  await keeper.close();
});

test('a keeper that fails is told as itself, and as no block that the database refuses', async () => {
  await using database = await createDisposableDatabase();
  await ask(
    database.url,
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE check_violation; END';
     CREATE TRIGGER fails BEFORE INSERT ON rollup_levels FOR EACH ROW EXECUTE FUNCTION fail()`,
  );
  await using writer = await Writer.open(database.url);
  const apply = (blocks: number) =>
    applySource(openSimulation({ ...network, blocks }), writer, {
      pace: 'max',
      signal: new AbortController().signal,
    });
  await apply(64);
  await writer.histories.settled();
  const failure = apply(66);
  await expect(failure).rejects.toBeInstanceOf(UpkeepError);
  await expect(failure).rejects.toThrow(/^the upkeep of what was before failed.*: check_violation$/);
});

test('a keeper waits for no backup that has not ended, and goes on once it has', async () => {
  await using packed = await createPackedNetwork(openSimulation(network));
  await forgetUpTo(packed.url, FORGOTTEN);
  const keeper = new HistoryKeeper(packed.url, ALL_OF_IT, { onFailure: vi.fn(), onForgotten: vi.fn() });
  const keep = async () => {
    keeper.wake();
    await within(keeper.settled(), 'the keeper');
    const partitions = await withClient(packed.url, readPartitions);
    return partitions.filter(({ table }) => table === 'changes').map(({ isDetached }) => isDetached);
  };
  await withClient(packed.url, async (client) => {
    await beginReading(client);
    const found = await keep();
    expect(found.filter(Boolean)).toHaveLength(1);
    // What is begun is not ended, either.
    expect(await keep()).toEqual(found);
    await client.query('COMMIT');
    expect((await keep()).length).toBeLessThan(found.length);
  });
  await keeper.close();
});

test('a minute of more blocks than are rolled up at once has room where the past is short', async () => {
  // With none of the longer partitions that others have made.
  await using database = await createDisposableDatabase();
  await using writer = await Writer.open(database.url, { historyBlocks: null, pastBlocks: 100 });
  const write = async (first: number, last: number, timestamp: bigint) => {
    const blocks = Array.from({ length: last - first + 1 }, (_, index) => [
      { type: 'beginBlock', height: first + index, timestamp, hash: '' } as const,
      ...marketEvents(
        'crowded',
        { assetDecimals: 5, marketDecimals: 5, positionDecimalPlaces: 0, markPrice: `${first + index}` },
        ['marketData'],
      ),
      { type: 'endBlock', height: first + index } as const,
    ]);
    await applySource(sourceOf(blocks.flat()), writer, { pace: 'max', signal: new AbortController().signal });
    await writer.histories.settled();
  };
  await write(1, 4_416, 60_000_000_000n);
  // The keeper is woken by each 64th.
  await write(4_417, 4_480, 120_000_000_000n);
  await write(4_481, 4_481, 120_000_000_000n);
  expect(
    await ask(database.url, 'SELECT position >> 20 AS height, high[1] AS mark FROM rollups WHERE unit = 60'),
  ).toEqual([{ height: '4416', mark: '4416' }]);
});

/** What a partition takes that holds nothing. */
const EMPTY_BYTES = 65_536;

/** How many changes tables hold, by what counts them, and their size on disk, indexes and all, beyond that of as many empty partitions. */
async function measure(url: string, tables: readonly string[], counting: string) {
  const [found] = await ask<{ changes: string; bytes: string }>(
    url,
    `SELECT ${tables.map((table) => `(SELECT ${counting} FROM ${table})`).join(' + ')} AS changes,
       (SELECT sum(greatest(pg_total_relation_size(relid) - ${EMPTY_BYTES}, 0)) FROM unnest('{${tables.join()}}'::regclass[]) AS root,
        LATERAL pg_partition_tree(root) WHERE isleaf) AS bytes`,
  );
  return { changes: Number(found?.changes), bytes: Number(found?.bytes) };
}

/** A database as the version before a migration left it, with the network in it. */
async function createOlder(before = PARTITIONS_HISTORIES, given?: State): Promise<TestDatabase> {
  const old = await createEmptyDatabase();
  await using folder = await copyMigrations(before);
  await migrate(old.url, { folder: folder.path });
  const state = given ?? (await readState(whole.url));
  const known = new Set(Object.keys(await readState(old.url)));
  await withClient(old.url, async (client) => {
    await client.query("SET periscope.migration = '9'");
    if (before === BY_NOUN)
      for (const height of [0n, SPAN, 2n * SPAN])
        await coverHeight(
          client,
          ['changes', 'balance_changes', 'archived_changes', 'archived_balances'],
          height,
          SPAN,
        );
    for (const [table, rows] of Object.entries(state).filter(([name]) => known.has(name)))
      await client.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, row)).* FROM unnest($1::jsonb[]) AS row`,
        [rows],
      );
    await client.query('ANALYZE');
  });
  return old;
}

/** Every version of every row, noun by noun, newest first. */
async function readAllVersions(url: string): Promise<unknown> {
  await using database = openDatabase({ url, readOnly: true });
  const range = { least: 0n, most: 2n ** 62n };
  const request = { limit: 100_000, cursor: null, backward: false, newestFirst: true };
  const found: Record<string, unknown> = {};
  for (const noun of NOUNS.filter(({ history }) => history !== 'added'))
    found[noun.name] = (
      await readVersions(database.statements, noun as never, { checks: [] }, range, request)
    ).rows;
  return found;
}

/** Every table as of the ends of blocks. */
async function readPast(url: string, heights: readonly number[]): Promise<unknown> {
  const database = openDatabase({ url, readOnly: true });
  try {
    const past: Record<string, unknown> = {};
    for (const height of heights) {
      const statements = createPasts(database.statements)((BigInt(height + 1) << 20n) - 1n);
      for (const { table } of NOUNS.filter(({ name }) => name !== 'trades')) {
        const text = `SELECT to_jsonb(t)::text AS row FROM ${table.name.text} AS t ORDER BY 1`;
        past[`${table.name.text} ${height}`] = await statements.rows({
          text,
          values: [],
          dependsOn: 'nothing',
        });
      }
    }
    return past;
  } finally {
    await database.close();
  }
}

/** Ends a session that has packed changes and has not committed it. */
async function killInTheMiddle(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN; UPDATE networks SET chain_id = chain_id');
    const packing = withClient(url, (other) => archiveSome(other, () => SPAN, AT_ONCE)).catch(
      (error: Error) => error.message,
    );
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await ask(url, waiting)).length).toBe(1);
    await ask(url, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
    expect(await packing).toContain('terminat');
    await client.query('ROLLBACK');
  });
}

/** Lets streams need nothing of what an older version kept. */
async function endPartition(url: string): Promise<void> {
  const partitions = await withClient(url, readPartitions);
  const { to } = partitions.find(({ name }) => name === 'changes_before') as Partition;
  await ask(url, `UPDATE networks SET history_from = ${to - 1n}`);
}

/** The rows of nouns whose last version in the archive is not what they are now, where they have not changed since. */
async function packedOtherThanRows(url: string): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  for (const { history, table } of NOUNS) {
    if (history !== 'rows') continue;
    wrong.push(
      ...(await ask(
        url,
        `SELECT now.* FROM ${table.name.text} AS now CROSS JOIN LATERAL (
           SELECT ${packedRow('now.updated_position')} AS row FROM archived_rows AS packed
           WHERE packed.row_position = now.created_position ORDER BY packed.position DESC LIMIT 1
         ) AS last
         WHERE now.updated_position <= ${FORGOTTEN << 20n} AND to_jsonb(now) <> last.row`,
      )),
    );
  }
  return wrong;
}

test('blocks wait for no partition that is not needed yet, and for one that is', async () => {
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    const histories = new Histories(database.url, client, { historyBlocks: 512, pastBlocks: null }, () => {});
    const attempts = vi.spyOn(client, 'query');
    const tried = () => {
      const count = attempts.mock.calls.filter(([text]) => String(text).startsWith('CREATE TABLE "changes_'));
      attempts.mockClear();
      return count.length;
    };
    // Partitions are of 64 blocks, and the second is there ahead.
    await histories.prepare([1n]);
    expect(tried()).toBe(2);
    await withClient(database.url, async (other) => {
      await other.query('BEGIN');
      // As ANALYZE has it.
      await other.query('LOCK TABLE changes IN SHARE UPDATE EXCLUSIVE MODE');
      await histories.prepare([70n, 71n, 72n]);
      expect(tried()).toBe(1);
      await histories.prepare([73n]);
      await histories.prepare([76n]);
      expect(tried()).toBe(1);
      // What is needed is waited for.
      const needed = histories.prepare([128n]);
      await expect.poll(tried).toBeGreaterThan(0);
      await expect.poll(tried).toBeGreaterThan(0);
      await other.query('COMMIT');
      await needed;
    });
    const ends = (await readPartitions(client))
      .filter(({ table }) => table === 'changes')
      .map(({ to }) => to);
    expect(ends.map(heightOf)).toEqual([64n, 128n, 192n, 256n]);
    await histories.close();
  });
});
