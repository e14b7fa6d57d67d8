import type pg from 'pg';
import { readPartitions, withoutWaiting } from '../history/partitions.ts';
import { inTransaction } from '../servers/transaction.ts';
import { note, readNotes, type Stage, unnote } from './ingest-progress.ts';
import { PROGRESS_TABLE } from './progress-table.ts';

/*
 * Many rows come sooner into a table without indexes, which are then made of all of them at once. What is to be made is noted
 * where it is dropped.
 */

/** Drops the indexes of tables, within a transaction. */
export async function dropIndexes(
  client: pg.ClientBase,
  tables: readonly string[],
  stage: Stage,
): Promise<void> {
  const { rows } = await client.query<{
    table: string;
    name: string;
    constrains: boolean;
    statement: string;
  }>(
    `SELECT class.relname AS table, index.relname AS name, held.oid IS NOT NULL AS constrains,
       CASE WHEN held.oid IS NULL THEN replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
       ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', class.relname, held.conname, pg_get_constraintdef(held.oid)) END AS statement
     FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_class AS class ON class.oid = indrelid
     LEFT JOIN pg_constraint AS held ON held.conindid = indexrelid AND held.contype IN ('p', 'u')
     WHERE class.relnamespace = current_schema()::regnamespace AND class.relname = ANY ($1) ORDER BY index.relname`,
    [tables],
  );
  for (const { table, name, constrains, statement } of rows) {
    await note(client, kindOf(stage), name, statement);
    await client.query(
      constrains ? `ALTER TABLE "${table}" DROP CONSTRAINT "${name}"` : `DROP INDEX "${name}"`,
    );
  }
}

/** Makes what was dropped and is not there yet, on several connections side by side. Those who read the tables go on meanwhile. */
export async function makeIndexes(clients: readonly pg.Client[], stage: Stage): Promise<void> {
  const [first] = clients;
  if (first === undefined) return;
  const kind = kindOf(stage);
  const missing = [...(await readNotes(first, kind))];
  const isKey = ([, statement]: Missing) => KEY.test(statement);
  // A key waits for whoever makes another index of its table.
  await sideBySide(clients, missing.filter(isKey), (client, [name, statement]) =>
    makeKey(client, kind, name, statement),
  );
  await sideBySide(
    clients,
    missing.filter((one) => !isKey(one)),
    (client, [name, statement]) =>
      inTransaction(client, async () => {
        await client.query(statement);
        await unnote(client, kind, name);
      }),
  );
}

/** An index by its name, and the statement that makes it. */
type Missing = readonly [name: string, statement: string];

async function sideBySide(
  clients: readonly pg.Client[],
  all: readonly Missing[],
  make: (client: pg.Client, one: Missing) => Promise<void>,
): Promise<void> {
  const queue = [...all];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await make(client, next);
    }),
  );
}

const KEY = /^ALTER TABLE "?(\w+)"? ADD CONSTRAINT "?\w+"? PRIMARY KEY (\(.+\))$/;

/** A key of a table in partitions is made of theirs: to make it at once, PostgreSQL would let nobody read until it is there. */
async function makeKey(client: pg.Client, kind: string, name: string, statement: string): Promise<void> {
  const [, table, columns = ''] = KEY.exec(statement) ?? [];
  for (const partition of await readPartitions(client))
    if (partition.table === table) await makePartitionKey(client, partition.name, columns);
  await withoutWaiting(client, [
    statement,
    `DELETE FROM ${PROGRESS_TABLE} WHERE kind = '${kind}' AND name = '${name}'`,
  ]);
}

async function makePartitionKey(client: pg.Client, partition: string, columns: string): Promise<void> {
  const key = `${partition}_pkey`;
  const { rows } = await client.query(
    `SELECT FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [`"${partition}"`],
  );
  if (rows.length > 0) return;
  await client.query(`CREATE UNIQUE INDEX IF NOT EXISTS "${key}" ON "${partition}" ${columns}`);
  await withoutWaiting(client, [
    `ALTER TABLE "${partition}" ADD CONSTRAINT "${key}" PRIMARY KEY USING INDEX "${key}"`,
  ]);
}

function kindOf(stage: Stage): string {
  return `index of the ${stage}`;
}
