import { spawn } from 'node:child_process';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { type DataFolder, makePartialFolder, own, removeAbandoned } from './data-folder.ts';

/** The superuser that initdb makes and every connection uses. */
export const USER = 'periscope';
const INITDB_LIMIT_MS = 120_000;
/** A Ctrl-C reaches initdb as it does this process, which may hear of initdb's end first. */
const SIGNAL_DELAY_MS = 100;

export type ClusterOptions = {
  /** Whether it is to survive a power cut. */
  readonly sync: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called when initdb runs, for which there is nothing to do but wait. */
  readonly meanwhile: () => void;
};

/**
 * Makes PostgreSQL's data folder if it is not there: in a folder beside it that is then renamed, so that a data
 * folder is whole or not there, whatever is killed in between. Throws when it is another major version's, and an
 * AbortError when the signal is aborted.
 */
export async function ensureCluster(
  folder: DataFolder,
  binaries: Binaries,
  { sync, signal, meanwhile }: ClusterOptions,
): Promise<void> {
  await removeAbandoned(folder.dataDir);
  const major = await readMajor(folder.cluster);
  if (major === binaries.major) return;
  if (major) {
    throw new Error(
      `It holds a database of PostgreSQL ${major}, and this is PostgreSQL ${binaries.major}.` +
        ' Bring it along in a backup ("periscope backup" of the version that wrote it, "periscope restore" of this one' +
        ' into another DATA_DIR), or choose another DATA_DIR and ingest again.',
    );
  }
  const partial = await makePartialFolder(folder.dataDir);
  try {
    await own(partial, folder.account);
    await runInitdb(binaries.initdb, partial, folder.account, { sync, signal, meanwhile });
    await rename(partial, folder.cluster).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster; its folder is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    if (sync) await syncFolder(folder.dataDir);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function readMajor(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Text compares by code point on every machine; only the socket's folder decides who may connect. */
function runInitdb(
  initdb: string,
  folder: string,
  account: Account | undefined,
  { sync, signal, meanwhile }: ClusterOptions,
): Promise<void> {
  const options = [
    `--pgdata=${folder}`,
    `--username=${USER}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, options, {
      ...account,
      cwd: folder,
      env: serverEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: INITDB_LIMIT_MS,
    });
    meanwhile();
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4096);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stop = () => void child.kill();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    child.on('error', reject);
    // It closes when all that initdb has started has ended too.
    child.on('close', async (code, by) => {
      if (code !== 0) await sleep(SIGNAL_DELAY_MS);
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) return reject(signal.reason);
      if (code === 0) return resolve();
      reject(new Error(`initdb ended with ${by ?? `code ${code}`}:\n${output.trim()}`));
    });
  });
}

/** Nothing of the caller's environment steers the server (PGDATA, PGOPTIONS, a locale that is not installed). */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
