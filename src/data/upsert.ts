import type { TypeOfColumn } from './column-types.ts';
import { columnOf } from './columns.ts';
import type { Table } from './noun.ts';
import { ROWS_AT_ONCE, type RowSet } from './row-sets.ts';

/** Makes rows ready to be written, no two with one key: as few sets as they fit in, none where there are none. */
export type Upsert<Row> = (rows: readonly Row[]) => readonly RowSet[];

/** What is to be written beside rows. */
export interface Beside {
  /** With the statement that writes them, as one statement around it. */
  readonly extend?: (upsert: string) => string;
  /** Of what the rows `given` were before, where several blocks change them at once: `t` is what they have become. */
  readonly noteEarlier?: string | null;
  /** The fields besides the key that a row keeps for ever: one that comes with another value there is left out. */
  readonly fixed?: readonly string[];
}

/**
 * Gives the statement that writes a table's rows: new ones are inserted, known ones brought up to date. They travel as
 * one array for each column, which costs PostgreSQL half of what it takes to read them as JSON.
 */
export function upsertInto<Row>(
  { name, fields }: Table<Row>,
  /** The fields that identify a row; every other field takes the new value, but for `createdPosition`. */
  key: readonly string[],
  typeOf: TypeOfColumn,
  { extend = (upsert) => upsert, noteEarlier = null, fixed = [] }: Beside = {},
): Upsert<Row> {
  const table = name.text;
  const columns = fields.map((field) => {
    const column = columnOf(field);
    return { field: field as keyof Row, column, type: typeOf(table, column) };
  });
  const names = columns.map(({ column }) => column);
  const keys = key.map(columnOf);
  const lasting = fixed.map(columnOf);
  // An event has its position to itself: what is known by that is new, and need not be looked for.
  const isAlwaysNew = key.join() === 'createdPosition';
  const given = `unnest(${columns.map(({ type }, index) => `$${index + 1}::${elementOf(type)}[]`).join(', ')})
      AS given (${names.join(', ')})`;
  const upsert = `
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${columns.map(({ column, type }) => `${column}::${type}`).join(', ')}
    FROM ${given}
    ${isAlwaysNew ? '' : onConflict(table, names, keys, lasting)}`;
  // The fence has each row looked up by its key.
  const earlier = `
    ${noteEarlier} FROM ${given} CROSS JOIN LATERAL (
      SELECT created_position FROM ${table} AS t
      WHERE ${[...keys, ...lasting].map((column) => `t.${column} = given.${column}`).join(' AND ')} OFFSET 0
    ) AS t`;
  const target = {
    write: { name: `write ${table}`, text: extend(upsert) },
    noteEarlier: noteEarlier === null ? null : { name: `note earlier ${table}`, text: earlier },
    created: names.indexOf('created_position'),
  };
  const encoders = columns.map(({ field, type }) => {
    const encode = type.endsWith('[]') ? encodeList : encodeValue;
    return (row: Row) => encode(row[field]);
  });
  // Two that differ in what never changes stand in one statement then, which PostgreSQL refuses: they are written one by one.
  const keyOf = (row: Row) => [...key, ...fixed].map((field) => row[field as keyof Row]).join('\0');
  return (rows) =>
    inParts(rows).map((part) => ({
      target,
      count: part.length,
      keys: isAlwaysNew ? [] : part.map(keyOf),
      columns: encoders.map((encode) => part.map(encode)),
    }));
}

function onConflict(
  table: string,
  names: readonly string[],
  keys: readonly string[],
  lasting: readonly string[],
): string {
  const updates = names
    .filter((column) => !keys.includes(column) && column !== 'created_position')
    .map((column) => `${column} = EXCLUDED.${column}`);
  const same = lasting.map((column) => `${table}.${column} = EXCLUDED.${column}`);
  const where = same.length === 0 ? '' : ` WHERE ${same.join(' AND ')}`;
  return `ON CONFLICT (${keys.join(', ')}) DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}${where}`}`;
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
