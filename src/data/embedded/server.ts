import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { serverEnvironment } from './cluster.ts';
import { type DataFolder, makeSocketFolder, openLog, SOCKET_PORT } from './data-folder.ts';
import { logSize, readTail } from './log.ts';
import {
  connectionsFor,
  logSettingsFor,
  readResources,
  type Settings,
  settingsFor,
} from './server-settings.ts';
import { takeStartLock } from './start-lock.ts';

/** A server as its own `postmaster.pid` names it. */
export type Server = { readonly pid: number; readonly socketFolder: string; readonly isReady: boolean };

const SETTINGS: Settings = {
  port: String(SOCKET_PORT),
  listen_addresses: '',
  unix_socket_permissions: '0700',
  ...connectionsFor(),
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

const TAKE_LIMIT_MS = 30_000;
/** How long a socket may be listened to after its server was killed: the processes that it had just made have it, too. */
const LEAVE_LIMIT_MS = 3_000;
/**
 * How long each way to stop it may take, and how long in a hurry: first so that it writes everything down, then so that
 * the next start does it, then without its doing. (Stopping at once, it waits 5 seconds for its own processes.)
 */
const STOPS = [
  { signal: 'SIGINT', limitMs: 30_000, hurriedMs: 2_000 },
  { signal: 'SIGQUIT', limitMs: 10_000, hurriedMs: 6_000 },
  { signal: 'SIGKILL', limitMs: 5_000, hurriedMs: 2_000 },
] as const;

/** The server that runs on a data folder, or undefined. */
export function findServer({ cluster }: Pick<DataFolder, 'cluster'>): Server | undefined {
  const written = readPidFile(cluster);
  return written && isServer(written.pid, cluster) ? written : undefined;
}

/** A server that this process started; `ended` appears when it ends, with what it logged. */
export type StartedServer = { ended?: ServerEnd };

export type ServerEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly log: string;
};

/**
 * Starts a server that outlives this process and that a terminal's Ctrl-C does not reach. Resolves once it has
 * taken the data folder or has ended; `meanwhile` is called when it runs.
 */
export async function startServer(
  folder: DataFolder,
  binaries: Binaries,
  settings: Settings,
  meanwhile: () => void,
): Promise<StartedServer> {
  await clearStale(folder.cluster);
  const socketFolder = await makeSocketFolder(folder);
  const all = {
    ...SETTINGS,
    ...settingsFor(await readResources(folder.cluster)),
    ...logSettingsFor(settings),
    ...settings,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const mark = await logSize(folder.log);
  await using log = await openLog(folder);
  const child = spawn(binaries.postgres, ['-D', folder.cluster, ...options], {
    ...folder.account,
    cwd: folder.cluster,
    env: serverEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  child.unref();
  const started: StartedServer = {};
  child.on('exit', async (code, signal) => {
    started.ended = { code, signal, log: await readTail(folder.log, mark) };
  });
  await once(child, 'spawn'); // Throws when the program cannot be run.
  meanwhile();
  const deadline = performance.now() + TAKE_LIMIT_MS;
  while (!started.ended && readPidFile(folder.cluster)?.pid !== child.pid) {
    if (performance.now() > deadline) throw new Error(`PostgreSQL (process ${child.pid}) does not come up.`);
    await sleep(5);
  }
  return started;
}

/** Stops the server of a data folder if one runs; within seconds from when `hurry` is aborted. */
export async function stopServer(folder: DataFolder, hurry?: AbortSignal): Promise<void> {
  const server = findServer(folder);
  if (!server) return;
  for (const { signal, limitMs, hurriedMs } of STOPS) {
    signalServer(server.pid, signal);
    const begin = performance.now();
    while (performance.now() - begin < (hurry?.aborted ? hurriedMs : limitMs)) {
      if (findServer(folder)?.pid !== server.pid) return removeLeftSocket(folder, server);
      await sleep(10);
    }
  }
  throw new Error(`PostgreSQL (process ${server.pid}) did not stop; its log is ${folder.log}.`);
}

/** Removes what a stopped server left, unless another process has started one there meanwhile. */
async function removeLeftSocket(folder: DataFolder, { socketFolder }: Server): Promise<void> {
  await using _lock = await takeStartLock(folder.dataDir);
  if (!findServer(folder)) await removeSocket(folder.cluster, socketFolder);
}

function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Removes what a killed server left. PostgreSQL does so itself, except where the number of the dead process is
 * now that of another process of the same user, as happens when a container starts again, or a zombie's. Throws
 * where it is not dead.
 */
async function clearStale(cluster: string): Promise<void> {
  const stale = readPidFile(cluster);
  if (!stale) return;
  const folders = [stale.socketFolder, join(dirname(cluster), 'socket')];
  const begin = performance.now();
  while ((await Promise.all(folders.map(isListenedTo))).includes(true)) {
    if (performance.now() - begin > LEAVE_LIMIT_MS) throw new Error(ELSEWHERE);
    await sleep(10);
  }
  await removeSocket(cluster, stale.socketFolder);
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

const ELSEWHERE =
  'A server runs on it whose process is not seen from here: that of another container. There can be one container on a folder at a time; run what is to use the same database within that one (docker exec CONTAINER periscope ...).';

/** A socket of the file system is the same for all containers of a machine, and who has died soon listens to none. */
function isListenedTo(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, `.s.PGSQL.${SOCKET_PORT}`), () => {
      socket.destroy();
      resolve(true);
    });
    // One that is frozen takes no more at last.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EAGAIN'));
  });
}

/** By name and no more, as the folder may lie among other people's. */
async function removeSocket(cluster: string, folder: string): Promise<void> {
  const ignore = () => undefined;
  await unlink(join(folder, `.s.PGSQL.${SOCKET_PORT}`)).catch(ignore);
  await unlink(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`)).catch(ignore);
  if (dirname(folder) !== dirname(cluster)) await rmdir(folder).catch(ignore);
}

function readPidFile(cluster: string): Server | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    return { pid, socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Another process may have the number of a server that died, and a dead one may wait for its parent. */
function isServer(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const [program, ...options] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const folder = options[options.indexOf('-D') + 1] ?? '';
    return basename(program ?? '') === 'postgres' && (folder === cluster || !isAbsolute(folder));
  } catch {
    return false;
  }
}
