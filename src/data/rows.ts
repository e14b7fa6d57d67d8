import { columnOf } from './columns.ts';
import type { Noun } from './noun.ts';
import { raw, type Sql, sql } from './sql.ts';
import type { Statements } from './statements.ts';

/** Reads the rows of a noun that have one of these keys in a field that no two rows share, by their keys. */
export async function readRows<Row>(
  statements: Statements,
  noun: Noun<Row, never>,
  field: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const { columns, name } = noun.table;
  const rows = await statements.rows<Row & Readonly<Record<string, unknown>>>(
    sql`SELECT ${columns} FROM ${name} AS t WHERE ${hasKey(field, keys)}`,
  );
  return new Map(rows.map((row) => [String(row[field]), row]));
}

export function hasKey(field: string, keys: readonly string[]): Sql {
  const type = field === 'createdPosition' ? 'bigint' : 'text';
  if (keys.length === 1) return sql`${raw(`t.${columnOf(field)}`)} = ${keys[0]}::${raw(type)}`;
  return sql`${raw(`t.${columnOf(field)}`)} = ANY (${[...keys]}::${raw(type)}[])`;
}
