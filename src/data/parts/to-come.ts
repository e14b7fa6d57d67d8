import type pg from 'pg';
import { ROWS_BY_POSITION, TO_COME, withoutWaiting } from '../history/partitions.ts';

/*
 * The largest tables come behind the present. Until all rows of them are there, with their indexes, they have other names: so whoever
 * asks for rows of one is refused by PostgreSQL, and nobody has to look beforehand. `tableToCome` knows the error.
 */

/** Whether the rows of a table come behind the present. */
export function comesBehind(table: string): boolean {
  return ROWS_BY_POSITION.some((one) => one === table);
}

/** What a table is called while a base is taken in. */
export function nameToCome(table: string): string {
  return comesBehind(table) ? `${table}${TO_COME}` : table;
}

/** Takes them from those who read, within a transaction. */
export async function putAside(client: pg.ClientBase): Promise<void> {
  for (const table of ROWS_BY_POSITION)
    await client.query(`ALTER TABLE "${table}" RENAME TO "${nameToCome(table)}"`);
}

/** Whether they have been taken, and not given back. */
export async function areAside(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'SELECT bool_and(to_regclass(name) IS NOT NULL) AS found FROM unnest($1::text[]) AS name',
    [ROWS_BY_POSITION.map(nameToCome)],
  );
  return rows[0]?.found === true;
}

/** Gives them to those who read, and does the rest in the same transaction. */
export function bringBack(client: pg.ClientBase, rest: readonly string[]): Promise<void> {
  const renames = ROWS_BY_POSITION.map((table) => `ALTER TABLE "${nameToCome(table)}" RENAME TO "${table}"`);
  return withoutWaiting(client, [...renames, ...rest]);
}
