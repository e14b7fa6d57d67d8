import { statSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundLog, readTail } from '../../src/data/embedded/log.ts';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { EmbeddedFolders } from '../support/embedded-folders.ts';
import { ask } from '../support/state.ts';

let folders: EmbeddedFolders;

beforeAll(async () => {
  folders = await EmbeddedFolders.create();
});

afterAll(() => folders.dispose());

test("another major version's database is named", async () => {
  const dataDir = folders.original;
  const file = join(dataDir, 'postgres', 'PG_VERSION');
  const version = await readFile(file);
  await writeFile(file, '17\n');
  await expect(openPostgres({ dataDir })).rejects.toThrow(
    `The embedded database in DATA_DIR ${dataDir} could not be opened. It holds a database of PostgreSQL 17`,
  );
  await writeFile(file, version);
});

test('a server that cannot start shows what it logged', async () => {
  const dataDir = folders.copy();
  await truncate(join(dataDir, 'postgres', 'global', 'pg_control'), 100);
  await expect(openPostgres({ dataDir })).rejects.toThrow(/could not be opened.*\n(.*\n)*.*pg_control/);
});

test('a data folder that is a file is named', async () => {
  const file = folders.path('file');
  await writeFile(file, '');
  await expect(openPostgres({ dataDir: file })).rejects.toThrow(
    /DATA_DIR .*file could not be opened\. EEXIST/,
  );
});

test("a socket's folder in /tmp that somebody else has made is refused", async () => {
  const dataDir = folders.copy(join('deep'.repeat(20), 'deeper'.repeat(15)));
  const postgres = await openPostgres({ dataDir });
  await postgres.close();
  const folder = new URL(postgres.url).searchParams.get('host') as string;
  await mkdir(folder);
  await chmod(folder, 0o777);
  await expect(openPostgres({ dataDir })).rejects.toThrow(`${folder} is for its server's socket`);
  await rm(folder, { recursive: true });
});

test('a server whose process is that of another container is left alone, and named', async () => {
  const dataDir = folders.copy();
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const postgres = await openPostgres({ dataDir });
  const written = await readFile(file, 'utf8');
  // As it is seen where the process is not: its number is nobody's there.
  const unseen = written.replace(/^\d+/, String(2 ** 22 + 1));
  await writeFile(file, unseen);
  await expect(openPostgres({ dataDir })).rejects.toThrow(
    /could not be opened\. A server runs on it.*docker exec/,
  );
  expect(await readFile(file, 'utf8')).toBe(unseen);
  expect(await ask(postgres.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
  await writeFile(file, written);
  await postgres.close();
});

test('the log is cut when it has grown to megabytes, and what was in it kept once', async () => {
  const log = folders.path('a.log');
  await writeFile(log, 'a line\n'.repeat(1_000_000));
  boundLog(log)();
  await expect.poll(() => statSync(log).size).toBe(0);
  expect(statSync(`${log}.old`).size).toBe(7_000_000);
  await writeFile(log, 'a line\n');
  boundLog(log)();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await readTail(log)).toBe('a line');
});
