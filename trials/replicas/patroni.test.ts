import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { accountFor } from '../../src/data/embedded/account.ts';
import { migrate } from '../../src/data/migrate.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { startGateway } from '../../src/server.ts';
import { findFreePort, findProgram } from '../../test/live/proxy.ts';
import { openNdjson } from '../../test/support/http-clients.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { ask } from '../../test/support/state.ts';
import { Blocks } from './blocks.ts';
import { HAPROXY } from './primary-proxy.ts';
import { POSTGRES_PROGRAMS } from './replicated-postgres.ts';

const PATRONI = findProgram('patroni');
const ETCD = findProgram('etcd');
const isSkipped = [PATRONI, ETCD, HAPROXY, POSTGRES_PROGRAMS].includes(undefined);
if (isSkipped)
  console.warn(
    'trials/replicas/patroni.test.ts is skipped: Patroni, etcd, HAProxy or PostgreSQL is not here',
  );

test.skipIf(isSkipped)('writer and streams go on when Patroni promotes another server', async () => {
  await using network = await Network.start();
  const [first, second] = [await network.addServer(), await network.addServer()];
  const primaryUrl = await network.proxy([first, second]);
  const url = `postgres://postgres:superuser-secret@127.0.0.1:${primaryUrl}/periscope?sslmode=disable`;
  // HAProxy takes every server for the primary until it has looked, and on a busy machine it may be another by then.
  await eventually(async () => {
    await ask(url.replace('/periscope', '/postgres'), 'CREATE DATABASE periscope').catch(unlessThere);
    await migrate(url);
  });
  const blocks = new Blocks();
  const write = async (from: number, upTo: number) => {
    await eventually(async () => {
      await using writer = await Writer.open(url);
      for (let height = from; height <= upTo; height++) await blocks.apply(writer, height);
    });
  };
  await write(1, 3);
  // Patroni promotes none that may lack what was acknowledged.
  await eventually(async () => {
    const areSynchronous = await Promise.all([first, second].map((server) => says(server, 'synchronous')));
    if (!areSynchronous.includes(true)) throw new Error('no server is a synchronous standby');
  });
  const config = readConfig({
    PORT: '0',
    SHUTDOWN_GRACE_MS: '0',
    DATABASE_URL: url,
    DATABASE_REPLICA_URLS: [first, second].map(({ url }) => url).join(),
  });
  await using gateway = await startGateway({ config, databaseUrl: url, logger: pino({ level: 'silent' }) });
  const stream = await openNdjson(gateway.url, '/api/v2/stream/accounts?cursors=true');
  expect(await stream.next()).toMatchObject({ block: { height: '3' } });
  const killed = (await isPrimary(first)) ? first : second;
  const other = killed === first ? second : first;
  killed.kill();
  await eventually(async () => {
    if (!(await isPrimary(other))) throw new Error('nobody is promoted');
  });
  await write(4, 6);
  for (const height of ['4', '5', '6'])
    expect(await stream.next(HANG_MS)).toMatchObject({ block: { height } });
  stream.close();
});

interface Server {
  readonly port: number;
  readonly restPort: number;
  readonly url: string;
  /** Ends Patroni and its PostgreSQL at once. */
  kill(): void;
}

