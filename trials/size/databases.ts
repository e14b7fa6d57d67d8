import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import type { Settings } from '../../src/data/embedded/server-settings.ts';
import { rankAccounts } from '../../src/data/history/ranks.ts';
import { migrate } from '../../src/data/migrate.ts';
import { ask, withClient } from '../bench/database/bench-database.ts';
import { fill } from '../bench/database/fill.ts';
import type { TableSizes } from '../bench/size.ts';
import type { Standing } from './traffic.ts';

/** The folder of the large database, which is kept: filling it takes a quarter of an hour. */
const DATA_DIR = databaseFolder('size');

/** Of whoever fills: nothing is lost that could not be filled again. */
const FILLING: Settings = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '16GB' },
  ...{ max_parallel_maintenance_workers: '1', autovacuum: 'off' },
};

/** Where a database is kept under a name. */
export function databaseFolder(name: string): string {
  return join('.periscope', name);
}

/** Fills the database of a folder unless it is there. */
export async function keepDatabase(
  dataDir: string,
  fillIt: (client: pg.Client) => Promise<void>,
  say: (text: string) => void,
): Promise<void> {
  const start = performance.now();
  await using postgres = await openPostgres({ dataDir, settings: FILLING });
  await migrate(postgres.url);
  if ((await standingOf(postgres.url)).height > 0) return;
  say(`filling ${dataDir} ...`);
  await withClient(postgres.url, async (client) => {
    await fillIt(client);
    await rankAccounts(client);
  });
  say(`filled in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

/** Fills the large database unless it is there. */
export function keepLargeDatabase(sizes: TableSizes, say: (text: string) => void): Promise<void> {
  return keepDatabase(DATA_DIR, (client) => fill(client, sizes), say);
}

/** Opens the server of the large database, with settings on top of those that every embedded one has. */
export function openLarge(settings: Settings) {
  return openPostgres({ dataDir: DATA_DIR, settings });
}

/** A migrated database on the same server without a row but those of the parties: a network announces them before they act. */
export async function createEmptyBeside(
  url: string,
  parties: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const name = 'size_empty';
  const drop = () => ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(() => {});
  await drop();
  await ask(url, `CREATE DATABASE ${name} TEMPLATE template0 STRATEGY file_copy`);
  const empty = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await migrate(empty);
  await ask(
    empty,
    `INSERT INTO parties (id, created_position)
     SELECT encode(sha256(convert_to('party ' || n, 'UTF8')), 'hex'), n FROM generate_series(0, ${parties - 1}) AS n`,
  );
  return { url: empty, [Symbol.asyncDispose]: drop };
}

/** Where a database stands. */
export async function standingOf(url: string): Promise<Standing> {
  const [row] = await ask<{ chain: string; height: string; timestamp: string }>(
    url,
    'SELECT chain_id AS chain, height, timestamp FROM networks, blocks ORDER BY height DESC LIMIT 1',
  );
  return {
    chainId: row?.chain ?? 'bench-network',
    height: Number(row?.height ?? 0),
    timestamp: BigInt(row?.timestamp ?? 1_700_000_000_000_000_000n),
  };
}

/** Has the system forget the files of a database, the large one unless it is said, while its server is not running. */
export async function coolDown(dataDir = DATA_DIR): Promise<void> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    await promisify(execFile)('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
  }
}
