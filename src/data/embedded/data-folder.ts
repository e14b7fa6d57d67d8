import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lchown, lstat, mkdir, mkdtemp, open, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { type Account, accountFor, blockingFolder } from './account.ts';

/** Where everything of one embedded database lies, and who owns it. */
export type DataFolder = {
  readonly dataDir: string;
  /** PostgreSQL's own data folder. */
  readonly cluster: string;
  readonly log: string;
  readonly account: Account | undefined;
};

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY, S_IFDIR, S_IFMT } = constants;

/** PostgreSQL names its socket after a port, also where it has no port. */
export const SOCKET_PORT = 5432;
/** The longest path that the kernel takes for a socket: 108 bytes on Linux, 104 elsewhere, less the final zero. */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
const PARTIAL = 'partial-';
/** Longer than any preparation takes. */
const ABANDONED_AFTER_MS = 10 * 60_000;
/** Where root keeps the data when the present folder is closed to PostgreSQL's user. */
const SYSTEM_DATA_DIR = '/var/lib/periscope/network';

/**
 * The data folder when DATA_DIR names none: `.periscope/network` in the present folder; as root, when
 * PostgreSQL's user cannot come that way, a folder in /var/lib.
 */
export function defaultDataDir(): string {
  const here = resolve('.periscope', 'network');
  return blockingFolder(here, accountFor([join(here, 'postgres'), here])) ? SYSTEM_DATA_DIR : here;
}

/**
 * Makes the data folder if need be. As root it stays root's, so that PostgreSQL's user cannot put a link in the
 * way of what root does there. Throws when that user cannot reach it, naming what blocks, and the setting that names the folder.
 */
export async function prepareDataFolder(folder: string, setting: string): Promise<DataFolder> {
  if (process.platform === 'win32') {
    throw new Error('It does not run on Windows itself; use WSL, or name a database server in DATABASE_URL.');
  }
  const made = await makeFolder(folder);
  const dataDir = await realpath(folder);
  const cluster = join(dataDir, 'postgres');
  const account = accountFor([cluster, dataDir]);
  if (made && account) await openUpTo(await realpath(made), dataDir);
  const blocked = blockingFolder(dataDir, account);
  if (blocked) {
    throw new Error(
      `PostgreSQL does not run as root but as user ${account?.uid}, who may not enter ${blocked}.` +
        ` Choose a ${setting} that this user can reach, or let others pass that folder (chmod o+x).`,
    );
  }
  return { dataDir, cluster, log: join(dataDir, 'postgres.log'), account };
}

/** A folder to prepare something in before it is renamed into its place. */
export async function makePartialFolder(dataDir: string): Promise<string> {
  return mkdtemp(join(dataDir, PARTIAL));
}

/** Removes the partial folders of processes that were killed. */
export async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    const stats = name.startsWith(PARTIAL) ? await lstat(path).catch(() => undefined) : undefined;
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true });
  }
}

/**
 * The folder of the server's socket, open to the server's user (and root) only: that is what guards the
 * database, which asks for no password. Within the data folder; where that path is too long, in /tmp under a
 * name that stays the same, so that connections find the server again when it was started anew.
 */
export async function makeSocketFolder({ dataDir, account }: DataFolder): Promise<string> {
  const near = join(dataDir, 'socket');
  const isLong = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`)) > MAX_SOCKET_PATH;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const folder = isLong ? join('/tmp', `periscope-${name}`) : near;
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const { uid, mode } = await lstat(folder);
  const isOurs = uid === account?.uid || uid === process.getuid?.();
  if (!isOurs || (mode & (S_IFMT | 0o077)) !== S_IFDIR) {
    throw new Error(`${folder} is for its server's socket, and belongs to somebody else. Remove it.`);
  }
  await own(folder, account);
  return folder;
}

/** Opens the server's log for appending, as a file of the server's user. The caller closes it. */
export async function openLog({ log, account }: DataFolder) {
  const file = await open(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (account) await file.chown(account.uid, account.gid);
  return file;
}

/** Gives a folder or file to the server's user. */
export async function own(path: string, account: Account | undefined): Promise<void> {
  if (account) await lchown(path, account.uid, account.gid);
}

/** Lets others pass the folders from `inner` up to `outer`, made by this process just now under whatever umask. */
async function openUpTo(outer: string, inner: string): Promise<void> {
  await chmod(inner, 0o755);
  if (inner !== outer) await openUpTo(outer, dirname(inner));
}
