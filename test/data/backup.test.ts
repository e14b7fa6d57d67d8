import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../src/data/migrate.ts';
import { isUnavailable } from '../../src/data/servers/unavailable.ts';
import { readBackup } from '../../src/data/upkeep/backup.ts';
import { grantReader } from '../../src/data/upkeep/readers.ts';
import { restoreBackup } from '../../src/data/upkeep/restore.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { createDisposableDatabase, createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { makeRoom } from '../support/histories.ts';
import { openNdjson } from '../support/http-clients.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask, readState, WRITES_BLOCKS, withClient } from '../support/state.ts';

const NETWORK = { seed: 11, blocks: 60, parties: 20, markets: 3 };
const { signal: NEVER } = new AbortController();
const STREAM = '/api/v2/stream/accounts';
const EMPTY = 'a backup is restored into an empty one only';

test('what is restored gives every answer byte for byte, and streams go on by old cursors', async () => {
  await using network = await createSimulatedDatabase(NETWORK);
  await using before = await startTestGateway(network.url);
  const old = await openNdjson(before.url, `${STREAM}?cursors=true`);
  const { cursor } = await old.next();
  old.close();
  await network.advanceTo(NETWORK.blocks + 40);

  await using database = await createEmptyDatabase();
  const backup = await readWhole(network.url);
  const restored = await restoreBackup(database.url, inChunks(backup, 1000), NEVER);
  expect(restored).toMatchObject({ network: 'simulated-11-20p-3m', height: '100' });
  expect(restored.rows).toBeGreaterThan(1000);
  expect(await readState(database.url)).toEqual(await readState(network.url));

  await grantReader(database.url, inject('reader').role);
  await using after = await startTestGateway(database.url);
  const paths = await listPaths(before);
  expect(paths.length).toBeGreaterThan(12);
  for (const path of paths) {
    const [one, other] = [await before.rest(path), await after.rest(path)];
    expect(one.status, path).toBe(200);
    expect(other.text, path).toBe(one.text);
    expect(other.headers.get('X-Block-Height')).toBe('100');
  }
  const messages = [];
  for (const gateway of [before, after]) {
    await using stream = await openNdjson(gateway.url, `${STREAM}?cursors=true&after=${cursor}`);
    const texts: (string | null)[] = [];
    do texts.push(await stream.nextText());
    while (JSON.parse(texts.at(-1) as string).block.height !== '100');
    messages.push(texts);
  }
  expect(messages[0]?.length).toBeGreaterThan(5);
  expect(messages[1]).toEqual(messages[0]);
});

test('a backup has one block of all tables, whatever is written meanwhile', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 40 });
  const state = await readState(network.url);
  const chunks: (Buffer | string)[] = [];
  for await (const chunk of readBackup(network.url, { version: '1.2.3', signal: NEVER })) {
    if (chunks.push(chunk) === 1) await network.advanceTo(60);
  }
  await using database = await createEmptyDatabase();
  const backup = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  expect(await restoreBackup(database.url, inChunks(backup, 50_000), NEVER)).toMatchObject({ height: '40' });
  expect(await readState(database.url)).toEqual(state);
});

