import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { WRITER_LOCK } from '../../src/data/writing/writer-lock.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import {
  createSpoolPlace,
  eventsOf,
  reachHeight,
  type SpoolPlace,
  startCoreProgram,
} from '../ingest/core-network.ts';
import { CoreNode } from '../ingest/core-node.ts';
import { createFileDatabase, readDigests, relayBlocksOf } from '../ingest/log-network.ts';
import { makeBlocks } from '../ingest/network-blocks.ts';
import { createDisposableDatabase, type TestDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/faulty-proxy.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { createFolder, exportToFolder, type Folder, serveFolderHolding } from '../support/part-folders.ts';
import { childrenOf, type Environment, readListening, startProgram } from '../support/program.ts';
import { ask, onCopyInto, readHeight, withClient } from '../support/state.ts';

const BLOCKS = makeBlocks(1, 60, { accounts: 3 });
const OF_BASE = 40;

describe('serve --from a base, with blocks that come meanwhile', () => {
  let whole: TestDatabase;
  let folder: Folder;
  let spool: SpoolPlace;

  beforeAll(async () => {
    whole = await createFileDatabase(BLOCKS);
    await using first = await createFileDatabase(BLOCKS.slice(0, OF_BASE));
    folder = await exportToFolder(first.url);
    spool = await createSpoolPlace();
  });

  afterAll(async () => {
    for (const opened of [whole, folder, spool]) await opened[Symbol.asyncDispose]();
  });

  test('takes in behind the base what a core node has sent, which waited in the spool', async () => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const args = ['serve', '--from', base.url, '--ingest', 'tcp://127.0.0.1:0'];
    const environment = { DATABASE_URL: database.url, PORT: '0', SPOOL_DIR: spool.folder };
    await using program = await startCoreProgram(args, environment);
    const listening = readListening(program.process.stdout as Readable);
    await using core = await CoreNode.dial(program.url);
    await core.greeted();
    // A core node begins where it likes: with blocks that the base has, too.
    await core.send(eventsOf(BLOCKS.slice(OF_BASE - 5)));
    await waitsAndFollows(await listening, base, database);
  });

  test.skipIf(NATS_SERVER === undefined)(
    'takes in behind the base what a log has had meanwhile',
    async () => {
      await using servers = await NatsServers.start(1);
      await relayBlocksOf(servers, BLOCKS);
      await using base = await holdPast(folder);
      await using database = await createDisposableDatabase();
      const args = ['serve', '--from', base.url, '--ingest', servers.url];
      await using program = startProgram(args, { DATABASE_URL: database.url, PORT: '0' });
      await waitsAndFollows(await readListening(program.process.stdout as Readable), base, database);
    },
  );

  test('of two gateways one takes it in, both serve, and the other goes on where that one is killed', async () => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const start = () =>
      startProgram(['serve', '--from', base.url], { DATABASE_URL: database.url, PORT: '0' });
    await using first = start();
    expect(await readListening(first.process.stdout as Readable)).not.toBeNull();
    await using second = start();
    const ended = second.ended.then(({ stderr }) => stderr);
    const url = await readListening(second.process.stdout as Readable);
    expect(url).not.toBeNull();
    // Longer than the lock is waited for.
    expect(await Promise.race([ended, sleep(5_000)])).toBeUndefined();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    // With what takes the base in for it.
    first.process.kill('SIGKILL');
    await ask(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON oid = database
      WHERE datname = current_database() AND locktype = 'advisory'`,
    );
    base.release('accounts');
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' });
  });

  test.each([
    ['before the present is there', ['blocks'], []],
    ['once it is served', ['accounts'], ['added', 'present']],
  ])(
    'of two gateways one takes it in and both serve, though the database was away %s',
    async (_, held, stages) => {
      await using base = await serveFolderHolding(folder, held);
      await using database = await createDisposableDatabase();
      await using away = await startDatabaseProxy(database.url);
      const start = () => startFollowed(['serve', '--from', base.url], { DATABASE_URL: away.url, PORT: '0' });
      await using first = start();
      const isBegun = async () => (await readStages(database.url)) ?? 'none';
      await expect.poll(isBegun).toEqual(stages);
      await using second = start();
      await second.says('waiting for who writes to the database');
      away.proxy.set('refuses');
      // Who waits for a file notices behind it.
      for (const table of held) base.release(table);
      await first.says('The database cannot be reached, or was lost');
      away.proxy.set('passes');
      for (const { says } of [first, second]) {
        const url = urlIn(await says('"listening"'));
        await expect.poll(() => readReady(url)).toEqual({ status: 'ready' });
      }
      expect(await readHeight(database.url)).toBe(OF_BASE);
    },
  );

  test.each([
    [
      'what takes the base in was killed',
      'its process was ended by SIGKILL',
      async (_: TestDatabase, program: Followed) => {
        killBaseProcess(program);
        await program.says('its process was ended by SIGKILL');
        return async () => {};
      },
    ],
    [
      'the disk of the database was full',
      'The disk of the database server at DATABASE_URL is full',
      async ({ url }: TestDatabase) => {
        const full = "RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full';";
        await onCopyInto(url, 'balance_changes', full);
        return () => ask(url, 'DROP FUNCTION on_copy CASCADE');
      },
    ],
    [
      'the database took nothing in, as one that is not promoted yet',
      'was lost: cannot execute .* in a read-only transaction',
      async ({ url }: TestDatabase, program: Followed) => {
        const set = `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only`;
        await ask(url, `${set} = on`);
        killBaseProcess(program);
        return () => ask(url, `START TRANSACTION READ WRITE; ${set} = off; COMMIT`);
      },
    ],
  ])('once the present is served, goes on serving, and with the base, though %s', async (_, said, begin) => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const environment = { DATABASE_URL: database.url, PORT: '0' };
    await using program = startFollowed(['serve', '--from', base.url], environment);
    const url = urlIn(await program.says('"listening"'));
    const end = await begin(database, program);
    base.release('accounts');
    await program.says(new RegExp(said));
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await end();
    await expect.poll(() => readReady(url)).toEqual({ status: 'ready' });
    expect(await readHeight(database.url)).toBe(OF_BASE);
  });

  test('does the same though what takes the base in cannot be started again at once', async () => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const environment = { DATABASE_URL: database.url, PORT: '0', NODE_OPTIONS: WITHOUT_ROOM };
    await using program = startFollowed(['serve', '--from', base.url], environment);
    const url = urlIn(await program.says('"listening"'));
    killBaseProcess(program);
    await program.says('its process could not be started: spawn /nowhere ENOENT.');
    await program.says('its process could not be started: spawn ENOMEM.');
    base.release('accounts');
    await expect.poll(() => readReady(url)).toEqual({ status: 'ready' });
  });

  test('does the same though the place of the parts was away for two minutes', async () => {
    await using base = await serveFolderHolding(folder, ['accounts'], 'fail');
    await using database = await createDisposableDatabase();
    const environment = { DATABASE_URL: database.url, PORT: '0', NODE_OPTIONS: IMPATIENT };
    await using program = startFollowed(['serve', '--from', base.url], environment);
    const url = urlIn(await program.says('"listening"'));
    base.release('accounts');
    await program.says(/cannot be fetched: the server answers 503[^;]* Even so, .*is gone on with/);
    await expect.poll(() => readReady(url)).toEqual({ status: 'ready' });
  });

  test('does the same though the folder of the parts was away', async () => {
    await using place = await createFolder();
    const path = join(place.path, 'parts');
    await symlink(folder.path, path);
    await using database = await createDisposableDatabase();
    const full = "RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full';";
    await onCopyInto(database.url, 'balance_changes', full);
    const environment = { DATABASE_URL: database.url, PORT: '0' };
    await using program = startFollowed(['serve', '--from', path], environment);
    const url = urlIn(await program.says('"listening"'));
    await program.says('The disk of the database server at DATABASE_URL is full');
    await rm(path);
    await ask(database.url, 'DROP FUNCTION on_copy CASCADE');
    await program.says(/parquet cannot be read: ENOENT[^;]* Even so, .*is gone on with/);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await symlink(folder.path, path);
    await expect.poll(() => readReady(url)).toEqual({ status: 'ready' });
  });

  test('ends in words where what takes the base in is killed before the present is there', async () => {
    await using base = await serveFolderHolding(folder, ['blocks']);
    await using database = await createDisposableDatabase();
    const environment = { DATABASE_URL: database.url, PORT: '0' };
    await using program = startFollowed(['serve', '--from', base.url], environment);
    await expect.poll(() => readStages(database.url)).toEqual([]);
    killBaseProcess(program);
    const { code, stderr } = await program.ended;
    expect([code, stderr]).toEqual([
      1,
      'periscope: The base cannot be taken in: its process was ended by SIGKILL.\n',
    ]);
  });

  test.each([
    ['PORT', 'taken', 'which another program uses'],
    ['METRICS_PORT', 'taken', 'which another program uses'],
    ['OPERATION_LIST', '/nowhere.json', 'which cannot be read'],
  ])('takes nothing in where %s is %s', async (setting, value, complaint) => {
    await using base = await serveFolderHolding(folder, ['blocks']);
    await using database = await createDisposableDatabase();
    await using unused = await createSpoolPlace();
    const listener = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void listener.close());
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const spoolDir = `${unused.folder}/new`;
    const environment = { DATABASE_URL: database.url, PORT: '0', SPOOL_DIR: spoolDir };
    await using program = startProgram(['serve', '--from', base.url, '--ingest', 'tcp://127.0.0.1:0'], {
      ...environment,
      [setting]: value === 'taken' ? `${port}` : value,
    });
    const { code, stderr } = await program.ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)]);
    expect(stderr).toContain(`periscope: ${setting} is `);
    expect(await readStages(database.url)).toBeUndefined();
    expect([base.asked('manifest.json'), existsSync(spoolDir)]).toEqual([0, false]);
  });

  test('ends where the spool cannot be written while the present is still to come', async () => {
    await using base = await serveFolderHolding(folder, ['blocks']);
    await using database = await createDisposableDatabase();
    await using lost = await createSpoolPlace();
    const args = ['serve', '--from', base.url, '--ingest', 'tcp://127.0.0.1:0'];
    const environment = { DATABASE_URL: database.url, PORT: '0', SPOOL_DIR: lost.folder };
    await using program = await startCoreProgram(args, environment);
    await rm(lost.folder, { recursive: true });
    await using core = await CoreNode.dial(program.url);
    await core.greeted();
    await core.send(eventsOf(BLOCKS.slice(0, 1)));
    const { code, stderr } = await program.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  test('ends in words where another process writes blocks before a base is begun', async () => {
    await using database = await createDisposableDatabase();
    await using writer = await Writer.open(database.url);
    const environment = { DATABASE_URL: database.url, PORT: '0' };
    await using program = startFollowed(['serve', '--from', folder.path], environment);
    await program.says('waiting for who writes to the database');
    const source = openSimulation({ seed: 1, blocks: 3, parties: 5, markets: 1 });
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
    const { code, stdout, stderr } = await program.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^periscope: The base cannot be taken in: .*Another process is ingesting/),
    ]);
    expect(stdout).not.toContain('"listening"');
  });

  test('ends in words where the server breaks a statement off, which it would each time', async () => {
    await using database = await createDisposableDatabase();
    await onCopyInto(
      database.url,
      'parties',
      "RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled';",
    );
    const environment = { DATABASE_URL: database.url, PORT: '0' };
    await using program = startProgram(['serve', '--from', folder.path], environment);
    const { code, stderr } = await program.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^periscope: The base cannot be taken in: .*broke a statement off: canceling statement/,
      ),
    ]);
  });

  test('refuses, at each start, what begins behind the parts, and serves it where these cannot be read', async () => {
    await using later = await createFileDatabase(BLOCKS.slice(OF_BASE));
    const start = (database: TestDatabase, place: string) =>
      startFollowed(['serve', '--from', place], { DATABASE_URL: database.url, PORT: '0' });
    await using refused = start(later, folder.path);
    const { code, stdout, stderr } = await refused.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `The database begins with block ${OF_BASE + 1}, and the parts of --from with block 1: its blocks came otherwise`,
      ),
    ]);
    expect(stdout).not.toContain('"listening"');
    await using served = start(later, `${folder.path}/nowhere`);
    expect(await served.says('"listening"')).toContain(
      'not known whether blocks before the first are missing',
    );
    // All of them are there, wherever they came from.
    await using full = start(whole, folder.path);
    await full.says('"listening"');
  });

  test('waits no longer than until the base is whole, whoever writes to the database then', async () => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const start = () =>
      startFollowed(['serve', '--from', base.url], { DATABASE_URL: database.url, PORT: '0' });
    await using first = start();
    await first.says('"listening"');
    await using second = start();
    await second.says('waiting for who writes to the database');
    await withClient(database.url, async (client) => {
      // The next in the queue: it has the lock as soon as the base is in.
      const locked = client.query('SELECT pg_advisory_lock($1)', [WRITER_LOCK]);
      base.release('accounts');
      await locked;
      const asking = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope base'`;
      await expect.poll(async () => (await client.query(asking)).rowCount).toBe(0);
    });
  });

  /** Nothing goes behind the base until all of it is in, and then all that waited does, once. */
  async function waitsAndFollows(
    url: string | null,
    base: Awaited<ReturnType<typeof holdPast>>,
    database: TestDatabase,
  ): Promise<void> {
    expect(await readHeight(database.url)).toBe(OF_BASE);
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await readHeight(database.url)]).toEqual([200, OF_BASE]);
    expect(await ready.json()).toEqual({ status: 'ready', base: expect.stringContaining('being taken in') });
    base.release('accounts');
    await reachHeight(database.url, BLOCKS.length);
    expect(await readDigests(database.url)).toEqual(await readDigests(whole.url));
    const [counted] = await ask<{ blocks: string }>(database.url, 'SELECT count(*) AS blocks FROM blocks');
    expect(counted?.blocks).toBe(`${BLOCKS.length}`);
    expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' });
  }
});

