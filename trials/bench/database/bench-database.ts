import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { defaultDataDir, openPostgres } from '../../../src/data/embedded/postgres.ts';
import { migrate } from '../../../src/data/migrate.ts';
import { grantReader } from '../../../src/data/upkeep/readers.ts';
import { giveWay } from '../servers/start-server.ts';
import type { Size } from '../size.ts';
import { fill } from './fill.ts';

/** The role that every server of the bench reads as, and by which their backends are told from the writer's. */
export const READER = 'bench_reader';

/** A database of the bench, dropped when it is disposed of. */
export interface BenchDatabase extends AsyncDisposable {
  /** Its address for the writer, and for those that serve. */
  readonly url: string;
  readonly readerUrl: string;
}

/** The bench's own PostgreSQL, with the settings that the embedded one has anywhere. */
export interface BenchPostgres extends AsyncDisposable {
  /** The process of the server, whose children are the backends. */
  readonly pid: number;
  readonly dataFolder: string;
  readonly version: string;
  /** A database with the rows of a size, as nobody has changed them yet. */
  createFilled(): Promise<BenchDatabase>;
  /** A migrated database without a row. */
  createEmpty(): Promise<BenchDatabase>;
  /** A database as one of these is now, with its partitions; nobody may be connected to that. */
  createCopyOf(database: BenchDatabase): Promise<BenchDatabase>;
  /** A database without a table. */
  createBare(): Promise<BenchDatabase>;
  /** A database that the caller fills once, kept under this name for later runs: for those who only read it. */
  openKept(name: string, fill: Fill): Promise<Omit<BenchDatabase, keyof AsyncDisposable>>;
}

type Fill = (client: pg.Client) => Promise<void>;

/** Opens the folder of the bench, which is kept: filling takes minutes, copying what was filled seconds. */
export async function openBenchPostgres(size: Size, say: (text: string) => void): Promise<BenchPostgres> {
  const postgres = await openPostgres({ dataDir: join(dirname(defaultDataDir()), 'bench') });
  const server = postgres.url;
  const { pid, dataFolder, version } = await describeServer(server);
  giveWay(pid); // What it starts from now on does as well.
  let count = 0;

  /** Fills a database unless it is there, and gives its name. */
  async function keep(name: string, fillIt: Fill): Promise<string> {
    const kept = `bench_${name}_${fingerprint(size)}`;
    await dropWhere(server, (other) => other.startsWith(`bench_${name}_`) && other !== kept);
    if (!(await listDatabases(server)).includes(kept)) {
      say(`filling the database (${name}) ...`);
      await makeTemplate(server, kept, fillIt);
    }
    return kept;
  }

  async function createCopy(kept: string): Promise<BenchDatabase> {
    count += 1;
    const own = `run_${process.pid}_${count}`;
    await ask(server, `CREATE DATABASE ${own} TEMPLATE ${kept} STRATEGY file_copy`);
    // What Periscope asks of each of its sessions, for its peers too: a random read costs what one in order does.
    await ask(server, `ALTER DATABASE ${own} SET random_page_cost = 1.1`);
    const dispose = () => ask(server, `DROP DATABASE IF EXISTS ${own} WITH (FORCE)`).then(() => {});
    return { ...addressesOf(server, own), [Symbol.asyncDispose]: dispose };
  }

  await dropWhere(server, (name) => name.startsWith('run_') && !isAlive(Number(name.split('_')[1])));
  return {
    pid,
    dataFolder,
    version,
    openKept: async (name, fillIt) => addressesOf(server, await keep(name, fillIt)),
    createFilled: async () => createCopy(await keep(size.name, (client) => fill(client, size.rows))),
    createEmpty: async () => createCopy(await keep('empty', async () => {})),
    createCopyOf: ({ url }) => createCopy(new URL(url).pathname.slice(1)),
    createBare: () => createCopy('template0'),
    [Symbol.asyncDispose]: async () => {
      await dropWhere(server, (name) => name.startsWith(`run_${process.pid}_`));
      await postgres.close();
    },
  };
}

/** Lends a connection of its own. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // What is lost here fails the query that waits for it.
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The rows that a statement gives on a connection of its own. */
export function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(sql)).rows);
}

async function makeTemplate(server: string, template: string, fillIt: Fill): Promise<void> {
  const making = `${template}_making`;
  await ask(server, `DROP DATABASE IF EXISTS ${making} WITH (FORCE)`);
  await ask(server, `CREATE DATABASE ${making} TEMPLATE template0`);
  const url = addressOf(server, making);
  await migrate(url);
  await grantReader(url, READER);
  await withClient(url, fillIt);
  await ask(server, `ALTER DATABASE ${making} RENAME TO ${template}`);
}

async function describeServer(server: string) {
  const [row] = await ask<{ folder: string; version: string }>(
    server,
    "SELECT current_setting('data_directory') AS folder, current_setting('server_version') AS version",
  );
  const { folder = '', version = '' } = row ?? {};
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { pid, dataFolder: folder, version };
}

/** What a filled database depends on: it is filled anew when one of these has changed. */
function fingerprint({ rows, deepRewards, pastAccounts, past }: Size): string {
  const folder = join('prisma', 'migrations');
  const migrations = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sql'),
  );
  const here = import.meta.dirname;
  const files = [
    ...migrations.sort().map((name) => join(folder, name)),
    ...['fill.ts', 'fill-past.ts', 'rows.ts'].map((name) => join(here, name)),
  ];
  const digest = createHash('sha256').update(JSON.stringify({ rows, deepRewards, pastAccounts, past }));
  for (const file of files) digest.update(readFileSync(file));
  return digest.digest('hex').slice(0, 12);
}

async function dropWhere(server: string, isLeft: (name: string) => boolean): Promise<void> {
  for (const name of (await listDatabases(server)).filter(isLeft)) {
    await ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

async function listDatabases(server: string): Promise<readonly string[]> {
  return (await ask<{ name: string }>(server, 'SELECT datname AS name FROM pg_database')).map(
    ({ name }) => name,
  );
}

function addressesOf(server: string, name: string) {
  const url = addressOf(server, name);
  return { url, readerUrl: Object.assign(new URL(url), { username: READER }).href };
}

function addressOf(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
