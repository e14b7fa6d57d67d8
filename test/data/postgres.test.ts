import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { findServer } from '../../src/data/embedded/server.ts';
import type { Settings } from '../../src/data/embedded/server-settings.ts';
import { openPlace } from '../../src/data/open.ts';
import { EmbeddedFolders, serverPid } from '../support/embedded-folders.ts';
import { within } from '../support/message-queue.ts';
import { ask, withClient } from '../support/state.ts';
import { PostgresHolder } from './postgres-holder.ts';

const isRoot = process.getuid?.() === 0;

let folders: EmbeddedFolders;

beforeAll(async () => {
  folders = await EmbeddedFolders.create();
});

afterAll(() => folders.dispose());

describe('one process', () => {
  test('makes a database where there is none, and finds its data again', async () => {
    const dataDir = folders.path('a', 'new', 'folder');
    const first = await openPostgres({ dataDir });
    await ask(first.url, "CREATE TABLE notes AS SELECT 'kept' AS text");
    await first.close();
    expect(serverPid(dataDir)).toBeUndefined();
    await using second = await openPostgres({ dataDir });
    expect(await ask(second.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
  });

  test('gives a database of UTF-8, compared by code point, in UTC, that loses nothing', async () => {
    await using postgres = await openPostgres({ dataDir: folders.original });
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

  test('runs with the settings that it is given, and says what the matter is with one that PostgreSQL does not take', async () => {
    const open = (postgresSettings: Settings) =>
      openPlace({ url: null, dataDir: folders.path('set'), postgresSettings });
    {
      await using place = await open({ shared_buffers: '64MB', wal_compression: 'pglz' });
      const [row] = await ask(
        place.url,
        `SELECT current_setting('shared_buffers') AS buffers, current_setting('wal_compression') AS wal`,
      );
      expect(row).toEqual({ buffers: '64MB', wal: 'pglz' });
    }
    await expect(open({ shared_bufers: '64MB' })).rejects.toThrow(/shared_bufers/);
  });

  test.each([
    ['is made', () => folders.path('made', 'meanwhile')],
    ['is started', () => folders.original],
  ])(
    'says when there is time for something else: before the database that %s is ready',
    async (_, dataDirOf) => {
      const dataDir = dataDirOf();
      const cluster = join(dataDir, 'postgres');
      const seen: boolean[] = [];
      const meanwhile = () => void seen.push(findServer({ cluster })?.isReady ?? false);
      await using _postgres = await openPostgres({ dataDir, meanwhile });
      expect(seen[0]).toBe(false);
      seen.length = 0;
      await using _again = await openPostgres({ dataDir, meanwhile });
      expect(seen).toEqual([true]);
    },
  );

  test('starts and stops though the clock is put forward meanwhile', async () => {
    const { now } = Date;
    let ahead = 0;
    Date.now = () => {
      ahead += 3_600_000;
      return now() + ahead;
    };
    onTestFinished(() => void Object.assign(Date, { now }));
    const postgres = await openPostgres({ dataDir: folders.original });
    expect(await ask(postgres.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    await postgres.close();
    expect(serverPid(folders.original)).toBeUndefined();
  });

  test('closes twice as once', async () => {
    const dataDir = folders.original;
    const postgres = await openPostgres({ dataDir });
    await Promise.all([postgres.close(), postgres.close()]);
    await postgres.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('keeps the database from other users by the folder of its socket', async () => {
    const dataDir = folders.original;
    await using _postgres = await openPostgres({ dataDir });
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['a path with spaces, quotes and commas', `a path, 'quoted' "twice"`],
    ['a path too long for a socket', join('long'.repeat(20), 'longer'.repeat(15))],
  ])('works in %s', async (_title, name) => {
    const dataDir = folders.copy(name);
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
    const dataDir = folders.original;
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
    const dataDir = folders.path('same-instant');
    const holders = [1, 2, 3].map(() => new PostgresHolder({ dataDir }));
    const urls = await Promise.all(holders.map((holder) => holder.opened()));
    expect(new Set(urls).size).toBe(1);
    await Promise.all(holders.map((holder) => holder.close()));
    expect(serverPid(dataDir)).toBeUndefined();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('partial-'))).toEqual([]);
  });

  test('that are slow to leave take nothing from the next server', async () => {
    const dataDir = folders.original;
    const log = join(dataDir, 'postgres.log');
    await using leaving = new PostgresHolder({ dataDir });
    await leaving.opened();
    const [pid, mark] = [serverPid(dataDir), statSync(log).size];
    const closed = leaving.close();
    const isStopping = () => readFileSync(log).subarray(mark).includes('received fast shutdown');
    await expect.poll(isStopping, { interval: 1 }).toBe(true);
    // It loses the processor for a moment, right after it has told the server to stop.
    leaving.process.kill('SIGSTOP');
    await expect.poll(() => serverPid(dataDir)).not.toBe(pid);
    await using next = new PostgresHolder({ dataDir });
    const url = await next.opened();
    leaving.process.kill('SIGCONT');
    await closed;
    expect(await ask(url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    await next.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('come and go in any order, each finding a server that works', async () => {
    const dataDir = folders.original;
    const holders = [1, 2, 3].map(() => new PostgresHolder({ dataDir, cycles: 8 }));
    await Promise.all(holders.map((holder) => holder.opened().then(() => holder.close())));
    expect(serverPid(dataDir)).toBeUndefined();
  });
});

describe('after a kill', () => {
  test('a killed process leaves the server to the next one, who stops it', async () => {
    const dataDir = folders.original;
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
    const dataDir = folders.original;
    await using interrupted = new PostgresHolder({ dataDir });
    const url = await interrupted.opened();
    await interrupted.kill('SIGINT');
    expect(await ask(url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    await (await openPostgres({ dataDir })).close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('a killed server starts again with what was committed', async () => {
    const dataDir = folders.copy();
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
    const dataDir = folders.original;
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
    const dataDir = folders.original;
    await using survivor = new PostgresHolder({ dataDir });
    await survivor.opened();
    process.kill(serverPid(dataDir) as number, 'SIGKILL');
    const postgres = await openPostgres({ dataDir });
    // Who has connected is a member once it holds its lock.
    const members = `
      SELECT FROM pg_stat_activity JOIN pg_locks USING (pid)
      WHERE application_name = 'periscope member' AND locktype = 'advisory' AND granted`;
    await expect.poll(() => ask(postgres.url, members)).toHaveLength(2);
    const pid = serverPid(dataDir);
    await postgres.close();
    expect(serverPid(dataDir)).toBe(pid);
    await survivor.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('a process whose server is killed starts it again', async () => {
    const dataDir = folders.original;
    await using holder = new PostgresHolder({ dataDir });
    const url = await holder.opened();
    const pid = serverPid(dataDir) as number;
    process.kill(pid, 'SIGKILL');
    const kept = () => ask(url, 'SELECT text FROM notes').catch(() => null);
    await expect.poll(kept).toEqual([{ text: 'kept' }]);
    expect(serverPid(dataDir)).not.toBe(pid);
    await holder.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test('a server that recovers from a crash is stopped too by the last one', async () => {
    const dataDir = folders.copy();
    const postgres = await openPostgres({ dataDir });
    const checkpointer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
    const [row] = await ask(postgres.url, checkpointer);
    await withClient(postgres.url, async (client) => {
      // Before it recovers, the server ends all connections.
      const isCut = new Promise((resolve) => client.once('end', resolve));
      process.kill(Number(row?.['pid']), 'SIGKILL');
      await within(isCut, 'the end of a connection');
    });
    await postgres.close();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("a dead server's number may be another process's by now, of the same user", async () => {
    const dataDir = folders.original;
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
    const dataDir = folders.path('half-made');
    await using killed = new PostgresHolder({ dataDir });
    const isHalfMade = () =>
      existsSync(dataDir) &&
      readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'postgresql.conf')));
    await expect.poll(isHalfMade, { interval: 5 }).toBe(true);
    await killed.kill();
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    await using postgres = await openPostgres({ dataDir });
    expect(await ask(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
