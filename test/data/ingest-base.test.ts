import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareAt } from '../../src/data/digests/comparison.ts';
import { sideOf } from '../../src/data/digests/database-side.ts';
import { ALL_OF_IT } from '../../src/data/history/retention.ts';
import { migrate } from '../../src/data/migrate.ts';
import { readLines } from '../../src/data/parts/copied-text.ts';
import { ingestBase } from '../../src/data/parts/ingest-base.ts';
import { readLinesAside } from '../../src/data/parts/lines-aside.ts';
import { addedOf, largeTables, pastOf } from '../../src/data/parts/load-plan.ts';
import { openSource, type PartSource } from '../../src/data/parts/part-source.ts';
import { watchBase } from '../../src/data/parts/progress-table.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { readStatus } from '../../src/data/upkeep/status.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { WRITER_LOCK } from '../../src/data/writing/writer-lock.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { getJson, startTestGateway } from '../support/gateway.ts';
import {
  exportToFolder,
  type Folder,
  readManifestOf,
  serveFolder,
  serveFolderHolding,
} from '../support/part-folders.ts';
import { readListening, runProgram, startProgram } from '../support/program.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask, onCopyInto, readHeight, readState, WRITES_BLOCKS, withClient } from '../support/state.ts';

const BLOCKS = 120;
const NETWORK = { seed: 11, blocks: BLOCKS, parties: 25, markets: 3, release: '0.79' } as const;
const { signal: NEVER } = new AbortController();
const SESSIONS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope base'`;