test('a backup is of a moment at which nothing that it reads can be dropped any more', async () => {
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE changes IN ACCESS EXCLUSIVE MODE');
    const reading = readWhole(database.url);
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'periscope backup' AND wait_event_type = 'Lock'`;
    await expect.poll(() => ask(database.url, waiting)).toHaveLength(1);
    await client.query(`INSERT INTO parties (id, created_position) VALUES ('the newcomer', 7); COMMIT`);
    expect((await reading).toString()).toContain('the newcomer');
  });
});

test('a backup has every table, and psql takes it', async ({ skip }) => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 10 });
  const backup = await readWhole(network.url);
  const copied = [...backup.toString().matchAll(/^COPY "(\w+)"/gm)].map(([, name]) => name);
  const tables = await ask<{ name: string }>(
    network.url,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  expect(copied.sort()).toEqual(tables.map(({ name }) => name).sort());

  const run = promisify(execFile);
  if (!(await run('psql', ['--version']).catch(() => null))) skip('psql is not installed');
  await using database = await createEmptyDatabase();
  await using folder = await createFolder();
  await writeFile(folder.path('backup.sql'), backup);
  await run('psql', ['-X', '-q', '-d', database.url, '-f', folder.path('backup.sql')]);
  expect(await readState(database.url)).toEqual(await readState(network.url));
  expect(await migrate(database.url)).toEqual([]);
});

test('values of every kind come back as they were, however the file is cut into pieces', async () => {
  await using database = await createDisposableDatabase();
  await makeRoom(database.url, 1n);
  const ids = ['', 'a\\.\nb', '\\.', '\n\\.\n', 'tab\there', '\\N', 'back\\slash', 'ü – 漢', '-- 3 rows'];
  for (const [index, id] of ids.entries())
    await ask(
      database.url,
      `INSERT INTO parties (id, created_position) VALUES (E'${id.replace(/[\\\n\t]/g, escaped)}', ${index})`,
    );
  await ask(
    database.url,
    `INSERT INTO block_touches VALUES (1, '{1,2}'), (2, '{}'), (3, NULL);
     INSERT INTO changes VALUES (1, 'votes', 1, '{"a": [null, "\\u00fc\\n", 1e400]}')`,
  );
  const backup = await readWhole(database.url);
  for (const size of [1, 2, 3, 7, backup.length]) {
    await using other = await createEmptyDatabase();
    await restoreBackup(other.url, inChunks(backup, size), NEVER);
    expect(await readState(other.url)).toEqual(await readState(database.url));
  }
});

test('a database that holds anything is refused by what it holds', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
  const backup = await readWhole(network.url);
  const restore = (url: string) => restoreBackup(url, inChunks(backup, 9000), NEVER);
  await expect(restore(network.url)).rejects.toThrow(
    /holds another|Another process is ingesting|holds the network/,
  );
  await using filled = await createDisposableDatabase();
  await ask(
    filled.url,
    `${WRITES_BLOCKS}; INSERT INTO networks (chain_id) VALUES ('mainnet');
     INSERT INTO blocks (height, hash, timestamp, last_position) VALUES (1, '', 1, 1048577)`,
  );
  await expect(restore(filled.url)).rejects.toThrow(
    `The database holds the network mainnet up to block 1; ${EMPTY}`,
  );
  await ask(
    filled.url,
    `DELETE FROM networks; DELETE FROM blocks; INSERT INTO parties (id, created_position) VALUES ('alice', 1)`,
  );
  await expect(restore(filled.url)).rejects.toThrow(`The database holds rows in parties; ${EMPTY}.`);
  await ask(filled.url, `DELETE FROM parties`);
  await restore(filled.url);
  expect(await readState(filled.url)).toEqual(await readState(network.url));

  await using later = await createDisposableDatabase();
  await ask(
    later.url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('1', 'x', '29991231000000_later', now())`,
  );
  await expect(restore(later.url)).rejects.toThrow('The database has the migration 29991231000000_later');

  await using others = await createEmptyDatabase();
  await ask(others.url, 'CREATE TABLE invoices (id text)');
  await expect(restore(others.url)).rejects.toThrow(`The database holds invoices; ${EMPTY}.`);
});

test('a database whose network sent no block takes the backup of another', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
  await using claimed = await createDisposableDatabase();
  const writer = await Writer.open(claimed.url);
  await writer.claimNetwork('mainnet');
  await writer.close();
  await restoreBackup(claimed.url, inChunks(await readWhole(network.url), 9000), NEVER);
  expect(await readState(claimed.url)).toEqual(await readState(network.url));
});

test('a backup that is damaged, cut off, of a newer version or none leaves the database as it was', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
  const backup = (await readWhole(network.url)).toString();
  const [, initial = ''] = /^-- Migration: (\S+) /m.exec(backup) ?? [];
  const migrations = backup.match(/^-- Migration: /gm)?.length;
  const cases: readonly (readonly [text: string, message: string])[] = [
    ['', 'this is no backup of Periscope'],
    ['{"type":"network"}\n', 'this is no backup of Periscope'],
    [backup.replace('backup 1', 'backup 2'), 'a newer version of Periscope made it'],
    [backup.slice(0, 5000), 'it is cut off before its end'],
    [backup.slice(0, backup.length / 2), 'it is cut off before its end'],
    [backup.replace(/COMMIT;\n.*\n$/, ''), 'it is cut off before its end'],
    [
      backup.replace(/^-- \d+ rows/m, `-- 1${migrations} rows`),
      `it has ${migrations} rows of _prisma_migrations, and should have 1${migrations}`,
    ],
    [backup.replace('COPY "votes"', 'COPY "invoices"'), 'it has the table invoices'],
    [backup.replace(/COPY "votes"[\s\S]*?rows\n/, ''), 'it lacks the table votes'],
    [
      backup.replace(/(COPY "parties".*\n\w+\t)\d+/, '$1many'),
      'in the rows of parties, invalid input syntax',
    ],
    [
      backup.replace('\nCOMMIT;\n', '\nDROP TABLE votes;\n'),
      'a table was to begin, and there is "DROP TABLE votes;"',
    ],
    [
      backup.replace(/^-- Migration: /m, `$&20991231000000_later ${'0'.repeat(64)}\n$&`),
      'The backup has the migration 20991231000000_later, which this version of Periscope does not know',
    ],
    [
      backup.replace(/^(-- Migration: \S+ )\w{64}/m, `$1${'0'.repeat(64)}`),
      `The migration ${initial} is not the one that made the tables of the backup`,
    ],
  ];
  await using database = await createEmptyDatabase();
  for (const [text, message] of cases) {
    const restoring = restoreBackup(database.url, inChunks(Buffer.from(text), 4096), NEVER);
    await expect(restoring, message).rejects.toThrow(message);
    expect(await readState(database.url), message).toEqual({});
  }
});

