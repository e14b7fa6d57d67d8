import type { ClientBase } from 'pg';
import { HISTORIES, ROWS_BY_POSITION, withoutWaiting } from './partitions.ts';

/** The migration that partitions histories. */
export const PARTITIONS_HISTORIES = '20261124140000_partitioned_histories';
/** The migration that partitions rows that are only ever added. */
export const PARTITIONS_ROWS = '20261125180000_partitioned_rows';

/** The migrations that partition tables, with the tables and the column of positions in each. */
const PARTITIONING: Readonly<Record<string, { readonly tables: readonly string[]; readonly by: string }>> = {
  [PARTITIONS_HISTORIES]: { tables: HISTORIES, by: 'position' },
  [PARTITIONS_ROWS]: { tables: ROWS_BY_POSITION, by: 'created_position' },
};

/** An older version may write so many blocks more before it is applied. */
const BLOCKS_AHEAD = 2n ** 17n;

/**
 * Makes sure, before a migration that partitions tables, that all that they hold is below a position, so that the migration can take
 * them for partitions as they are: it would look through all of them itself, and let nobody else read meanwhile. Here all go on. What
 * was looked through stays so, whoever is ended before the migration is.
 */
export async function preparePartitions(
  client: ClientBase,
  migration: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const partitioning = PARTITIONING[migration];
  if (partitioning === undefined) return;
  const { rows } = await client.query<{ height: string | null }>('SELECT max(height) AS height FROM blocks');
  const height = rows[0]?.height ?? null;
  if (height === null) return;
  const bound = (BigInt(height) + BLOCKS_AHEAD) << 20n;
  for (const table of partitioning.tables) {
    signal?.throwIfAborted();
    const isValid = await readValidity(client, table);
    const add = `ALTER TABLE ${table} ADD CONSTRAINT before_partitions CHECK (${partitioning.by} < ${bound}) NOT VALID`;
    if (isValid === null) await withoutWaiting(client, [add], undefined, signal);
    signal?.throwIfAborted();
    if (isValid !== true) await client.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT before_partitions`);
  }
}

/** Takes the bounds away where the migration has failed: the older version goes on, and would come to them. */
export async function dropBounds(client: ClientBase, migration: string): Promise<void> {
  for (const table of PARTITIONING[migration]?.tables ?? [])
    await withoutWaiting(client, [`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS before_partitions`]);
}

/** Whether a table's bound is known to hold; null where it has none yet. */
async function readValidity(client: ClientBase, table: string): Promise<boolean | null> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT convalidated AS valid FROM pg_constraint WHERE conrelid = $1::regclass AND conname = 'before_partitions'`,
    [table],
  );
  return rows[0]?.valid ?? null;
}