describe('a database that a base was taken into', () => {
  let network: SimulatedDatabase;
  let folder: Folder;

  beforeAll(async () => {
    network = await createSimulatedDatabase(NETWORK);
    folder = await exportToFolder(network.url);
  });

  afterAll(async () => {
    await network[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('holds what one does that took in all blocks, and both go on equally', async () => {
    await using full = await createSimulatedDatabase(NETWORK);
    await using database = await createDisposableDatabase();
    const indexes = await readIndexes(database.url);
    // Among them some that are dropped meanwhile.
    const manifest = await readManifestOf(folder);
    expect(largeTables(addedOf(manifest))).toContain('rewards_to_come');
    expect(largeTables(pastOf(manifest)).toSorted()).toEqual(['balance_changes', 'changes']);
    const presents: number[] = [];
    await using source = await openSource(folder.path, NEVER);
    const onPresent = () => presents.push(1);
    const summary = await ingestBase(database.url, source, { signal: NEVER, onPresent });
    expect(summary).toMatchObject({
      chain: 'simulated-0.79-11-25p-3m',
      height: BigInt(BLOCKS),
      isResumed: false,
    });
    expect(presents).toEqual([1]);
    expect(await readState(database.url)).toEqual(await readState(full.url));
    expect(await readIndexes(database.url)).toEqual(indexes);
    expect(await readPartitionKeys(database.url)).toEqual(await readPartitionKeys(full.url));
    await expectEqual(full.url, database.url, [1n, 61n, BigInt(BLOCKS)]);

    await full.advanceTo(BLOCKS + 50);
    await advance(database.url, BLOCKS + 50);
    expect(await readState(database.url)).toEqual(await readState(full.url));
    await expectEqual(full.url, database.url, [1n, BigInt(BLOCKS), BigInt(BLOCKS + 50)]);
    const urls = { DATABASE_URL: database.url };
    expect(await runProgram(['verify', full.url, database.url], urls)).toMatchObject({ code: 0 });
    expect(await runProgram(['verify'], urls)).toMatchObject({ code: 0 });
  });

  test('that was killed in the middle goes on, and ends equal', async () => {
    await using database = await createDisposableDatabase();
    const environment = { DATABASE_URL: database.url };
    let kills = 0;
    for (let isDone = false; !isDone; ) {
      await using program = startProgram(['ingest', 'base', folder.path], environment);
      const done = program.ended.then(({ code }) => code);
      // Once it has a few files more than before, it is killed.
      const before = await countFiles(database.url);
      const isKilled = await Promise.race([done.then(() => false), reach(database.url, before + 9)]);
      if (isKilled) {
        program.process.kill('SIGKILL');
        kills += 1;
      }
      const { code, stdout, stderr } = await program.ended;
      isDone = code === 0;
      if (isDone) expect(stdout).toMatch(kills > 0 ? /^Gone on with, and took simulated/ : /^Took simulated/);
      else expect([code, stderr]).toEqual([null, expect.anything()]);
    }
    expect(kills).toBeGreaterThan(0);
    expect(await readState(database.url)).toEqual(await readState(network.url));
    await expectEqual(network.url, database.url, [1n, 61n, BigInt(BLOCKS)]);
  });

  test('is not written to by others before it is whole', async () => {
    await using database = await createDisposableDatabase();
    await ask(database.url, 'CREATE TABLE base_ingest (kind text, name text, value text)');
    await expect(Writer.open(database.url)).rejects.toThrow(
      'A base was begun to be taken into this database',
    );
    await ask(
      database.url,
      'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)',
    );
    await expect(migrate(database.url)).rejects.toThrow('A base was begun to be taken into this database');
  });

  test('is watched without a look at its blocks before the network is there, and through a lost connection', async () => {
    await using database = await createDisposableDatabase();
    const stop = new AbortController();
    const watching = watchBase(database.url, stop.signal);
    const next = async () => (await watching.next()).value;
    await withClient(database.url, async (client) => {
      // Who looks at the blocks waits for this.
      await client.query('BEGIN; LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE');
      expect(await next()).toEqual({ isBegun: false, holdsBlocks: false, isWritten: false });
      await client.query('COMMIT');
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'periscope base'`,
      );
      await client.query(
        `${WRITES_BLOCKS}; INSERT INTO networks (chain_id) VALUES ('c');
         INSERT INTO blocks (height, hash, timestamp, last_position) VALUES (1, '', 1, 1048577)`,
      );
      await client.query('CREATE TABLE base_ingest (kind text, name text, value text)');
      await client.query('SELECT pg_advisory_lock($1)', [WRITER_LOCK]);
      expect(await next()).toEqual({ isBegun: true, holdsBlocks: true, isWritten: true });
    });
    stop.abort();
    await expect(watching.next()).rejects.toThrow('aborted');
  });

  test('comes however long a statement takes, whatever limit others have', async () => {
    await using database = await createDisposableDatabase();
    const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    const [{ name } = { name: '' }] = await ask<{ name: string }>(
      database.url,
      'SELECT current_database() AS name',
    );
    for (const limit of limits) await ask(database.url, `ALTER DATABASE "${name}" SET ${limit} = '1h'`);
    await onCopyInto(
      database.url,
      'parties',
      limits
        .map((limit) => `ASSERT current_setting('${limit}') = '0', 'there is a limit: ${limit}';`)
        .join(' '),
    );
    await using source = await openSource(folder.path, NEVER);
    await ingestBase(database.url, source, { signal: NEVER });
    expect(await readHeight(database.url)).toBe(BLOCKS);
  });

  test('is refused where it holds anything', async () => {
    await using source = await openSource(folder.path, NEVER);
    await using other = await createDisposableDatabase();
    await ask(other.url, `INSERT INTO parties VALUES ('a', 1)`);
    await expect(ingestBase(other.url, source, { signal: NEVER })).rejects.toThrow(
      'The database holds rows in parties',
    );
    await using bound = await createDisposableDatabase();
    await ask(
      bound.url,
      `${WRITES_BLOCKS}; INSERT INTO networks (chain_id) VALUES ('mainnet');
       INSERT INTO blocks (height, hash, timestamp, last_position) VALUES (1, '', 1, 1048577)`,
    );
    await expect(ingestBase(bound.url, source, { signal: NEVER })).rejects.toThrow(
      'The database holds the network mainnet',
    );
  });

  test('may have named another network, of which no block came', async () => {
    await using database = await createDisposableDatabase();
    const writer = await Writer.open(database.url);
    await writer.claimNetwork('mainnet');
    await writer.close();
    await using source = await openSource(folder.path, NEVER);
    await ingestBase(database.url, source, { signal: NEVER });
    expect(await readState(database.url)).toEqual(await readState(network.url));
  });

  test('that was stopped while it was vacuumed goes on, and ends equal', async () => {
    await using database = await createDisposableDatabase();
    await using source = await openSource(folder.path, NEVER);
    await withClient(database.url, async (client) => {
      await client.query('SELECT pg_advisory_lock(7)');
      await onCopyInto(database.url, 'changes', 'PERFORM pg_advisory_xact_lock_shared(7);');
      const stop = new AbortController();
      let taken: Promise<unknown> = Promise.resolve();
      await new Promise<void>((resolve, reject) => {
        taken = ingestBase(database.url, source, { signal: stop.signal, onPresent: resolve });
        taken.catch(reject);
      });
      // Of the rest, only VACUUM waits for this.
      await client.query('BEGIN; LOCK TABLE hold_ups IN SHARE UPDATE EXCLUSIVE MODE');
      await client.query('SELECT pg_advisory_unlock(7)');
      await expect
        .poll(() => ask(database.url, `${SESSIONS} AND query = 'VACUUM' AND wait_event_type = 'Lock'`))
        .toHaveLength(1);
      stop.abort();
      await expect(taken).rejects.toThrow();
      await client.query('COMMIT');
    });
    await expect.poll(() => ask(database.url, SESSIONS)).toEqual([]);
    const { isResumed } = await ingestBase(database.url, source, { signal: NEVER });
    expect(isResumed).toBe(true);
    expect(await readState(database.url)).toEqual(await readState(network.url));
  });

  test('has no row of a file whose bytes were changed: the file is named, and both hashes', async () => {
    await using spoiled = await exportToFolder(network.url);
    const { parts } = await readManifestOf(spoiled);
    const file = parts[1]?.files.find(({ table }) => table === 'rewards');
    const path = join(spoiled.path, file?.name as string);
    await flipBit(path);
    await using database = await createDisposableDatabase();
    await using source = await openSource(spoiled.path, NEVER);
    await expect(ingestBase(database.url, source, { signal: NEVER })).rejects.toThrow(
      new RegExp(
        `${file?.name} is not what the manifest names: its SHA-256 should be ${file?.sha256}, and its SHA-256 is \\w{64}`,
      ),
    );
    const first = parts[0]?.files.find(({ table }) => table === 'rewards')?.rows ?? 0;
    const all = (
      await ask<{ position: string }>(
        database.url,
        'SELECT created_position AS position FROM rewards_to_come',
      )
    ).length;
    expect([
      0,
      first,
      first + (parts[2]?.files.find(({ table }) => table === 'rewards')?.rows ?? 0),
    ]).toContain(all);
    // Mended, it goes on.
    await flipBit(path);
    expect(await ingestBase(database.url, source, { signal: NEVER })).toMatchObject({ isResumed: true });
    expect(await readState(database.url)).toEqual(await readState(network.url));
  });

  test.each([
    ['shorter', (path: string) => readFile(path).then((bytes) => writeFile(path, bytes.subarray(0, -1)))],
    ['longer', (path: string) => appendFile(path, 'x')],
  ])('has nothing of a file that is %s', async (_, spoil) => {
    await using spoiled = await exportToFolder(network.url);
    const { bases } = await readManifestOf(spoiled);
    const file = bases[0]?.files.find(({ table }) => table === 'accounts');
    await spoil(join(spoiled.path, file?.name as string));
    await using database = await createDisposableDatabase();
    await using source = await openSource(spoiled.path, NEVER);
    await expect(ingestBase(database.url, source, { signal: NEVER })).rejects.toThrow(
      `instead of ${file?.bytes}`,
    );
    expect(await ask(database.url, 'SELECT FROM accounts')).toEqual([]);
  });

  test('waits for a folder that goes away between the hash of a file and its loading', async () => {
    await using moved = await exportToFolder(network.url);
    await using database = await createDisposableDatabase();
    await using source = await openSource(moved.path, NEVER);
    const leaving: PartSource = {
      ...source,
      async take(file, signal) {
        const checked = await source.take(file, signal);
        if (file.table === 'trades') await rename(moved.path, `${moved.path}-away`);
        return checked;
      },
    };
    await expect(ingestBase(database.url, leaving, { signal: NEVER })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/\.parquet cannot be read: ENOENT/),
    });
    await rename(`${moved.path}-away`, moved.path);
    expect(await ingestBase(database.url, source, { signal: NEVER })).toMatchObject({ isResumed: true });
  });

  test.each([
    ['in this thread', readLines],
    ['in a thread of its own', readLinesAside],
  ])('says of a file that is away when it is read %s that this may pass', async (_, read) => {
    const lines = read(join(folder.path, 'none.parquet'), { kind: 'rows', columns: [] });
    await expect(lines.next()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('none.parquet cannot be read: ENOENT'),
    });
  });

  test('ends at once where a file is refused while another comes slowly', async () => {
    const [refused, slow] = addedOf(await readManifestOf(folder))
      .toSorted((one, other) => other.file.rows - one.file.rows)
      .map(({ file }) => file.name) as [string, string];
    let letGo = () => {};
    const never = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await using server = await serveFolder(folder.path, { [refused]: 2 }, new Map([[slow, never]]));
    await using database = await createDisposableDatabase();
    try {
      await using program = startProgram(['ingest', 'base', server.url], { DATABASE_URL: database.url });
      const { code, stderr } = await program.ended;
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${refused} is not what the manifest names`),
      ]);
      expect(server.asked(slow)).toBe(1);
    } finally {
      letGo();
    }
  });

  test('comes over HTTP as well: what is spoiled once on the way is fetched again, and twice is refused', async () => {
    const { parts } = await readManifestOf(folder);
    const name = parts[0]?.files.find(({ table }) => table === 'trades')?.name as string;
    for (const times of [1, 2]) {
      await using server = await serveFolder(folder.path, { [name]: times });
      await using database = await createDisposableDatabase();
      await using source = await openSource(server.url, NEVER);
      const ingesting = ingestBase(database.url, source, { signal: NEVER });
      if (times === 1) {
        await ingesting;
        expect(server.asked(name)).toBe(2);
        expect(await readState(database.url)).toEqual(await readState(network.url));
      } else {
        await expect(ingesting).rejects.toThrow(`${server.url}${name} is not what the manifest names`);
      }
    }
  });

  test('comes whole where connections are cut, and servers fail, in the middle', async () => {
    const { parts, bases } = await readManifestOf(folder);
    const names = [...parts, ...bases].map(({ files }) => files[0]?.name as string);
    const failures = new Map(names.map((name, index) => [name, index % 2 === 0 ? 'cut' : 'fail'] as const));
    await using server = await serveFolder(folder.path, {}, new Map(), failures);
    await using database = await createDisposableDatabase();
    await using source = await openSource(server.url, NEVER);
    await ingestBase(database.url, source, { signal: NEVER });
    expect(names.map((name) => server.asked(name))).toEqual(names.map(() => 2));
    expect(await readState(database.url)).toEqual(await readState(network.url));
  });

  test('is served as soon as the present is there: rewards, trades and what was are refused until they are', async () => {
    await using server = await serveFolderHolding(folder, ['rewards', 'accounts']);
    await using database = await createDisposableDatabase();
    await using program = startProgram(['serve', '--from', server.url], {
      DATABASE_URL: database.url,
      PORT: '0',
    });
    const url = await readListening(program.process.stdout as Readable);
    await using other = await startTestGateway(network.url);
    const get = (path: string) => getJson(`${url}${path}`);
    const expectSame = async (path: string) =>
      expect((await get(path)).text).toBe((await other.rest(path)).text);

    const present = '/api/v2/accounts?pagination.first=500';
    expect((await get(present)).headers.get('X-Block-Height')).toBe(`${BLOCKS}`);
    await expectSame(present);
    await expectSame('/api/v2/deposits');

    const rewards = '/api/v2/rewards?pagination.first=500';
    const past = '/api/v2/accounts?asOf=60';
    // The second time under a name, over any connection.
    for (const table of ['rewards', 'rewards', 'rewards', 'trades']) {
      const refused = await get(rewards.replace('rewards', table));
      expect([refused.status, refused.headers.get('Retry-After'), refused.body]).toEqual([
        503,
        '10',
        expect.objectContaining({ code: 14, message: expect.stringContaining(`The ${table} are still`) }),
      ]);
    }
    const status = async () => (await readStatus(database.url)).base;
    expect(await status()).toBe('added');
    const outOfRange = await get(past);
    expect([outOfRange.status, outOfRange.body]).toEqual([
      400,
      expect.objectContaining({
        code: 11,
        message: expect.stringContaining(`the first block that can be asked about is ${BLOCKS}`),
      }),
    ]);
    // Nobody takes what is half there for whole.
    for (const command of [['verify'], ['export', join(folder.path, 'none')], ['backup', '/dev/null']])
      expect(await runProgram(command, { DATABASE_URL: database.url })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^periscope: A base was begun to be taken into this database/),
      });
    // Others may not write yet.
    await expect(Writer.open(database.url)).rejects.toThrow(/Another process is ingesting|A base was begun/);

    server.release('rewards');
    await until(async () => (await get(rewards)).status === 200);
    await expectSame(rewards);
    await expectSame('/api/v2/trades?pagination.first=500');
    expect((await get(past)).status).toBe(400);
    expect(await status()).toBe('past');
    const { stdout } = await runProgram(['status'], { DATABASE_URL: database.url });
    expect(stdout).toContain('base      being taken in: the past is to come\n');

    server.release('accounts');
    await until(async () => (await get(past)).status === 200);
    await expectSame(past);
    expect(await status()).toBeNull();
  });

  test('is what the program takes in over HTTP, and says what is not there', async () => {
    await using server = await serveFolder(folder.path);
    await using database = await createDisposableDatabase();
    const environment = { DATABASE_URL: database.url };
    const missing = await runProgram(['ingest', 'base', `${server.url}nowhere`], environment);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      `periscope: ${server.url}nowhere/manifest.json cannot be fetched: the server answers 404 Not Found.\n`,
    ]);
    const { code, stdout, stderr } = await runProgram(['ingest', 'base', server.url], environment);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Took simulated-0.79-11-25p-3m up to block 120 into /),
    ]);
    expect(stderr).toContain('The present is there');
    expect(await readHeight(database.url)).toBe(BLOCKS);
  });
});

