import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { describeStatus } from '../../src/commands/describe-status.ts';
import type { WholeStatus } from '../../src/commands/whole-status.ts';
import { migrate } from '../../src/data/migrate.ts';
import { copyMigrations } from '../data/migrations-folder.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { readListening, runProgram, startProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';

const NETWORK = { seed: 3, blocks: 120, parties: 5, markets: 1 };

test('names what runs on a server, its newest block, and how far a gateway is behind', async () => {
  await using network = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(network.url);
  const { port } = new URL(gateway.url);
  const environment = { DATABASE_URL: network.url, PORT: port };
  const { code, status } = await readStatus(environment);
  expect(code).toBe(0);
  expect(status.gateway).toEqual({
    servers: null,
    url: gateway.url,
    state: 'ready',
    reason: null,
    height: '120',
    lagBlocks: '0',
    workers: null,
  });
  // The network's writer is open, and takes blocks in.
  expect(status).toMatchObject({ gateways: 1, ingesting: true, network: 'simulated-3-5p-1m' });
  const [newest] = await ask<{ timestamp: string }>(
    network.url,
    'SELECT timestamp FROM blocks WHERE height = 120',
  );
  expect(status.block).toMatchObject({ height: '120', timestamp: newest?.timestamp });
  const age = Date.now() - Number(BigInt(newest?.timestamp as string) / 1_000_000n);
  expect(status.block?.ageMilliseconds).toBeGreaterThan(age - 120_000);
  expect(status.block?.ageMilliseconds).toBeLessThanOrEqual(age);
  expect(status.database).toMatchObject({ place: 'the server at DATABASE_URL', state: 'running', pid: null });
  expect(Number(status.database.bytes)).toBeGreaterThan(1_000_000);
  expect(status.database.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['blocks', 'votes']));
  expect(status.versions).toMatchObject({
    periscope: packageJson.version,
    node: process.versions.node,
    pendingMigrations: 0,
  });

  const { stdout } = await runProgram(['status'], environment);
  expect(stdout).toContain(`gateway   ready at ${gateway.url}, at block 120 (0 behind)\n`);
  expect(stdout).toContain('ingest    running\n');
  expect(stdout).toMatch(/^block {5}120, \d+ days old \(2026-01-01T00:\d\d:\d\d\.\d{3}Z\)$/m);
});

test('names the numbers that the database holds and this version has no name for, by what they are served as', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await network.block(
    { owner: party(2), balance: '1', type: 99 },
    { owner: party(3), balance: '1', type: 35 },
  );
  await network.block({ owner: party(4), balance: '1', type: 99 });
  // Of a number that has got a name since nothing need be said.
  await ask(
    network.url,
    `INSERT INTO unknown_numbers (field, number, created_position)
     VALUES ('accounts.type', 4, 1), ('gone.field', 7, ${3n << 20n})`,
  );
  const environment = { DATABASE_URL: network.url, PORT: '1' };
  const { status } = await readStatus(environment);
  expect(status.unknownNumbers).toEqual([
    { field: 'accounts.type', servedAs: 'ACCOUNT_TYPE_99', sinceHeight: '2' },
    { field: 'accounts.type', servedAs: 'ACCOUNT_TYPE_35', sinceHeight: '2' },
    { field: 'gone.field', servedAs: '7', sinceHeight: '3' },
  ]);
  const { stdout } = await runProgram(['status'], environment);
  expect(stdout).toContain(
    'unknown   ACCOUNT_TYPE_99 in accounts.type since block 2: a newer Periscope may name it\n',
  );
  expect(stdout).not.toContain('ACCOUNT_TYPE_GENERAL');
});

test('says nothing of unknown numbers where there are none, or no table of them yet', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
  const { status } = await readStatus({ DATABASE_URL: network.url, PORT: '1' });
  expect(status.unknownNumbers).toEqual([]);
  expect(describeStatus(status, false)).not.toContain('unknown   ');
  await using folder = await copyMigrations('20261123090000_enumeration_numbers');
  await using old = await createEmptyDatabase();
  await migrate(old.url, { folder: folder.path });
  const older = await readStatus({ DATABASE_URL: old.url, PORT: '1' });
  expect(older.status).toMatchObject({ unknownNumbers: [], database: { state: 'running' } });
  expect(older.status.versions.pendingMigrations).toBeGreaterThan(0);
});

