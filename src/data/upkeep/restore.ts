import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { GatewayError } from '../../errors.ts';
import { readPartitions } from '../history/partitions.ts';
import {
  introduceWriter,
  MIGRATIONS_TABLE,
  type Migration,
  readAppliedMigrations,
  readMigrations,
} from '../migrate.ts';
import { BLOCK_CHANNEL, createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';
import { forgetUnbegun } from '../writing/forget-unbegun.ts';
import { takeWriterLock } from '../writing/writer-lock.ts';
import {
  BackupReader,
  copyOf,
  createPartition,
  damaged,
  LIST,
  type MigrationName,
  type PartitionName,
  tablesOf,
} from './backup-format.ts';
import { takeMaintenanceLock } from './maintenance.ts';
import { checkRequirements } from './requirements.ts';

const LOCK_LIMIT_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;
/** Data exceptions, and integrity constraints violated: they lie in what the file holds. */
const DATA_FAULT = /^2[23]/;

/** What was restored. */
export type RestoreSummary = {
  readonly network: string | null;
  readonly height: string | null;
  readonly rows: number;
  /** Why its tables were not vacuumed; null where they were. */
  readonly notVacuumed: Error | null;
};

/**
 * Restores a backup into an empty database, in one transaction: all of it or nothing. The tables are then those of the
 * version that made it; `migrate` brings them on. Throws FAILED_PRECONDITION where the database is not empty, or the
 * backup a newer version's, and INVALID_ARGUMENT where it is damaged.
 */
export async function restoreBackup(
  url: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<RestoreSummary> {
  const reader = new BackupReader(chunks);
  const client = createConnection(url, {
    purpose: 'restore',
    lock_timeout: LOCK_LIMIT_MS,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const cut = () => destroy(client);
  signal.addEventListener('abort', cut);
  let isWhole = false;
  try {
    const head = await reader.readHead();
    const migrations = choose(await readMigrations(), head.migrations);
    await client.connect();
    await checkRequirements(client);
    await takeMaintenanceLock(client);
    await takeWriterLock(client);
    await introduceWriter(client, migrations.at(-1)?.name);
    await client.query('BEGIN');
    const tables = tablesOf(migrations);
    const listed = await prepareTables(client, migrations);
    await preparePartitions(client, head.partitions);
    const rows = await copyTables(client, reader, tables, listed, signal);
    const facts = await readFacts(client);
    // Gateways that serve the empty database take it up.
    await client.query('SELECT pg_notify($1, $2)', [BLOCK_CHANNEL, facts.height ?? '']);
    // Of one that is cut off here nobody would know whether it counts.
    signal.removeEventListener('abort', cut);
    await client.query('COMMIT');
    isWhole = true;
    return { ...facts, rows, notVacuumed: await vacuum(client, tables, signal) };
  } finally {
    signal.removeEventListener('abort', cut);
    await reader.close();
    // What is in the middle of a COPY takes no word; the server rolls back.
    if (!isWhole) destroy(client);
    await client.end().catch(() => undefined);
  }
}

/** Gives what kept it from its end: what is restored is whole without it. */
async function vacuum(
  client: pg.Client,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<Error | null> {
  const cut = () => destroy(client);
  signal.addEventListener('abort', cut);
  try {
    signal.throwIfAborted();
    await client.query(`VACUUM (ANALYZE) ${tables.map((table) => `"${table}"`).join(', ')}`);
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

/** Of this version's migrations those that made the backup's tables. */
function choose(known: readonly Migration[], wanted: readonly MigrationName[]): readonly Migration[] {
  return wanted.map(({ name, checksum }) => {
    const migration = known.find((one) => one.name === name);
    if (migration === undefined)
      throw refusal(
        `The backup has the migration ${name}, which this version of Periscope does not know: restore it with the newer version that made it.`,
      );
    if (migration.checksum !== checksum)
      throw refusal(`The migration ${name} is not the one that made the tables of the backup.`);
    return migration;
  });
}

/** Makes the tables, or finds them made and empty; says whether the list of migrations is filled already. */
async function prepareTables(client: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const applied = await readAppliedMigrations(client);
  if (applied.length === 0) {
    await refuseOthers(client);
    await client.query(MIGRATIONS_TABLE);
    for (const { sql } of migrations) await client.query(sql);
    return false;
  }
  await refuseRows(client, applied);
  if (applied.length !== migrations.length)
    throw refusal(
      `The database has the tables of the migration ${applied.at(-1)?.name}, and the backup those of ${migrations.at(-1)?.name}: restore it into a database without tables, or another DATA_DIR.`,
    );
  return true;
}

/** Makes the backup's partitions, in the place of those that are there, which are empty. */
async function preparePartitions(client: pg.Client, partitions: readonly PartitionName[]): Promise<void> {
  for (const { name } of await readPartitions(client)) await client.query(`DROP TABLE "${name}"`);
  for (const partition of partitions) await client.query(createPartition(partition));
}

async function refuseOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
     ORDER BY relname LIMIT 1`,
  );
  if (rows[0] === undefined) return;
  throw refusal(`The database holds ${rows[0].name}; a backup is restored into an empty one only.`);
}

async function refuseRows(client: pg.Client, applied: readonly Migration[]): Promise<void> {
  await forgetUnbegun(client);
  const { network, height } = await readFacts(client);
  if (network !== null)
    throw refusal(
      `The database holds the network ${network}${height === null ? '' : ` up to block ${height}`}; a backup is restored into an empty one only: name another database or DATA_DIR.`,
    );
  for (const table of tablesOf(applied)) {
    if (table === LIST) continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `SELECT EXISTS (SELECT FROM "${table}") AS filled`,
    );
    if (rows[0]?.filled)
      throw refusal(`The database holds rows in ${table}; a backup is restored into an empty one only.`);
  }
}

/** Copies what the backup has of each table, in its order, and says how many rows they are. */
async function copyTables(
  client: pg.Client,
  reader: BackupReader,
  tables: readonly string[],
  isListed: boolean,
  signal: AbortSignal,
): Promise<number> {
  const missing = new Set(tables);
  let rows = 0;
  for (let head = await reader.readTable(); head !== null; head = await reader.readTable()) {
    if (!missing.delete(head.table)) throw damaged(`it has the table ${head.table}, which was not to come`);
    if (head.table === LIST && isListed) {
      for await (const _ of reader.readRows()) signal.throwIfAborted();
      await reader.readCount();
      continue;
    }
    const stream = client.query(copyFrom(`${copyOf(head)} FROM STDIN`));
    await pipeline(reader.readRows(), stream, { signal }).catch((error) => explainFault(error, head.table));
    const count = await reader.readCount();
    if (count !== stream.rowCount)
      throw damaged(`it has ${stream.rowCount} rows of ${head.table}, and should have ${count}`);
    if (head.table !== LIST) rows += count;
  }
  if (missing.size > 0) throw damaged(`it lacks the table ${[...missing].join(', ')}`);
  return rows;
}

function explainFault(error: Error & { readonly code?: unknown }, table: string): never {
  if (DATA_FAULT.test(String(error.code))) throw damaged(`in the rows of ${table}, ${error.message}`);
  throw error;
}

async function readFacts(client: pg.Client): Promise<Pick<RestoreSummary, 'network' | 'height'>> {
  const { rows } = await client.query<Pick<RestoreSummary, 'network' | 'height'>>(
    `SELECT (SELECT chain_id FROM networks LIMIT 1) AS network, (SELECT max(height) FROM blocks)::text AS height`,
  );
  return { network: rows[0]?.network ?? null, height: rows[0]?.height ?? null };
}

function refusal(message: string): GatewayError {
  return new GatewayError('FAILED_PRECONDITION', message);
}