test('values of every kind come back as they were', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 30 });
  const odd = `E'\\uFEFFa\\tb\\\\c\\nd\\re"f''\\\\N\\\\.漢 🙂'`;
  await ask(
    network.url,
    `UPDATE assets SET name = ${odd}, symbol = '', max_faucet_amount = NULL;
     UPDATE changes SET row = row || jsonb_build_object('name', ${odd}, 'quantum', repeat('9', 60)) WHERE noun = 'assets';
     UPDATE markets SET tags = ARRAY['', 'a,b', '"', E'\\\\', 'NULL', ${odd}], allowed_sellers = '{}', fully_collateralised = NULL;
     UPDATE changes SET row = row || jsonb_build_object('tags', ARRAY['', 'a,b', '"', E'\\\\', 'NULL', ${odd}]) WHERE noun = 'markets';
     UPDATE accounts SET balance = repeat('7', 60) WHERE created_position % 2 = 0;
     UPDATE rewards SET game_id = ${odd}, quantum_amount = '-0.000000000000000001';
     UPDATE proposals SET terms = '{"a": [1.0, 1e400, null, "\\u00fc\\n"]}', error_details = ${odd};
     INSERT INTO block_touches VALUES (1, NULL), (2, '{}'), (3, '{1,-2}');
     ${WRITES_BLOCKS}; UPDATE blocks SET digest = NULL`,
  );
  await using folder = await exportToFolder(network.url);
  await using database = await createDisposableDatabase();
  await using source = await openSource(folder.path, NEVER);
  await ingestBase(database.url, source, { signal: NEVER });
  expect(await readState(database.url)).toEqual(await readState(network.url));
});