test.each([
  ['a connection that is lost', (url: string) => endSessions(url, 'periscope backup')],
  ['a stop', async (_: string, stop: AbortController) => stop.abort()],
])('%s ends a backup in the middle with an error', async (_, end) => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
  const stop = new AbortController();
  const read = async () => {
    let count = 0;
    for await (const _ of readBackup(network.url, { version: '1.2.3', signal: stop.signal })) {
      count += 1;
      if (count === 4) await end(network.url, stop);
    }
  };
  await expect(read()).rejects.toSatisfy(isUnavailable);
});

test('what is restored is so, though a stop comes while its tables are vacuumed', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
  const backup = await readWhole(network.url);
  await using database = await createDisposableDatabase();
  const stop = new AbortController();
  await withClient(database.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE votes IN SHARE UPDATE EXCLUSIVE MODE');
    const restoring = restoreBackup(database.url, inChunks(backup, 4096), stop.signal);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'VACUUM%' AND wait_event_type = 'Lock'`;
    await expect.poll(() => ask(database.url, waiting)).toHaveLength(1);
    stop.abort();
    expect(await restoring).toMatchObject({ height: '5', notVacuumed: expect.any(Error) });
  });
  expect(await readState(database.url)).toEqual(await readState(network.url));
});

test('a slow reader of a backup has the server wait, not the memory grow', async () => {
  await using database = await createDisposableDatabase();
  await makeRoom(database.url, 1n);
  await ask(
    database.url,
    `INSERT INTO balance_changes SELECT n, n, repeat('7', 900) FROM generate_series(1, 80000) AS n`,
  );
  const before = process.memoryUsage().arrayBuffers;
  const growth: number[] = [];
  let bytes = 0;
  for await (const chunk of readBackup(database.url, { version: '1.2.3', signal: NEVER })) {
    bytes += chunk.length;
    if (bytes > 10_000_000 && growth.length < 5) {
      await sleep(200);
      growth.push(process.memoryUsage().arrayBuffers - before);
    }
  }
  expect(bytes).toBeGreaterThan(70_000_000);
  expect(growth).toHaveLength(5);
  expect(Math.max(...growth)).toBeLessThan(40_000_000);
});

test('an older version’s tables come along, and are brought up to date', async () => {
  await using old = await createEmptyDatabase();
  await using folder = await createFolder();
  const initial = '20260101000000_first';
  await migrateToFirst(old.url, folder.path(initial));
  await ask(old.url, `INSERT INTO parties (id, created_position) VALUES ('alice', 7)`);
  await using database = await createEmptyDatabase();
  const file = folder.path('old.sql');
  expect(await runProgram(['backup', file], { DATABASE_URL: old.url })).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).not.toContain('row_counts');
  expect(await runProgram(['restore', file], { DATABASE_URL: database.url })).toMatchObject({ code: 0 });
  expect(await migrate(database.url)).toEqual([]);
  expect(await ask(database.url, 'SELECT * FROM row_counts')).toEqual([
    { noun: 'parties', rows: '1', key: '', position: '7' },
  ]);

  await using made = await createTestDatabase();
  const { code, stderr } = await runProgram(['restore', file], { DATABASE_URL: made.url });
  expect(stderr).toContain('restore it into a database without tables');
  expect(code).toBe(1);
});

test('the embedded database goes from one folder to another, packed and through a pipe', async () => {
  await using folder = await createFolder();
  const [one, two] = [{ DATA_DIR: folder.path('one') }, { DATA_DIR: folder.path('two') }];
  const file = folder.path('network.sql.gz');
  const nothing = await runProgram(['backup', file], one);
  expect(nothing.stderr).toBe(`periscope: There is no database in ${one.DATA_DIR}.\n`);
  expect(nothing.code).toBe(2);
  await runProgram(['ingest', 'simulate', '--blocks', '20', '--parties', '5', '--markets', '1'], one);

  const held = /^Backed up simulated-1-5p-1m up to block 20: \d+ rows, \d+ bytes\.\n$/;
  expect((await runProgram(['backup', file], one)).stderr).toMatch(held);
  const piped = await runProgram(['backup', '-'], one);
  expect(piped.stderr).toMatch(/^Backed up simulated-1-5p-1m up to block 20: \d+ rows\.\n$/);
  const restored = await runProgram(['restore', file], two);
  expect(restored.stdout).toMatch(/^Restored simulated-1-5p-1m up to block 20 into .*two: \d+ rows\.\n$/);
  const again = await runProgram(['backup', '-'], two);
  expect(withoutTime(again.stdout)).toBe(withoutTime(piped.stdout));
  const damaged = folder.path('damaged.gz');
  await writeFile(damaged, (await readFile(file)).subarray(0, 4000));
  const three = await runProgram(['restore', damaged], { DATA_DIR: folder.path('three') });
  expect([three.code, three.stderr]).toEqual([1, expect.stringContaining('the gzip data is damaged')]);
  const gone = await runProgram(['backup', folder.path('no', 'such.sql')], one);
  expect([gone.code, gone.stderr]).toEqual([
    1,
    expect.stringContaining('such.sql cannot be written: ENOENT'),
  ]);
});

test('a backup goes through a pipe and behind a link, which stay, and into no folder', async () => {
  await using database = await createTestDatabase();
  await using folder = await createFolder();
  const [pipe, file, link] = ['pipe', 'file.sql', 'link.sql'].map((name) => folder.path(name)) as Three;
  const backUp = (path: string) => runProgram(['backup', path], { DATABASE_URL: database.url });
  await promisify(execFile)('mkfifo', [pipe]);
  const [piped, written] = await Promise.all([readFile(pipe, 'utf8'), backUp(pipe)]);
  expect([written.code, piped]).toEqual([0, expect.stringMatching(/COMMIT;\n.*\n$/)]);
  await writeFile(file, '');
  await symlink(file, link);
  expect(await backUp(link)).toMatchObject({ code: 0 });
  expect(withoutTime(await readFile(file, 'utf8'))).toBe(withoutTime(piped));
  const kinds = await Promise.all([pipe, link].map((path) => lstat(path)));
  expect([kinds[0]?.isFIFO(), kinds[1]?.isSymbolicLink()]).toEqual([true, true]);
  const refused = await backUp(folder.path('.'));
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a folder: name a file')]);
  expect((await readdir(folder.path('.'))).toSorted()).toEqual(['file.sql', 'link.sql', 'pipe']);
});

type Three = [string, string, string];

/** All paths of REST with what there is in the network to ask for. */
async function listPaths(gateway: {
  rest(path: string): Promise<{ readonly body: Record<string, { edges: { node: Row }[] }> }>;
}): Promise<readonly string[]> {
  const firstOf = async (list: string) =>
    (await gateway.rest(`/api/v2/${list}?pagination.first=1`)).body[list]?.edges[0]?.node as Row;
  const [deposit, reward] = [await firstOf('deposits'), await firstOf('rewards')];
  const { body } = await gateway.rest('/api/v2/accounts?filter.accountTypes=ACCOUNT_TYPE_INSURANCE');
  const market = body['accounts']?.edges[0]?.node['marketId'];
  const lists = ['deposits', 'accounts', 'rewards'].flatMap((list) => [
    `/api/v2/${list}`,
    `/api/v2/${list}?pagination.newestFirst=false&pagination.first=7`,
    `/api/v2/${list}?pagination.last=3`,
  ]);
  return [
    ...lists,
    `/api/v2/deposit/${deposit['id']}`,
    `/api/v2/rewards?partyId=${reward['partyId']}`,
    `/api/v2/market/data/${market}/latest`,
    `/api/v2/estimate/position?marketId=${market}&openVolume=10`,
    `/api/v2/estimate/fee?marketId=${market}&price=1000&size=10`,
    '/votes',
  ];
}

type Row = Readonly<Record<string, string>>;

async function readWhole(url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBackup(url, { version: '1.2.3', signal: NEVER }))
    chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Ends the sessions of a purpose, and waits until they are gone. */
async function endSessions(url: string, name: string): Promise<void> {
  await ask(
    url,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = '${name}'`,
  );
}

/** Makes the tables of the first version alone. */
async function migrateToFirst(url: string, folder: string): Promise<void> {
  const [first = ''] = (await readdir('prisma/migrations')).sort();
  await mkdir(folder);
  await cp(join('prisma/migrations', first), join(folder, first), { recursive: true });
  await migrate(url, { folder });
}

async function createFolder() {
  const root = await mkdtemp(join(tmpdir(), 'periscope-backup-'));
  await chmod(root, 0o755);
  return {
    path: (...names: string[]) => join(root, ...names),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}

function withoutTime(backup: string): string {
  return backup.replace(/^-- Made by .*$/m, '');
}

function escaped(character: string): string {
  return { '\\': '\\\\', '\n': '\\n', '\t': '\\t' }[character] as string;
}
