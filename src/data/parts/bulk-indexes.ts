import type pg from 'pg';
import { inTransaction } from '../servers/transaction.ts';
import { note, readNotes, type Stage, unnote } from './ingest-progress.ts';

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

/** Makes what was dropped and is not there yet, on several connections side by side. */
export async function makeIndexes(clients: readonly pg.Client[], stage: Stage): Promise<void> {
  const [first] = clients;
  if (first === undefined) return;
  const kind = kindOf(stage);
  // Those of keys keep all others from their tables: they are the first, and the others stand side by side.
  const missing = [...(await readNotes(first, kind))].sort(([, one], [, other]) => (one < other ? -1 : 1));
  await Promise.all(
    clients.map(async (client) => {
      for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
        const [name, statement] = next;
        await inTransaction(client, async () => {
          await client.query(statement);
          await unnote(client, kind, name);
        });
      }
    }),
  );
}

function kindOf(stage: Stage): string {
  return `index of the ${stage}`;
}
