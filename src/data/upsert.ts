import type { ClientBase } from 'pg';
import { columnOf } from './columns.ts';

/** A table as the writer sees it. */
export interface Target<Row> {
  readonly name: string;
  /** The Prisma fields of the table (`Prisma.DepositScalarFieldEnum`). */
  readonly fields: Readonly<Record<string, string>>;
  /** The fields that tell rows apart; every other field takes the new value, but for `createdPosition`. */
  readonly key: readonly (keyof Row & string)[];
}

/** Writes rows, no two with one key: new ones are inserted, known ones brought up to date. One statement. */
export async function upsertRows<Row>(
  client: ClientBase,
  target: Target<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const statement = upsertStatement(target);
  await client.query({ name: `upsert ${target.name}`, text: statement, values: [toJson(target, rows)] });
}

/**
 * The rows travel as one JSON parameter that PostgreSQL reads by the table's own column types, so that no type
 * is written down twice and a block costs one statement per table whatever its size.
 */
export function upsertStatement<Row>({ name, fields, key }: Target<Row>): string {
  const columns = Object.keys(fields).map(columnOf);
  const keys = key.map(columnOf);
  const updates = columns
    .filter((column) => !keys.includes(column) && column !== 'created_position')
    .map((column) => `${column} = EXCLUDED.${column}`);
  return `
    INSERT INTO ${name} (${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${name}, $1::json)
    ON CONFLICT (${keys.join(', ')}) DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`}`;
}

/** Rows as JSON with the columns' names; integers beyond doubles travel as text, which PostgreSQL reads as well. */
export function toJson<Row>({ fields }: Target<Row>, rows: readonly Row[]): string {
  const columns = Object.keys(fields).map((field) => [field as keyof Row, columnOf(field)] as const);
  const records = rows.map((row) =>
    Object.fromEntries(columns.map(([field, column]) => [column, row[field]])),
  );
  return JSON.stringify(records, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return typeof value === 'string' ? storable(value) : value;
  });
}

/** PostgreSQL's text holds neither NUL nor half a surrogate pair; both become the replacement character. */
function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}