/** etcd, the servers that Patroni runs, and HAProxy, all on this machine with the files of deploy/. */
class Network implements AsyncDisposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'periscope-patroni-'));
  readonly #children: ChildProcess[] = [];
  #etcdPort = 0;
  #servers: string[] = [];

  static async start(): Promise<Network> {
    const network = new Network();
    chmodSync(network.#root, 0o755);
    network.#etcdPort = await findFreePort();
    const [client, peer] = [network.#etcdPort, await findFreePort()].map(
      (port) => `http://127.0.0.1:${port}`,
    );
    network.#run(ETCD, [
      ...[
        '--data-dir',
        network.#makeFolder('etcd'),
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
      ],
      ...[
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        `default=${peer}`,
      ],
    ] as string[]);
    return network;
  }

  async addServer(): Promise<Server> {
    const [port, restPort] = [await findFreePort(), await findFreePort()];
    const name = `postgres${this.#servers.length + 1}`;
    const folder = this.#makeFolder(name);
    const file = join(this.#root, `${name}.yml`);
    const text = change('deploy/patroni.yml', [
      ['name: postgres1', `name: ${name}`],
      [/10\.0\.0\.1:8008/g, `127.0.0.1:${restPort}`],
      [/hosts: .*/, `hosts: 127.0.0.1:${this.#etcdPort}`],
      [/10\.0\.0\.1:5432/g, `127.0.0.1:${port}`],
      ['/var/lib/postgresql/15/periscope', join(folder, 'data')],
      ['/usr/lib/postgresql/15/bin', POSTGRES_PROGRAMS as string],
      [/10\.0\.0\.0\/24/g, '127.0.0.1/32'],
      // A test need not wait so long; with one replica left, nobody is there to be synchronous with.
      ['ttl: 30', 'ttl: 20'],
      ['loop_wait: 10', 'loop_wait: 2'],
      ['retry_timeout: 10', 'retry_timeout: 5'],
      ['wal_keep_size: 1GB', `wal_keep_size: 128MB\n        unix_socket_directories: ${this.#root}`],
    ]);
    writeFileSync(file, text);
    chmodSync(this.#root, 0o777);
    this.#servers.push(name);
    const patroni = this.#run(PATRONI, [file]);
    const url = `postgres://postgres:superuser-secret@127.0.0.1:${port}/periscope?sslmode=disable`;
    await eventually(() => ask(url.replace('/periscope', '/postgres'), 'SELECT 1'));
    return {
      port,
      restPort,
      url,
      kill() {
        patroni.kill('SIGKILL');
        process.kill(postmasterIn(join(folder, 'data')), 'SIGKILL');
      },
    };
  }

  /** Starts HAProxy, and gives the port of the primary. */
  async proxy(servers: readonly Server[]): Promise<number> {
    const port = await findFreePort();
    const file = join(this.#root, 'haproxy.cfg');
    const lines = servers.map(
      (server, index) => `  server postgres${index} 127.0.0.1:${server.port} port ${server.restPort}`,
    );
    const text = change('deploy/haproxy-postgres.cfg', [
      ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
      [/( {2}server postgres\d .*\n)+/, `${lines.join('\n')}\n`],
    ]);
    writeFileSync(file, text);
    this.#run(HAPROXY, ['-db', '-f', file]);
    return port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#servers) {
      const data = join(this.#root, name, 'data');
      if (existsSync(join(data, 'postmaster.pid'))) endIfThere(postmasterIn(data));
    }
    for (const child of this.#children) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#root, { recursive: true, force: true, maxRetries: 20, retryDelay: 300 });
  }

  #run(program: string | undefined, args: readonly string[]): ChildProcess {
    const child = spawn(program as string, [...args], {
      cwd: this.#root,
      env: { PATH: process.env['PATH'], HOME: this.#root },
      stdio: process.env['REPLICAS_LOG'] === undefined ? 'ignore' : 'inherit',
      ...(accountFor([]) ?? {}),
    });
    this.#children.push(child);
    return child;
  }

  #makeFolder(name: string): string {
    const folder = join(this.#root, name);
    mkdirSync(folder, { mode: 0o700 });
    const { uid, gid } = accountFor([]) ?? {};
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return folder;
  }
}

function change(file: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce(
    (text, [what, by]) => {
      expect(text).toMatch(what);
      return text.replace(what, by);
    },
    readFileSync(file, 'utf8'),
  );
}

function postmasterIn(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

const DUPLICATE_DATABASE = '42P04';

function unlessThere(error: Error & { readonly code?: unknown }): void {
  if (error.code !== DUPLICATE_DATABASE) throw error;
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {} // It has ended.
}

function isPrimary(server: Server): Promise<boolean> {
  return says(server, 'primary');
}

/** Whether Patroni says that a server has a role. */
async function says({ restPort }: Server, role: 'primary' | 'synchronous'): Promise<boolean> {
  return fetch(`http://127.0.0.1:${restPort}/${role}`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function eventually(act: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + HANG_MS; ; await sleep(200)) {
    try {
      await act();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}