test('columns that came after parts were written are null', async () => {
  await using old = await createDisposableDatabase();
  await advance(old.url, 30);
  await ask(
    old.url,
    'ALTER TABLE rewards DROP COLUMN quantum_amount CASCADE; ALTER TABLE markets DROP COLUMN tick_size CASCADE',
  );
  await using folder = await exportToFolder(old.url);
  // The version that wrote them says so; the base is of this one.
  const path = join(folder.path, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  for (const part of manifest.parts) part.schema = '20260101000000_older';
  await writeFile(path, JSON.stringify(manifest));
  await using database = await createDisposableDatabase();
  await using source = await openSource(folder.path, NEVER);
  await ingestBase(database.url, source, { signal: NEVER });
  const read = (url: string, columns: string) =>
    ask(url, `SELECT ${columns} FROM rewards ORDER BY created_position`);
  const rewards = await read(database.url, 'created_position, amount, quantum_amount');
  expect(rewards.length).toBeGreaterThan(100);
  expect(rewards).toEqual(await read(old.url, 'created_position, amount, NULL AS quantum_amount'));
  const changed = `SELECT row ->> 'id' AS id, row ->> 'state' AS state FROM changes WHERE noun = 'markets' ORDER BY position`;
  expect(await ask(database.url, changed)).toEqual(await ask(old.url, changed));
});

/** What older versions left, who packed all nouns together. */
const PACK_TOGETHER = `
  CREATE TABLE archived_changes_before PARTITION OF archived_changes FOR VALUES FROM (MINVALUE) TO (${2n ** 62n});
  INSERT INTO archived_changes SELECT row_position, position, row, positions, columns FROM archived_rows;
  DELETE FROM archived_rows`;

test.each([
  ['that has packed some of its past has all of it', null, 'SELECT', 1n],
  ['that older versions packed has all of it', null, PACK_TOGETHER, 1n],
  ['that has forgotten some of its past begins where that is known', 40, 'SELECT', 90n],
])('a base of a database %s', async (_, pastBlocks, prepare, first) => {
  // The first 64 blocks are packed once the 128th is there.
  const blocks = 130;
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks });
  await using packing = await createDisposableDatabase();
  await advance(packing.url, blocks, { historyBlocks: 20, pastBlocks });
  expect((await ask(packing.url, 'SELECT FROM archived_rows')).length).toBeGreaterThan(50);
  await ask(packing.url, prepare);
  await using folder = await exportToFolder(packing.url, { blocksPerPart: 25n });
  const { pastFrom } = await readManifestOf(folder);
  expect(pastFrom >> 20n).toBe(first === 1n ? 0n : first);
  await using database = await createDisposableDatabase();
  await using source = await openSource(folder.path, NEVER);
  await ingestBase(database.url, source, { signal: NEVER });
  await expectEqual(network.url, database.url, [first, 95n, 111n, BigInt(blocks)]);
  const found = await runProgram(['verify'], { DATABASE_URL: database.url });
  expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(`blocks ${first} to ${blocks}`)]);
  if (first === 1n) return expect(await readState(database.url)).toEqual(await readState(network.url));
  await using reading = openDatabase({ url: database.url, readOnly: true });
  const side = sideOf('it', reading.statements);
  await expect(side.stateAt(first - 1n)).rejects.toThrow(`all of it is known from block ${first} on`);
});

