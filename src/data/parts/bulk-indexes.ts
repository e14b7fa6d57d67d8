import type pg from 'pg';
import { readPartitions, withoutWaiting } from '../history/partitions.ts';
import { inTransaction } from '../servers/transaction.ts';
import { note, readNotes, type Stage, unnote } from './ingest-progress.ts';
import { PROGRESS_TABLE } from './progress-table.ts';
import { sideBySide } from './side-by-side.ts';

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
  const keys = missing.flatMap(([name, statement]) => keyOf(name, statement) ?? []);
  const partitions = await readPartitions(first);
  const ofPartitions = keys.flatMap((key) =>
    partitions.filter(({ table }) => table === key.table).map(({ name }) => keyOfPartition(name, key)),
  );
  const others = missing.filter(([name, statement]) => keyOf(name, statement) === null);
  await sideBySide(
    clients,
    [
      ...others.map(
        ([name, statement]) =>
          (client: pg.Client) =>
            makeIndex(client, kind, name, statement),
      ),
      ...ofPartitions.map(
        ({ makeIt }) =>
          (client: pg.Client) =>
            client.query(makeIt),
      ),
    ],
    (client, make): Promise<unknown> => make(client),
  );
  // A key waits for whoever makes another index of its table.
  for (const one of ofPartitions) await addKey(first, one);
  for (const { name, statement } of keys)
    await withoutWaiting(first, [
      statement,
      `DELETE FROM ${PROGRESS_TABLE} WHERE kind = '${kind}' AND name = '${name}'`,
    ]);
}

function makeIndex(client: pg.Client, kind: string, name: string, statement: string): Promise<void> {
  return inTransaction(client, async () => {
    await client.query(statement);
    await unnote(client, kind, name);
  });
}

/** The key of a table, by its name, and the statement that adds it. */
interface Key {
  readonly name: string;
  readonly statement: string;
  readonly table: string;
  readonly columns: string;
}

const KEY = /^ALTER TABLE "?(\w+)"? ADD CONSTRAINT "?\w+"? PRIMARY KEY (\(.+\))$/;

function keyOf(name: string, statement: string): Key | null {
  const [, table, columns] = KEY.exec(statement) ?? [];
  return table === undefined || columns === undefined ? null : { name, statement, table, columns };
}

/** A key of a table in partitions is made of theirs: to make it at once, PostgreSQL would let nobody read until it is there. */
interface PartitionKey {
  readonly partition: string;
  readonly makeIt: string;
  readonly addIt: string;
}

function keyOfPartition(partition: string, { columns }: Key): PartitionKey {
  const key = `${partition}_pkey`;
  return {
    partition,
    makeIt: `CREATE UNIQUE INDEX IF NOT EXISTS "${key}" ON "${partition}" ${columns}`,
    addIt: `ALTER TABLE "${partition}" ADD CONSTRAINT "${key}" PRIMARY KEY USING INDEX "${key}"`,
  };
}

async function addKey(client: pg.Client, { partition, addIt }: PartitionKey): Promise<void> {
  const { rows } = await client.query(
    `SELECT FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [`"${partition}"`],
  );
  if (rows.length === 0) await withoutWaiting(client, [addIt]);
}

function kindOf(stage: Stage): string {
  return `index of the ${stage}`;
}
