import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { copyMigrations, NAMES } from '../data/migrations-folder.ts';
import { createDisposableDatabase, createEmptyDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createFolder } from '../support/part-folders.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';

/** What `digest` and `verify` do not begin with, and what they say then. */

const BLOCKS = 30;
const NETWORK = { seed: 12, blocks: BLOCKS, parties: 10, markets: 1 };

const network = await forAllTests(createSimulatedDatabase(NETWORK));

test('a base that is not whole is not called the same, is given no digest, and is not up to date', async () => {
  await using half = await createDisposableDatabase();
  await ask(half.url, 'CREATE TABLE base_ingest (kind text, name text, value text)');
  for (const [args, url] of [
    [['verify', half.url], network.url],
    [['verify', half.url, '--blocks'], network.url],
    [['verify', network.url], half.url],
    [['digest'], half.url],
    [['migrate'], half.url],
  ] as const)
    expect(await run(args, url), args.join(' ')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^periscope: A base was begun to be taken into this database/),
    });
});

test('the address of a database that is none is a mistake of the command line', async () => {
  for (const address of ['postgres://h:99999/db', 'postgresql://[::/db'])
    expect(await run(['verify', address])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('The address of a database is postgres://'),
    });
});

test('a database without tables is named, with what makes them', async () => {
  await using empty = await createEmptyDatabase();
  const { code, stderr } = await run(['verify', empty.url]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      `periscope: The database at ${placeOf(empty.url)} lacks tables of this version. Make them with: periscope migrate`,
    ),
  ]);
});

test('an embedded database of an older version is left as it is', async () => {
  await using folder = await createFolder();
  const dataDir = join(folder.path, 'network');
  await chmod(folder.path, 0o755);
  await using postgres = await openPostgres({ dataDir });
  await using older = await copyMigrations(NAMES[1]);
  await migrate(postgres.url, { folder: older.path });
  const readTables = () =>
    ask(postgres.url, 'SELECT relname FROM pg_class UNION SELECT rolname FROM pg_roles');
  const before = await readTables();
  for (const args of [['verify'], ['digest'], ['export', join(folder.path, 'parts')]])
    expect(await runProgram(args, { DATA_DIR: dataDir }), args[0]).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: `periscope: The database in ${dataDir} lacks tables of this version. Make them with: periscope migrate (in a checkout: npm run migrate)\n`,
    });
  expect(await readTables()).toEqual(before);
});

test('a database that its server does not have is refused by its own name, not by that of the settings', async () => {
  const none = new URL(network.url);
  none.pathname = '/none_of_that_name';
  expect(await run(['verify', none.href])).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: `periscope: The database at ${placeOf(none.href)} refuses: database "none_of_that_name" does not exist.\n`,
  });
});

test('two databases of one server are called by their own names', async () => {
  await using other = await createSimulatedDatabase({ ...NETWORK, blocks: BLOCKS - 1 });
  const names = [network.url, other.url].map((url) => `the database at ${placeOf(url)}`);
  expect(names[0]).not.toBe(names[1]);
  const { code, stdout } = await run(['verify', network.url, other.url]);
  expect([code, stdout.split('\n')[0]]).toEqual([
    0,
    `At block ${BLOCKS - 1}, ${names[0]} and ${names[1]} are the same.`,
  ]);
});

test('a height that is not there is refused, with those that are', async () => {
  await using gateway = await startTestGateway(network.url);
  for (const at of ['0', '100000']) {
    const alone = await run(['verify', '--at', at]);
    expect([alone.code, alone.stdout, alone.stderr]).toEqual([
      ...[1, ''],
      `periscope: There is no block at height ${at} to be read again: blocks 1 to ${BLOCKS} can be.\n`,
    ]);
    for (const [args, name] of [
      [['digest'], 'the server at DATABASE_URL'],
      [['verify', gateway.url], gateway.url],
      [['verify', network.url], `the database at ${placeOf(network.url)}`],
    ] as const) {
      const { code, stdout, stderr } = await run([...args, '--at', at]);
      expect([code, stdout, stderr]).toEqual([
        ...[1, ''],
        `periscope: ${name} has no block at height ${at}: it has blocks 1 to ${BLOCKS}.\n`,
      ]);
    }
  }
  await using empty = await createDisposableDatabase();
  for (const args of [['digest'], ['verify'], ['verify', network.url]])
    expect(await run(args, empty.url)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^periscope: the server at DATABASE_URL has no block/),
    });
});

test('a folder of parts that cannot be read is no folder without parts', async () => {
  await using folder = await createFolder();
  const path = join(folder.path, 'parts');
  await mkdir(path);
  expect((await run(['verify', path])).stderr).toContain('it has no manifest.json');
  // What another user may not read, root may; nobody follows a link to itself.
  await symlink('manifest.json', join(path, 'manifest.json'));
  const { code, stdout, stderr } = await run(['verify', path]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`periscope: ${join(path, 'manifest.json')} cannot be read: ELOOP`);
});

/** As an address of the tests' server has it, which may be a socket's. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

function run(args: readonly string[], url = network.url) {
  return runProgram(args, { DATABASE_URL: url });
}