/** The present is there before the past of accounts is released. */
function holdPast(folder: Folder) {
  return serveFolderHolding(folder, ['accounts']);
}

/** A program, and what it has said so far once that holds something. */
function startFollowed(args: readonly string[], environment: Environment) {
  const program = startProgram(args, environment);
  let said = '';
  program.process.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  return {
    ...program,
    async says(words: string | RegExp): Promise<string> {
      await expect.poll(() => said).toMatch(words);
      return said;
    },
  };
}

type Followed = ReturnType<typeof startFollowed>;

/** Has the system start no process the second time, which is told by an event, nor the third, where that throws. */
const WITHOUT_ROOM = `--import=data:text/javascript,${encodeURIComponent(`
  import child from 'node:child_process';
  import { syncBuiltinESMExports } from 'node:module';
  const { spawn } = child;
  let runs = 0;
  child.spawn = (file, args, options) => {
    if (args.includes('base')) runs += 1;
    if (runs === 3) throw new Error('spawn ENOMEM');
    return spawn(runs === 2 ? '/nowhere' : file, args, options);
  };
  syncBuiltinESMExports();
`)}`;

/** Has two minutes pass, for what takes a base in, each time that it looks at the clock. */
const IMPATIENT = `--import=data:text/javascript,${encodeURIComponent(`
  const now = performance.now.bind(performance);
  let ahead = 0;
  if (process.argv.includes('base')) performance.now = () => now() + (ahead += 120_001);
`)}`;

function killBaseProcess({ process: gateway }: Followed): void {
  for (const pid of childrenOf(gateway.pid as number)) process.kill(pid, 'SIGKILL');
}

function urlIn(said: string): string {
  return /"url":"(.+?)"/.exec(said)?.[1] as string;
}

async function readReady(url: string): Promise<unknown> {
  return (await fetch(`${url}/health/ready`)).json();
}

/** The stages of a base that are done; undefined where none was begun. */
function readStages(url: string): Promise<readonly string[] | undefined> {
  return ask<{ name: string }>(url, `SELECT name FROM base_ingest WHERE kind = 'stage' ORDER BY 1`).then(
    (rows) => rows.map(({ name }) => name),
    () => undefined,
  );
}
