import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MIGRATIONS = join('prisma', 'migrations');

/** Every migration, in the order in which they are applied. */
export const NAMES = readdirSync(MIGRATIONS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The project's migrations, those before one or all, in a folder of their own, where a test may add to them. */
export async function copyMigrations(before?: string) {
  const path = await mkdtemp(join(tmpdir(), 'periscope-migrations-'));
  const names = NAMES.filter((name) => before === undefined || name < before);
  for (const name of names) await cp(join(MIGRATIONS, name), join(path, name), { recursive: true });
  return {
    path,
    async add(name: string, sql: string) {
      await mkdir(join(path, name), { recursive: true });
      await writeFile(join(path, name, 'migration.sql'), sql);
    },
    /** Adds one of the project's. */
    addNext: (name: string) => cp(join(MIGRATIONS, name), join(path, name), { recursive: true }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