async function advance(url: string, blocks: number, retention = ALL_OF_IT): Promise<void> {
  await using writer = await Writer.open(url, retention);
  await applySource(openSimulation({ ...NETWORK, blocks }), writer, { pace: 'max', signal: NEVER });
  await writer.histories.settled();
}

async function expectEqual(one: string, other: string, heights: readonly bigint[]): Promise<void> {
  await using first = openDatabase({ url: one, readOnly: true });
  await using second = openDatabase({ url: other, readOnly: true });
  const sides = [sideOf('one', first.statements), sideOf('other', second.statements)] as const;
  for (const at of heights) {
    const { chain, differing } = await compareAt(...sides, at);
    expect([at, chain, differing]).toEqual([at, { isEqual: true }, []]);
  }
}

/** The indexes of all tables but those of partitions, whose names follow from when they were made. */
function readIndexes(url: string) {
  return ask(
    url,
    `SELECT pg_get_indexdef(indexrelid) AS index, indisvalid FROM pg_index JOIN pg_class AS class ON class.oid = indrelid
     WHERE relnamespace = 'public'::regnamespace AND NOT relispartition ORDER BY 1`,
  );
}

/** The indexes of the partitions that both have. */
function readPartitionKeys(url: string) {
  return ask(
    url,
    `SELECT indexrelid::regclass::text AS index, indisprimary, indisunique, indisvalid, held.conname IS NOT NULL AS constrains
     FROM pg_index JOIN pg_inherits ON pg_inherits.inhrelid = indexrelid LEFT JOIN pg_constraint AS held ON conindid = indexrelid
     WHERE indrelid IN ('changes_0'::regclass, 'balance_changes_0'::regclass) ORDER BY 1`,
  );
}

async function countFiles(url: string): Promise<number> {
  const [row] = await ask<{ count: string }>(
    url,
    `SELECT count(*) FROM base_ingest WHERE kind = 'file'`,
  ).catch(() => []);
  return Number(row?.count ?? 0);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

/** Resolves with true once so many files are in. */
async function reach(url: string, count: number): Promise<true> {
  while ((await countFiles(url)) < count) await sleep(5);
  return true;
}

async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  await writeFile(path, bytes);
}
