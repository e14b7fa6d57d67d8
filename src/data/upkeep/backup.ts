import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { GatewayError } from '../../errors.ts';
import { PARTITIONED, readPartitions } from '../history/partitions.ts';
import { readAppliedMigrations } from '../migrate.ts';
import { refuseHalfIngested } from '../parts/progress-table.ts';
import { createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';
import {
  type BackupFacts,
  beginRows,
  copyToOf,
  endRows,
  FOOT,
  LIST,
  tablesOf,
  writeHead,
} from './backup-format.ts';
import { checkRequirements } from './requirements.ts';

/** A server that is lost without a word is noticed by the kernel, which asks it from then on. */
const KEEP_ALIVE_MS = 10_000;

export interface BackupOptions {
  /** Of this program. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** What a backup holds. */
export type BackupSummary = Pick<BackupFacts, 'network' | 'height'> & { readonly rows: number };

/**
 * Writes down all that a database holds, as it is at one moment, while others write to it: see `backup-format.ts`.
 * It is whole only once it has come to its end. Throws FAILED_PRECONDITION where there are no tables, or those of a
 * newer version, or a base is not whole yet.
 */
export async function* readBackup(
  url: string,
  { version, signal }: BackupOptions,
): AsyncGenerator<Buffer | string, BackupSummary> {
  const client = createConnection(url, { purpose: 'backup', keepAliveInitialDelayMillis: KEEP_ALIVE_MS });
  const cut = () => destroy(client);
  signal.addEventListener('abort', cut);
  let isWhole = false;
  try {
    await client.connect();
    await checkRequirements(client);
    await beginReading(client);
    // The rows are read by whoever reads the file, whatever its server is set to.
    await client.query("SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL client_encoding = 'UTF8'");
    const migrations = await readAppliedMigrations(client);
    if (migrations.length === 0)
      throw new GatewayError('FAILED_PRECONDITION', 'The database has no tables of Periscope to back up.');
    await refuseHalfIngested(client);
    const facts = await readFacts(client, version);
    yield writeHead(facts, migrations, await readPartitions(client));
    let rows = 0;
    for (const table of tablesOf(migrations)) {
      const head = { table, columns: await readColumns(client, table) };
      yield beginRows(head);
      const stream = client.query(copyTo(copyToOf(head)));
      yield* stream as AsyncIterable<Buffer>;
      yield endRows(stream.rowCount);
      if (table !== LIST) rows += stream.rowCount;
    }
    await client.query('COMMIT');
    yield FOOT;
    isWhole = true;
    return { network: facts.network, height: facts.height, rows };
  } finally {
    signal.removeEventListener('abort', cut);
    // In the middle of a COPY, a connection takes no word.
    if (!isWhole) destroy(client);
    await client.end().catch(() => undefined);
  }
}

/**
 * Begins to read all as it is at one moment. What is moved from one part of a history to another meanwhile is not dropped where it was
 * before all is read.
 */
export async function beginReading(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: string | null }>(
    `SELECT string_agg(quote_ident(name), ', ') AS tables FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL`,
    [PARTITIONED],
  );
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const tables = rows[0]?.tables ?? null;
  // It takes no snapshot, as the first SELECT does: what that will see is kept from here on.
  if (tables !== null) await client.query(`LOCK TABLE ${tables} IN ACCESS SHARE MODE`);
}

async function readFacts(client: pg.Client, version: string): Promise<BackupFacts> {
  const { rows } = await client.query<Pick<BackupFacts, 'server' | 'network' | 'height'>>(
    `SELECT current_setting('server_version') AS server, (SELECT chain_id FROM networks LIMIT 1) AS network,
       (SELECT max(height) FROM blocks)::text AS height`,
  );
  const { server = '', network = null, height = null } = rows[0] ?? {};
  return { version, time: new Date().toISOString(), server, network, height };
}

async function readColumns(client: pg.Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`"${table}"`],
  );
  return rows.map(({ name }) => name);
}
