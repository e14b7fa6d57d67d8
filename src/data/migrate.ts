import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { Backoff } from '../backoff.ts';
import { GatewayError } from '../errors.ts';
import { dropBounds, PARTITIONS_ROWS, preparePartitions } from './history/before-partitions.ts';
import { LOCK_LIMIT, LOCK_NOT_AVAILABLE } from './history/partitions.ts';
import { readStanding, refuseHalfIngested } from './parts/progress-table.ts';
import { cancelOnAbort } from './servers/cancel.ts';
import { inTransaction } from './servers/transaction.ts';
import { takeMaintenanceLock, withMaintenanceClient } from './upkeep/maintenance.ts';
import { checkRequirements } from './upkeep/requirements.ts';
import { mendCounts } from './writing/row-counts.ts';

/** One step of the tables, as a folder of prisma/migrations has it. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type Applied = { readonly name: string; readonly checksum: string; readonly finished: boolean };

const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 5;
/** So long a migration tries to have a table to itself that is read without a pause. */
const TRY_FOR_MS = 120_000;
const FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

interface MigrateOptions {
  /** Those of the program where it is left out. */
  readonly folder?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings a database to the newest migration of prisma/migrations and returns the names of those it applied, in
 * order. `prisma migrate deploy` does the same and leaves the same rows. We do it ourselves because Prisma's
 * engine is a download, or else 5 MB of WebAssembly without a documented interface, which cuts scripts at every
 * semicolon and keeps its lock until the connection ends; and because here a migration and its row are one
 * transaction, so that a process killed in the middle leaves no failed migration behind.
 *
 * Throws FAILED_PRECONDITION, naming the migration, when one fails, failed before, was changed after it was applied or
 * is a newer version's; and where the server is not one that the gateway can use. An AbortError where it is asked to stop before
 * its end: what is under way is cancelled then, and changes nothing.
 */
export async function migrate(
  url: string,
  { folder = FOLDER, signal }: MigrateOptions = {},
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  return withMaintenanceClient(url, async (client) => {
    const endCancelling = cancelOnAbort(client, signal);
    try {
      const applied = await applyPending(client, migrations, { endCancelling, signal });
      // Whatever a run before was stopped at. Older tables, as tests have them, count in their own way.
      if (folder === FOLDER && (applied.length > 0 || (await holdsAll(client)))) await mendCounts(client);
      return applied;
    } catch (error) {
      // Whatever the stop cut off.
      signal?.throwIfAborted();
      throw error;
    } finally {
      await endCancelling();
    }
  });
}

/** Whether there are blocks, and no base that is not whole yet. Where there are, none is begun any more. */
async function holdsAll(client: pg.Client): Promise<boolean> {
  const { holdsBlocks, isBegun } = await readStanding(client);
  return holdsBlocks && !isBegun;
}

interface Stopping {
  readonly signal: AbortSignal | undefined;
  /** Makes statements safe from the stop. */
  readonly endCancelling: () => Promise<void>;
}

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  { signal, endCancelling }: Stopping,
): Promise<readonly string[]> {
  await checkRequirements(client);
  if (pendingOf(migrations, await readApplied(client)).length === 0) return [];
  signal?.throwIfAborted();
  await takeMaintenanceLock(client);
  await refuseHalfIngested(client);
  await client.query(MIGRATIONS_TABLE);
  const pending = pendingOf(migrations, await readApplied(client));
  for (const migration of pending) {
    try {
      await preparePartitions(client, migration.name, signal);
      await apply(client, migration, signal);
    } catch (error) {
      await endCancelling();
      // Where the connection is lost, what failed is what there is to say.
      await dropBounds(client, migration.name).catch(() => undefined);
      throw error;
    }
  }
  return pending.map(({ name }) => name);
}

/** Says to a database which migrations the program knows that writes to it by this connection: the database refuses an older one. */
export async function introduceWriter(client: pg.ClientBase, newest?: string): Promise<void> {
  const known = newest ?? (await readNewestMigration());
  await client.query("SELECT set_config('periscope.migration', $1, false)", [known]);
}

/** The constraint of the table of blocks that refuses a writer which does not know the newest migration. */
export const NEWEST_WRITES = 'only_the_newest_version_writes';

