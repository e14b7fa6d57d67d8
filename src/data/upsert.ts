import type { QueryConfig } from 'pg';
import { columnOf } from './columns.ts';
import type { Table } from './noun.ts';

/** The statements that write rows, no two with one key: one for as many rows as fit, none where there are none. */
export type Upsert<Row> = (rows: readonly Row[]) => readonly QueryConfig[];

/** So that a text stays far below the longest that there can be, however many events a block has. */
const ROWS_AT_ONCE = 10_000;

/**
 * Gives the statement that writes a table's rows: new ones are inserted, known ones brought up to date. They travel as
 * one JSON parameter that PostgreSQL reads by the table's own column types, so that no type is written down twice and
 * a block costs one statement for each table that changes.
 */
export function upsertInto<Row>(
  { name, fields }: Table<Row>,
  /** The fields that identify a row; every other field takes the new value, but for `createdPosition`. */
  key: readonly string[],
  /** What is to be written beside the rows, in the same statement. */
  extend: (upsert: string) => string = (upsert) => upsert,
): Upsert<Row> {
  const table = name.text;
  const columns = fields.map((field) => [field as keyof Row, columnOf(field)] as const);
  const names = columns.map(([, column]) => column);
  const keys = key.map(columnOf);
  const updates = names
    .filter((column) => !keys.includes(column) && column !== 'created_position')
    .map((column) => `${column} = EXCLUDED.${column}`);
  const upsert = `
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json)
    ON CONFLICT (${keys.join(', ')}) DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`}`;
  const statement = { name: `write ${table}`, text: extend(upsert) };
  return (rows) => inParts(rows).map((part) => ({ ...statement, values: [toJson(columns, part)] }));
}

function inParts<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, part) =>
    rows.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE),
  );
}

/** Rows as JSON with the columns' names. */
function toJson<Row>(columns: readonly (readonly [keyof Row, string])[], rows: readonly Row[]): string {
  const records = rows.map(
    (row) => `{${columns.map(([field, column]) => `"${column}":${encode(row[field])}`).join()}}`,
  );
  return `[${records.join()}]`;
}

/** Integers beyond doubles travel as text, which PostgreSQL reads as well. */
function encode(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(storable(value));
  if (typeof value === 'bigint') return `"${value}"`;
  return JSON.stringify(value ?? null, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}`;
    return typeof part === 'string' ? storable(part) : part;
  });
}

/** PostgreSQL's text holds neither NUL nor half a surrogate pair; both become the replacement character. */
function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}
