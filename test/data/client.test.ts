import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { createConnection } from '../../src/data/servers/connect.ts';
import { isUnavailable } from '../../src/data/servers/unavailable.ts';
import { sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { createTestDatabase } from '../support/database.ts';
import { serverPid } from '../support/embedded-folders.ts';
import { ask } from '../support/state.ts';
import { PostgresHolder } from './postgres-holder.ts';

const asleep = ({ statements }: Database, seconds: number) =>
  statements.rows(unkept(sql`SELECT pg_sleep(${seconds})::text`));
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** The connections of the gateway. */
const OURS = "FROM pg_stat_activity WHERE application_name = 'periscope' AND datname = current_database()";
const statesOf = async (url: string) =>
  (await ask(url, `SELECT state ${OURS} ORDER BY state`)).map(({ state }) => state);

test('the serving role reads, and cannot write in any way', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true });
  expect(await database.prisma.network.findMany()).toEqual([]);
  const writes = [
    () => database.prisma.network.create({ data: { chainId: 'chain' } }),
    () => database.prisma.$executeRaw`INSERT INTO networks VALUES ('chain')`,
    () => database.prisma.$transaction([database.prisma.network.deleteMany()]),
  ];
  for (const write of writes) {
    const error = await failure(write());
    expect(String(error)).toContain('in a read-only transaction');
    expect(isUnavailable(error)).toBe(false);
  }
});

test('an address cannot make the serving role a writing one, and keeps its other settings', async () => {
  await using place = await createTestDatabase();
  const url = new URL(place.url);
  url.searchParams.set('options', '-c default_transaction_read_only=off -c work_mem=5MB');
  await using database = openDatabase({ url: url.href, readOnly: true });
  const settings = await database.prisma.$queryRaw`
    SELECT current_setting('default_transaction_read_only') AS "readOnly", current_setting('work_mem') AS memory`;
  expect(settings).toEqual([{ readOnly: 'on', memory: '5MB' }]);
});

test('a role that may write writes', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: false });
  await database.prisma.network.create({ data: { chainId: 'chain' } });
  expect(await database.prisma.network.count()).toBe(1);
});

test('a statement that takes too long is cut off, as unavailable', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, statementTimeoutMs: 100 });
  expect(isUnavailable(await failure(asleep(database, 10)))).toBe(true);
});

test('the server itself stops a statement that takes too long, and nothing of it goes on there', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, statementTimeoutMs: 1234 });
  expect(await database.prisma.$queryRaw`SHOW statement_timeout`).toEqual([{ statement_timeout: '1234ms' }]);
  // The driver gives a lost server up a little later, and would leave the statement to itself.
  const cutOff = await failure(asleep(database, 3600));
  expect(String(cutOff)).toContain('canceling statement due to statement timeout');
  await expect.poll(() => statesOf(place.url)).not.toContain('active');
});

test('a read that finds the disk of the server full is unavailable', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true });
  const raise = `DO $$ BEGIN RAISE 'could not write to file' USING ERRCODE = 'disk_full'; END $$`;
  expect(isUnavailable(await failure(database.prisma.$executeRawUnsafe(raise)))).toBe(true);
});

test('who finds no free connection in time is told so, as unavailable', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const busy = failure(asleep(database, 3));
  expect(isUnavailable(await failure(ping(database)))).toBe(true);
  expect(await busy).toBeUndefined();
  await ping(database);
});

test('a server that takes connections and says nothing is unavailable within the limit', async () => {
  await using mute = await listenMutely();
  await using database = openDatabase({ url: mute.url, readOnly: true });
  expect(isUnavailable(await failure(ping(database)))).toBe(true);
});

test('so it is to a connection of its own, which the driver gives up in other words', async () => {
  await using mute = await listenMutely();
  const connection = createConnection(mute.url, { purpose: 'test', connectionTimeoutMillis: 50 });
  const error = await failure(connection.connect());
  expect(String(error)).toBe('Error: timeout expired');
  expect(isUnavailable(error)).toBe(true);
});

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'])(
  'a connection that breaks by %s is unavailable',
  (code) => {
    expect(isUnavailable(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }))).toBe(true);
  },
);

test('a connection that falls silent is unavailable, and the next query has another one', async () => {
  await using place = await createTestDatabase();
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    const host = new URL(place.url).searchParams.get('host');
    const upstream = host
      ? connect(`${host}/.s.PGSQL.5432`)
      : connect(Number(new URL(place.url).port), new URL(place.url).hostname);
    sockets.push(
      socket.on('error', () => {}),
      upstream.on('error', () => {}),
    );
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(place.url);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await using database = openDatabase({ url: url.href, readOnly: true, statementTimeoutMs: 100 });
  await ping(database);
  for (const socket of sockets) socket.unpipe().pause();
  expect(isUnavailable(await failure(ping(database)))).toBe(true);
  await ping(database);
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

test('a connection lost under a query is unavailable, and the next query has another one', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true });
  await ping(database);
  const inQuery = failure(asleep(database, 10));
  const inPrisma = failure(database.prisma.$queryRaw`SELECT pg_sleep(10)::text`);
  await expect.poll(() => statesOf(place.url)).toEqual(['active', 'active']);
  await ask(place.url, `SELECT pg_terminate_backend(pid, 5000) ${OURS}`);
  expect(isUnavailable(await inQuery)).toBe(true);
  expect(isUnavailable(await inPrisma)).toBe(true);
  await ping(database);
});

test('a server that is killed is unavailable until it is back, without a new pool', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-client-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'network');
  try {
    await using holder = new PostgresHolder({ dataDir });
    const url = await holder.opened();
    await using database = openDatabase({ url, readOnly: true });
    await ping(database);
    const cutOff = failure(asleep(database, 10));
    await expect.poll(() => statesOf(url)).toContain('active');
    // First whoever would start it again.
    await holder.kill();
    process.kill(serverPid(dataDir) as number, 'SIGKILL');
    expect(isUnavailable(await cutOff)).toBe(true);
    expect(isUnavailable(await failure(ping(database)))).toBe(true);
    expect(isUnavailable(await failure(database.prisma.deposit.findMany()))).toBe(true);
    // For a moment, while it is started again, there is not even a socket.
    const socket = `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`;
    await rm(socket, { force: true });
    expect(isUnavailable(await failure(ping(database)))).toBe(true);
    expect(isUnavailable(await failure(database.prisma.deposit.findMany()))).toBe(true);
    await using _again = await openPostgres({ dataDir });
    await ping(database);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a wrong question is not unavailability', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true });
  expect(isUnavailable(await failure(database.prisma.$queryRaw`SELECT 1 / 0`))).toBe(false);
  expect(isUnavailable(await failure(database.prisma.deposit.findMany({ where: { id: '\0' } })))).toBe(false);
  expect(isUnavailable(new Error('Connection of another kind'))).toBe(false);
  expect(isUnavailable(undefined)).toBe(false);
});

function ping({ statements }: Database): Promise<unknown> {
  return statements.rows(unkept(sql`SELECT 1`));
}

/** A server that takes connections and says nothing. */
async function listenMutely(): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgresql://a@127.0.0.1:${(server.address() as AddressInfo).port}/a`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