/** Whether nothing is left for `migrate` to apply. Throws as `migrate` does. */
export async function isMigrated(url: string, signal?: AbortSignal): Promise<boolean> {
  const migrations = await readMigrations();
  const look = async (client: pg.Client) => {
    await checkRequirements(client);
    return pendingOf(migrations, await readApplied(client)).length === 0;
  };
  return withMaintenanceClient(url, look, signal);
}

/** How a person has the tables made: by the program, and by the script that a checkout has for it. */
export function nameMigrate(options = ''): string {
  const [program, script] = options === '' ? ['', ''] : [` ${options}`, ` -- ${options}`];
  return `periscope migrate${program} (in a checkout: npm run migrate${script})`;
}

/** Those that a database has, in order. Throws as `migrate` does. */
export async function readAppliedMigrations(client: pg.Client): Promise<readonly Migration[]> {
  const migrations = await readMigrations();
  const pending = new Set(pendingOf(migrations, await readApplied(client)));
  return migrations.filter((migration) => !pending.has(migration));
}

/** The migrations of a folder in the order of their names, as Prisma reads it. */
export async function readMigrations(folder: string = FOLDER): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** The name of the last migration that this version knows; later ones have greater names. */
export async function readNewestMigration(): Promise<string> {
  return (await readMigrations()).at(-1)?.name ?? '';
}

async function readApplied(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  if (!rows[0]?.present) return [];
  const result = await client.query<Applied>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return result.rows;
}

/** What is still to do. A migration that only the database knows is a newer version's, whose tables we do not know. */
function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const failed = applied.find(({ finished }) => !finished);
  if (failed) {
    throw refusal(
      `The migration ${failed.name} failed in the middle, under "prisma migrate deploy". Repair the database,` +
        ` then say so with "npx prisma migrate resolve".`,
    );
  }
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown) {
    throw refusal(
      `The database has the migration ${unknown.name}, which this version of Periscope does not know:` +
        ' run the newer version that made it, or use another database (another DATA_DIR).',
    );
  }
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (checksums.has(name) && checksums.get(name) !== checksum) {
      throw refusal(
        `The migration ${name} is not the one that was applied to this database: its file was changed since.` +
          ' Use another database (another DATA_DIR) and ingest again, or bring the file back.',
      );
    }
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

/**
 * Applies one, again where PostgreSQL ends it for a deadlock: with a gateway or a writer that goes on meanwhile; and where it would
 * have everybody wait for it that reads the largest tables.
 */
async function apply(
  client: pg.Client,
  migration: Migration,
  signal: AbortSignal | undefined,
  attempts = ATTEMPTS,
  backoff = new Backoff({ firstMs: 25, limitMs: 1_000, deadlineMs: TRY_FOR_MS, ...(signal && { signal }) }),
): Promise<void> {
  signal?.throwIfAborted();
  const isShort = migration.name === PARTITIONS_ROWS;
  let isCommitting = false;
  try {
    await inTransaction(client, async () => {
      if (isShort) await client.query(LOCK_LIMIT);
      await applyInTransaction(client, migration, signal);
      isCommitting = true;
    });
  } catch (cause) {
    const { code, message, severity } = cause as pg.DatabaseError;
    if (code === DEADLOCK_DETECTED && attempts > 1)
      return apply(client, migration, signal, attempts - 1, backoff);
    if (code === LOCK_NOT_AVAILABLE && isShort && (await backoff.wait()))
      return apply(client, migration, signal, attempts, backoff);
    // A connection that is lost at COMMIT does not say.
    const outcome =
      isCommitting && severity !== 'ERROR'
        ? 'may have been applied, which the next run finds out'
        : 'failed and changed nothing';
    throw Object.assign(refusal(`The migration ${migration.name} ${outcome}: ${message}`), { cause });
  }
}

async function applyInTransaction(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  signal: AbortSignal | undefined,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())`,
    [randomUUID(), checksum, name],
  );
  signal?.throwIfAborted();
  await client.query(sql);
  await client.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1
     WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
}

function refusal(message: string): GatewayError {
  return new GatewayError('FAILED_PRECONDITION', message);
}

/** The list of migrations that a database has, as Prisma's engine makes it. */
export const MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;
