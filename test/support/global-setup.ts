import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { grantReader } from '../../src/data/upkeep/readers.ts';
import { createDatabase, dropTestDatabases } from './database.ts';
import { serverPid } from './embedded-folders.ts';
import { ask } from './state.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that this run's databases are on, as its superuser. */
    serverUrl: string;
    /** What the names of this run's databases begin with; the migrated one that they are copies of is its `template`. */
    databasePrefix: string;
    /** The role that gateways of the tests serve as. */
    reader: { readonly role: string; readonly password: string };
  }
}

const BUILD_LIMIT_MS = 600_000;

/** One server and one compiled program for the whole run. */
export async function setup(project: TestProject) {
  const [server] = await Promise.all([startServer(), build()]);
  const databasePrefix = `test_${process.pid}_${Date.now()}_`;
  const template = await createDatabase(server.url, `${databasePrefix}template`);
  await migrate(template);
  const reader = await createReader(template, `${databasePrefix}reader`);
  project.provide('serverUrl', server.url);
  project.provide('databasePrefix', databasePrefix);
  project.provide('reader', reader);
  return async () => {
    await dropTestDatabases(server.url, databasePrefix);
    await ask(server.url, `DROP ROLE ${reader.role}`);
    await server.close();
  };
}

/** Makes the role that may read the template, and so every copy of it. */
async function createReader(template: string, role: string) {
  const password = randomUUID();
  await grantReader(template, role);
  await ask(template, `ALTER ROLE ${role} PASSWORD '${password}'`);
  return { role, password };
}

/** The server that DATABASE_URL names, else an embedded one that need not survive a power cut. */
async function startServer(): Promise<{ url: string; close(): Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, close: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'periscope-test-'));
  await chmod(folder, 0o755);
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const dataDir = join(folder, 'network');
  const postgres = await openPostgres({ dataDir, settings });
  // A run that is interrupted ends without its teardown.
  const abandon = () => {
    const pid = serverPid(dataDir);
    if (pid !== undefined) process.kill(pid, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', abandon);
  const close = async () => {
    await postgres.close();
    process.off('exit', abandon);
    await rm(folder, { recursive: true, force: true });
  };
  return { url: postgres.url, close };
}

/** Some tests run the real program, so it is compiled first, if it must be; the type checker's findings are its own step. */
async function build(): Promise<void> {
  if (await isBuilt()) return;
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--project', 'tsconfig.build.json', '--noCheck'];
  for (const args of [[tsc, ...options], [BUNDLE], [BUNDLE_PAGE]]) {
    await promisify(execFile)(process.execPath, args, { timeout: BUILD_LIMIT_MS });
  }
}

const BUNDLE = join('scripts', 'bundle.mjs');
const BUNDLE_PAGE = join('page', 'build.mjs');

/** Whether the program was compiled after the last change of its sources, as it is right after `npm ci`. */
async function isBuilt(): Promise<boolean> {
  const made = [join('dist', 'bundle', 'cli.js'), join('dist', 'page', 'main.js')];
  const built = await Promise.all(made.map((file) => stat(file))).catch(() => null);
  if (built === null) return false;
  const entries = await Promise.all(
    ['src', 'page'].map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const files = entries.flat().map(({ parentPath, name }) => join(parentPath, name));
  const times = await Promise.all(
    [...files, 'tsconfig.json', 'tsconfig.build.json', BUNDLE, join('scripts', 'program.mjs')].map((file) =>
      stat(file),
    ),
  );
  return times.every(({ mtimeMs }) => built.every((one) => mtimeMs < one.mtimeMs));
}