test('of an embedded database that cannot be read says so in a line, and all else that there is to say', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-status-'));
  try {
    // What another user may not read, root may; nobody reads a folder as a file.
    const path = join(folder, 'postgres', 'postmaster.pid');
    await mkdir(path, { recursive: true });
    const environment = { DATA_DIR: folder, PORT: await findClosedPort() };
    const { code, stdout, stderr } = await runProgram(['status'], environment);
    expect([code, stderr]).toEqual([3, '']);
    expect(stdout).toMatch(/^gateway {3}not running at /m);
    expect(stdout).toMatch(/^database {2}unreachable: \S+: it cannot be read: EISDIR.*$/m);
    expect(stdout).toMatch(/^versions {2}Periscope /m);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('of an embedded database says whether it runs, and neither starts nor makes it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-status-'));
  await chmod(folder, 0o755);
  try {
    const environment = { DATA_DIR: join(folder, 'network'), PORT: '0' };
    const absent = await readStatus({ ...environment, PORT: await findClosedPort() });
    expect(absent.code).toBe(3);
    expect(absent.status).toMatchObject({
      gateway: { state: 'not running' },
      database: { state: 'absent' },
      block: null,
    });
    expect(await readdir(folder)).toEqual([]);

    await runProgram(
      ['ingest', 'simulate', '--blocks', '12', '--parties', '5', '--markets', '1'],
      environment,
    );
    const stopped = await readStatus(environment);
    expect(stopped.status).toMatchObject({
      gateway: { state: 'unknown', url: null },
      database: { state: 'stopped' },
    });
    expect(Number(stopped.status.disk.folderBytes)).toBeGreaterThan(1_000_000);
    expect(Number(stopped.status.disk.freeBytes)).toBeGreaterThan(1_000_000);

    await using program = startProgram(['serve'], environment);
    const url = await readListening(program.process.stdout as NonNullable<typeof program.process.stdout>);
    const { port } = new URL(url as string);
    const running = await readStatus({ ...environment, PORT: port });
    expect(running.code).toBe(0);
    expect(running.status).toMatchObject({
      gateway: { state: 'ready', height: '12' },
      gateways: 1,
      ingesting: false,
      block: { height: '12' },
      historyFrom: { height: '1' },
      pastFrom: '1',
      database: { state: 'running', place: environment.DATA_DIR, pid: expect.any(Number) },
    });
    program.process.kill('SIGTERM');
    await program.ended;
    expect((await readStatus(environment)).status.database.state).toBe('stopped');
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
});

test('says why a database cannot be asked, and what it lacks', async () => {
  const lost = await readStatus({ DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '1' });
  expect(lost.status.database).toMatchObject({
    state: 'unreachable',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
  await using empty = await createEmptyDatabase();
  const bare = await readStatus({ DATABASE_URL: empty.url, PORT: '1' });
  expect(bare.status.versions).toMatchObject({ migration: null, pendingMigrations: expect.any(Number) });
  expect(bare.status.versions.pendingMigrations).toBeGreaterThan(2);
  expect(describeStatus(bare.status, false)).toContain('migrations to come: periscope migrate)');
});

test('has colours where they are seen, and the same words', async () => {
  const { status } = await readStatus({ DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '1' });
  const coloured = describeStatus(status, true);
  expect(coloured).toContain('\u001b[31munreachable\u001b[39m');
  expect(stripVTControlCharacters(coloured)).toBe(describeStatus(status, false));
});

async function findClosedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

async function readStatus(environment: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runProgram(['status', '--json'], environment);
  expect(stderr).toBe('');
  return { code, status: JSON.parse(stdout) as WholeStatus };
}
