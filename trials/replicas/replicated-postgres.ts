import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { accountFor } from '../../src/data/embedded/account.ts';
import { migrate } from '../../src/data/migrate.ts';
import { grantReader } from '../../src/data/upkeep/readers.ts';
import { findFreePort } from '../../test/live/proxy.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { ask, withClient } from '../../test/support/state.ts';

const OWNER = 'postgres';
const READER = 'periscope_reader';
const DATABASE = 'periscope';

/** The folder of a PostgreSQL that can copy a running server, which the embedded one cannot; undefined where there is none. */
export const POSTGRES_PROGRAMS = [18, 17, 16, 15]
  .map((major) => `/usr/lib/postgresql/${major}/bin`)
  .find((folder) => existsSync(join(folder, 'pg_basebackup')));

const SETTINGS = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_wal_senders=10', 'wal_keep_size=256MB'],
  ...['fsync=off', 'shared_buffers=32MB', 'max_connections=200', 'wal_retrieve_retry_interval=100ms'],
  ...['hot_standby=on', 'wal_log_hints=on', 'autovacuum=off'],
];

/** A server of PostgreSQL on this machine: a primary, or a standby that repeats another's writes. */
export class PostgresServer {
  readonly port: number;
  readonly folder: string;
  #process: ChildProcess | null = null;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** The address for who owns the tables, and for who only reads them. */
  get url(): string {
    return this.#urlOf(OWNER);
  }

  get readerUrl(): string {
    return this.#urlOf(READER);
  }

  /** How others repeat its writes. */
  get connection(): string {
    return `host=127.0.0.1 port=${this.port} user=${OWNER} application_name=standby`;
  }

  async start(): Promise<void> {
    const deadline = performance.now() + HANG_MS;
    while (performance.now() < deadline) {
      const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
      const child = spawn(program('postgres'), ['-D', this.folder, '-p', `${this.port}`, ...settings], {
        stdio: ['ignore', 'ignore', 'pipe'],
        ...account(),
      });
      let said = '';
      child.stderr.on('data', (chunk) => {
        said = (said + chunk).slice(-2000);
      });
      this.#process = child;
      for (; child.exitCode === null && child.signalCode === null; await sleep(20)) {
        if (await this.#answers()) return;
        if (performance.now() > deadline) break;
      }
      // Another's memory is still in use for a moment after it was killed.
      if (!said.includes('still in use')) throw new Error(`PostgreSQL does not start: ${said}`);
      await sleep(100);
    }
    throw new Error('PostgreSQL does not start');
  }

  /** Ends it: `SIGKILL` at once, `SIGINT` in good order. */
  async stop(signal: 'SIGKILL' | 'SIGINT' | 'SIGQUIT' = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await ask(this.#urlOf(OWNER, 'postgres'), 'SELECT pg_promote(true, 60)');
  }

  /** Has a standby repeat another server's writes from now on; nobody's where that is null. */
  async follow(primary: PostgresServer | null): Promise<void> {
    await withClient(this.#urlOf(OWNER, 'postgres'), async (client) => {
      await client.query(`ALTER SYSTEM SET primary_conninfo = '${primary?.connection ?? ''}'`);
      await client.query('SELECT pg_reload_conf()');
    });
  }

  async #answers(): Promise<boolean> {
    return ask(this.#urlOf(OWNER, 'postgres'), 'SELECT 1').then(
      () => true,
      () => false,
    );
  }

  #urlOf(user: string, database = DATABASE): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }
}

/** A primary with our tables, and standbys of it. */
export class ReplicatedPostgres implements AsyncDisposable {
  readonly #root: string;
  readonly servers: PostgresServer[] = [];
  #primary: PostgresServer | null = null;
  #folders = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  static async start(standbys: number): Promise<ReplicatedPostgres> {
    const root = mkdtempSync(join(tmpdir(), 'periscope-replicas-'));
    chmodSync(root, 0o755);
    const replicated = new ReplicatedPostgres(root);
    const folder = replicated.#makeFolder();
    await run('initdb', ['-D', folder, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
    const primary = await replicated.#add(folder);
    replicated.#primary = primary;
    await ask(primary.url.replace(`/${DATABASE}`, '/postgres'), `CREATE DATABASE ${DATABASE}`);
    await migrate(primary.url);
    await grantReader(primary.url, READER);
    for (let count = 0; count < standbys; count++) await replicated.addStandby(primary);
    return replicated;
  }

  /** The server that writes go to, unless a test has promoted another itself. */
  get primary(): PostgresServer {
    return this.#primary as PostgresServer;
  }

  get standbys(): readonly PostgresServer[] {
    return this.servers.filter((server) => server !== this.#primary);
  }

  /** Kills the primary. The standby that has received most takes its place, and it comes back as a standby. */
  async failOver(): Promise<void> {
    const killed = this.primary;
    await killed.stop('SIGKILL');
    const primary = await mostAdvanced(this.standbys);
    await primary.promote();
    this.#primary = primary;
    for (const other of this.standbys.filter((one) => one !== killed)) await other.follow(primary);
    await this.rejoin(killed, primary);
  }

  /** Starts a standby of a server, as a copy of it. */
  async addStandby(primary: PostgresServer): Promise<PostgresServer> {
    return this.#add(await this.#copy(primary));
  }

  /** Starts a server that is stopped again as a standby of another, as a copy of it at the old one's port. */
  async rejoin(stopped: PostgresServer, primary: PostgresServer): Promise<PostgresServer> {
    await stopped.stop();
    this.servers.splice(this.servers.indexOf(stopped), 1);
    return this.#add(await this.#copy(primary), stopped.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop('SIGQUIT')));
    await rm(this.#root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  async #copy(primary: PostgresServer): Promise<string> {
    const folder = this.#makeFolder();
    const from = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', OWNER];
    await run('pg_basebackup', [...from, '-D', folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
    return folder;
  }

  async #add(folder: string, port?: number): Promise<PostgresServer> {
    const server = new PostgresServer(folder, port ?? (await findFreePort()));
    this.servers.push(server);
    await server.start();
    return server;
  }

  #makeFolder(): string {
    this.#folders += 1;
    const folder = join(this.#root, `${this.#folders}`);
    mkdirSync(folder, { mode: 0o700 });
    const { uid, gid } = account();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return folder;
  }
}

/** The standby that has received most: as Patroni chooses. */
async function mostAdvanced(standbys: readonly PostgresServer[]): Promise<PostgresServer> {
  const received = await Promise.all(
    standbys.map(async (server) => {
      const [row] = await ask<{ bytes: string }>(
        server.url,
        "SELECT greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn AS bytes",
      );
      return { server, bytes: BigInt(row?.bytes ?? 0) };
    }),
  );
  return received.reduce((most, one) => (one.bytes > most.bytes ? one : most)).server;
}

function program(name: string): string {
  return join(POSTGRES_PROGRAMS as string, name);
}

function account(): { readonly uid?: number; readonly gid?: number } {
  return accountFor([]) ?? {};
}

async function run(name: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(program(name), [...args], { timeout: HANG_MS, ...account() });
}
