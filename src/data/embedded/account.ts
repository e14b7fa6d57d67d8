import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user that PostgreSQL's processes run as. */
export type Account = { readonly uid: number; readonly gid: number };

/** Accounts that a host may have for PostgreSQL, then the one that every host has. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];
const TRAVERSE = 0o1;

/**
 * The account to run PostgreSQL as, or undefined when it runs as the present user. PostgreSQL refuses to run as
 * root, so root lends it another account: the owner of the data if there is one, else one of the host's.
 * `owned` are the paths whose owner decides, the one that counts most first. Nothing on the host is changed.
 */
export function accountFor(owned: readonly string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = readAccounts();
  for (const path of owned) {
    const stats = statSync(path, { throwIfNoEntry: false });
    // initdb looks its own user up by number, so an owner without an entry cannot run it.
    const isKnown = [...known.values()].some((account) => account.uid === stats?.uid);
    if (stats && stats.uid !== 0 && isKnown) return { uid: stats.uid, gid: stats.gid };
  }
  for (const name of CANDIDATES) {
    const account = known.get(name);
    if (account) return account;
  }
  throw new Error(
    'PostgreSQL does not run as root, and this host has no user "postgres" or "nobody" to run it as.' +
      ' Run periscope as another user, or name a database server in DATABASE_URL.',
  );
}

/**
 * The nearest folder to the root that an account may not pass on its way into `path` (itself included), or
 * undefined when the way is free. Folders that are not there yet do not count.
 */
export function blockingFolder(path: string, account: Account | undefined): string | undefined {
  if (!account) return undefined;
  const above = dirname(path);
  const blocked = above === path ? undefined : blockingFolder(above, account);
  if (blocked) return blocked;
  const stats = statSync(path, { throwIfNoEntry: false });
  return !stats?.isDirectory() || mayPass(stats, account) ? undefined : path;
}

function mayPass(stats: Stats, { uid, gid }: Account): boolean {
  if (stats.uid === uid) return (stats.mode & (TRAVERSE << 6)) !== 0;
  if (stats.gid === gid) return (stats.mode & (TRAVERSE << 3)) !== 0;
  return (stats.mode & TRAVERSE) !== 0;
}

function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    // Some systems number "nobody" below zero, which cannot be passed on.
    if (name && Number(uid) > 0 && Number(gid) >= 0)
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}
