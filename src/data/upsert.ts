import type { QueryConfig } from 'pg';
import type { TypeOfColumn } from './column-types.ts';
import { columnOf } from './columns.ts';
import type { Table } from './noun.ts';

/** The statements that write rows, no two with one key: one for as many rows as fit, none where there are none. */
export type Upsert<Row> = (rows: readonly Row[]) => readonly QueryConfig[];

/** So that a text stays far below the longest that there can be, however many events a block has. */
const ROWS_AT_ONCE = 10_000;

/**
 * Gives the statement that writes a table's rows: new ones are inserted, known ones brought up to date. They travel as
 * one array for each column, which costs PostgreSQL half of what it takes to read them as JSON; and a block costs one
 * statement for each table that changes.
 */
export function upsertInto<Row>(
  { name, fields }: Table<Row>,
  /** The fields that identify a row; every other field takes the new value, but for `createdPosition`. */
  key: readonly string[],
  typeOf: TypeOfColumn,
  /** What is to be written beside the rows, in the same statement. */
  extend: (upsert: string) => string = (upsert) => upsert,
  /** The other fields that a row keeps for ever: one that comes with another value there is left out. */
  fixed: readonly string[] = [],
): Upsert<Row> {
  const table = name.text;
  const columns = fields.map((field) => {
    const column = columnOf(field);
    return { field: field as keyof Row, column, type: typeOf(table, column) };
  });
  const names = columns.map(({ column }) => column);
  const keys = key.map(columnOf);
  const updates = names
    .filter((column) => !keys.includes(column) && column !== 'created_position')
    .map((column) => `${column} = EXCLUDED.${column}`);
  const same = fixed.map(columnOf).map((column) => `${table}.${column} = EXCLUDED.${column}`);
  const condition = same.length === 0 ? '' : ` WHERE ${same.join(' AND ')}`;
  const upsert = `
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${columns.map(({ column, type }) => `${column}::${type}`).join(', ')}
    FROM unnest(${columns.map(({ type }, index) => `$${index + 1}::${elementOf(type)}[]`).join(', ')})
      AS given (${names.join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}${condition}`}`;
  const statement = { name: `write ${table}`, text: extend(upsert) };
  const toArrays = (rows: readonly Row[]) =>
    columns.map(({ field, type }) => {
      const encode = type.endsWith('[]') ? encodeList : encodeValue;
      return `{${rows.map((row) => encode(row[field])).join()}}`;
    });
  return (rows) => inParts(rows).map((part) => ({ ...statement, values: toArrays(part) }));
}

/** An array of arrays would be a matrix: arrays travel as text. */
function elementOf(type: string): string {
  return type.endsWith('[]') ? 'text' : type;
}

function inParts<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, part) =>
    rows.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE),
  );
}

/** A value as an array's text has it. What is neither text nor a number is JSON. */
function encodeValue(value: unknown): string {
  if (typeof value === 'string') return quote(storable(value));
  if (typeof value === 'bigint' || typeof value === 'number') return `${value}`;
  if (value === null || value === undefined) return 'NULL';
  return quote(
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return `${part}`;
      return typeof part === 'string' ? storable(part) : part;
    }),
  );
}

function encodeList(values: unknown): string {
  return quote(`{${(values as readonly unknown[]).map(encodeValue).join()}}`);
}

function quote(text: string): string {
  return SPECIAL.test(text) ? `"${text.replace(ALL_SPECIAL, '\\$&')}"` : `"${text}"`;
}

const SPECIAL = /["\\]/;
const ALL_SPECIAL = /["\\]/g;

/** PostgreSQL's text holds neither NUL nor half a surrogate pair; both become the replacement character. */
function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}
