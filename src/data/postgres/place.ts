import { chown, mkdir, mkdtemp, open, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, accountFor, blockingFolder } from './account.ts';

/** Where everything of one embedded database lies, and who owns it. */
export type Place = {
  readonly dataDir: string;
  /** PostgreSQL's own data folder. */
  readonly cluster: string;
  readonly log: string;
  readonly account: Account | undefined;
};

/** PostgreSQL names its socket after a port, also where it has no port. */
export const SOCKET_PORT = 5432;
/** The longest path that the kernel takes for a socket: 108 bytes on Linux, 104 elsewhere, less the final zero. */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
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

/** Makes the data folder if need be. Throws when PostgreSQL's user cannot reach it, naming what blocks. */
export async function preparePlace(folder: string): Promise<Place> {
  const made = await mkdir(folder, { recursive: true });
  const dataDir = await realpath(folder);
  const cluster = join(dataDir, 'postgres');
  const account = accountFor([cluster, dataDir]);
  if (made) await ownUpTo(await realpath(made), dataDir, account);
  const blocked = blockingFolder(dataDir, account);
  if (blocked) {
    throw new Error(
      `PostgreSQL does not run as root but as user ${account?.uid}, who may not enter ${blocked}.` +
        ' Choose a DATA_DIR that this user can reach, or let others pass that folder (chmod o+x).',
    );
  }
  return { dataDir, cluster, log: join(dataDir, 'postgres.log'), account };
}

/**
 * The folder of the server's socket, open to the server's user (and root) only: that is what guards the
 * database, which asks for no password. Within the data folder, or in /tmp where that path is too long.
 */
export async function makeSocketFolder({ dataDir, account }: Place): Promise<string> {
  const near = join(dataDir, 'socket');
  const isLong = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`)) > MAX_SOCKET_PATH;
  if (!isLong) await mkdir(near, { recursive: true, mode: 0o700 });
  const folder = isLong ? await mkdtemp('/tmp/periscope-') : near;
  await own(folder, account);
  return folder;
}

/** Opens the server's log for appending, as a file of the server's user. The caller closes it. */
export async function openLog({ log, account }: Place) {
  const file = await open(log, 'a', 0o600);
  if (account) await file.chown(account.uid, account.gid);
  return file;
}

/** Gives a folder or file to the server's user. */
export async function own(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

/** Gives away the folders from `inner` up to `outer`, which this process has just made under whatever umask. */
async function ownUpTo(outer: string, inner: string, account: Account | undefined): Promise<void> {
  await own(inner, account);
  if (inner !== outer) await ownUpTo(outer, dirname(inner), account);
}
