import { columnOf } from '../columns.ts';
import type { Table } from '../noun.ts';
import { encodeIntegers, encodeTexts, storable } from './binary-arrays.ts';
import type { TypeOfColumn } from './column-types.ts';
import { type PageRead, ROWS_AT_ONCE, type Row, type RowSet, type Target } from './row-sets.ts';

/** Makes rows ready to be written: as few sets as they fit in, none where there are none. */
export type Upsert<Model> = (rows: readonly Model[]) => readonly RowSet[];

/** What is to be written beside rows. */
export interface Beside {
  /** With the statement that writes them, as one statement around it. */
  readonly extend?: (upsert: string) => string;
  /** Extends it where several blocks change them at once, with what rows were before they became what is written. */
  readonly withEarlier?: WithEarlier | null;
  /** The fields besides the key that a row keeps for ever: one that comes with another value there is left out. */
  readonly fixed?: readonly string[];
  /** The field by whose values new rows are put side by side, where every row is new. */
  readonly groupedBy?: string | null;
  /** What reads the pages that they will be written to. */
  readonly pages?: PageRead | null;
}

export interface WithEarlier {
  /** The fields of earlier rows that are wanted. */
  readonly fields: readonly string[];
  /** `earlier` selects their columns, with the position of what each row became as `became`. */
  extend(upsert: string, earlier: string): string;
}

/**
 * Gives the statement that writes a table's rows: new ones are inserted, known ones brought up to date. They travel as
 * one array for each column, which PostgreSQL unpacks side by side: that takes it half of what a function in FROM does.
 */
export function upsertInto<Model>(
  { name, fields }: Table<Model>,
  /** The fields that identify a row; every other field takes the new value, but for `createdPosition`. */
  key: readonly string[],
  typeOf: TypeOfColumn,
  {
    extend = (upsert) => upsert,
    withEarlier = null,
    fixed = [],
    groupedBy = null,
    pages = null,
  }: Beside = {},
): Upsert<Model> {
  const table = name.text;
  const describe = (field: string) => describeColumn(field, typeOf(table, columnOf(field)));
  const columns = fields.map(describe);
  const names = columns.map(({ column }) => column).join(', ');
  // An event has its position to itself: what is known by that is new, and need not be looked for.
  const isAlwaysNew = key.join() === 'createdPosition';
  const upsert = `
    INSERT INTO ${table} (${names})
    SELECT ${columns.map(({ unpack }, index) => unpack(index + 1)).join(', ')}
    ${isAlwaysNew ? '' : onConflict(table, fields, key, fixed)}`;
  const earlierColumns = (withEarlier?.fields ?? []).map(describe);
  const earlier = [...earlierColumns, BECAME]
    .map(({ column, unpack }, index) => `${unpack(columns.length + index + 1)} AS ${column}`)
    .join(', ');
  const target: Target = {
    write: { name: `write ${table}`, text: extend(upsert) },
    writeWithEarlier:
      withEarlier === null
        ? null
        : { name: `write ${table} with earlier`, text: withEarlier.extend(upsert, `SELECT ${earlier}`) },
    keyOf: isAlwaysNew ? null : joining(key),
    fixedOf: fixed.length === 0 ? null : joining(fixed),
    groupOf: isAlwaysNew && groupedBy !== null ? (row) => row[groupedBy] : null,
    pages,
    encode: (rows) => columns.map(({ encode }) => encode(rows)),
    encodeEarlier: (rows) => earlierColumns.map(({ encode }) => encode(rows)),
  };
  return (rows) => inParts(rows as readonly Row[], target).map((part) => ({ target, rows: part }));
}

/** The name of the column that says which version of a row came after one, by its position. */
const BECAME = { column: 'became', unpack: (parameter: number) => `unnest($${parameter}::bigint[])` };

interface Column {
  readonly column: string;
  /** The column's values, from the parameter of a number. */
  unpack(parameter: number): string;
  encode(rows: readonly Row[]): Buffer;
}

/** Whole numbers travel as such, all else as text. */
export function describeColumn(field: string, type: string): Column {
  const column = columnOf(field);
  const isInteger = type === 'bigint' || type === 'integer';
  const element = isInteger ? 'bigint' : 'text';
  const cast = type === element ? '' : `::${type}`;
  const toText = type.endsWith('[]') ? listToText : valueToText;
  return {
    column,
    unpack: (parameter) => `unnest($${parameter}::${element}[])${cast}`,
    encode: isInteger
      ? (rows) => encodeIntegers(rows.map((row) => (row[field] ?? null) as bigint | number | null))
      : (rows) => encodeTexts(rows.map((row) => toText(row[field]))),
  };
}

function onConflict(
  table: string,
  fields: readonly string[],
  key: readonly string[],
  fixed: readonly string[],
): string {
  const updates = fields
    .filter((field) => !key.includes(field) && field !== 'createdPosition')
    .map((field) => `${columnOf(field)} = EXCLUDED.${columnOf(field)}`);
  const same = fixed.map((field) => `${table}.${columnOf(field)} = EXCLUDED.${columnOf(field)}`);
  const where = same.length === 0 ? '' : ` WHERE ${same.join(' AND ')}`;
  const action = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}${where}`;
  return `ON CONFLICT (${key.map(columnOf).join(', ')}) DO ${action}`;
}

/** Gives what rows have in some fields, as one text. Ids hold any character but U+0000. */
function joining(fields: readonly string[]): (row: Row) => string {
  const [first, ...others] = fields;
  return (row) => {
    let text = `${row[first as string]}`;
    for (const field of others) text += `\0${row[field]}`;
    return text;
  };
}

/** As many rows at a time as a statement takes, and none twice: one that comes again does after what it was before. */
function inParts(rows: readonly Row[], { keyOf, fixedOf }: Target): readonly (readonly Row[])[] {
  const parts: Row[][] = [];
  let part: Row[] = [];
  const held = new Set<string>();
  for (const row of rows) {
    const key = fixedOf === null ? undefined : keyOf?.(row);
    if (part.length === 0 || part.length === ROWS_AT_ONCE || (key !== undefined && held.has(key))) {
      part = [];
      parts.push(part);
      held.clear();
    }
    part.push(row);
    if (key !== undefined) held.add(key);
  }
  return parts;
}

/** What is neither text nor a number is JSON. */
function valueToText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return `${value}`;
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}`;
    return typeof part === 'string' ? storable(part) : part;
  });
}

/** An array of arrays would be a matrix: a list travels as its text. */
function listToText(values: unknown): string {
  const quoted = (values as readonly string[]).map((text) => `"${text.replace(SPECIAL, '\\$&')}"`);
  return `{${quoted.join()}}`;
}

const SPECIAL = /["\\]/g;
