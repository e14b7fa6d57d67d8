import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { findServer } from '../../src/data/embedded/server.ts';
import { ask } from './state.ts';

/** Data folders of embedded databases, in a temporary folder that every user can reach. */
export class EmbeddedFolders {
  readonly root: string;
  #count = 0;

  private constructor(root: string) {
    this.root = root;
  }

  /** Makes one database with a table `notes` of one row, 'kept'. */
  static async create(): Promise<EmbeddedFolders> {
    const folders = new EmbeddedFolders(await mkdtemp(join(tmpdir(), 'periscope-postgres-')));
    await chmod(folders.root, 0o755);
    const postgres = await openPostgres({ dataDir: folders.original });
    await ask(postgres.url, "CREATE TABLE notes AS SELECT 'kept' AS text");
    await postgres.close();
    return folders;
  }

  /** The database's folder, for tests that leave it as it was; a copy takes longer than most of what they do. */
  get original(): string {
    return this.path('original');
  }

  /** A path in the temporary folder. */
  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  /** A copy of it, with its owner, under a name of its own. */
  copy(name = `copy-${++this.#count}`): string {
    const dataDir = this.path(name);
    execFileSync('mkdir', ['-p', dirname(dataDir)]);
    execFileSync('cp', ['-a', this.original, dataDir]);
    return dataDir;
  }

  /** Removes it all. A test that fails may leave a server, which would outlive this process as it is meant to. */
  async dispose(): Promise<void> {
    for (const name of readdirSync(this.root, { recursive: true, encoding: 'utf8' })) {
      if (basename(name) !== 'postmaster.pid') continue;
      const left = runningServer(dirname(this.path(dirname(name))));
      if (left) process.kill(left, 'SIGQUIT');
    }
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** The process of the server that runs on a data folder, or undefined. */
export function runningServer(dataDir: string): number | undefined {
  return findServer({ cluster: join(dataDir, 'postgres') })?.pid;
}

/** The server's process as its data folder names it, or undefined after a clean stop. */
export function serverPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}
