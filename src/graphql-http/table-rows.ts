import { badRequest } from '../engine/client-errors.ts';
import { type Column, type RowFormat, rowWriter, valueAt } from '../http/write/csv.ts';
import { writeRows } from '../http/write/row-stream.ts';
import type { TableForm } from './table-columns.ts';

/** What an answer comes to as a table. */
export interface TableText {
  readonly form: TableForm;
  readonly format: RowFormat;
}

export type Values = Readonly<Record<string, unknown>>;

/** Of the values that a table tells again, which a query selects once: about two seconds. A whole page of 5000 rows has 400 such columns. */
const MOST_REPEATED = 2_000_000;
/** Of its text, which waits in memory for its reader: 5000 rows of all that may be selected of a row have less. */
const MOST_CHARACTERS = 2 ** 26;

/** How many values a table tells again: those of what stands around its rows, once for each. */
export function countRepeated(data: Values | null, { around, lists }: TableForm): number {
  return around === 0 ? 0 : around * countRows(data, lists);
}

/** Throws INVALID_ARGUMENT where a table that is one answer would tell so many values again. */
export function checkRepeated(repeated: number, { around }: TableForm): void {
  if (repeated > MOST_REPEATED)
    throw badRequest(
      'query',
      `The table is too large: what stands around its list is told in each of its rows, and ${around} columns in ${repeated / around} rows are more than ${MOST_REPEATED} values. Select fewer fields around the list, or fewer rows, or ask for JSON.`,
    );
}

/** The text of a table, head and rows, while others have their turns. Rejects with INVALID_ARGUMENT where it is too long. */
export async function textOfTable(data: Values | null, table: TableText): Promise<string> {
  const writer = rowWriter(table.format, table.form.columns);
  let text = '';
  for await (const piece of writeRows([rowsToWrite(data, table)], writer)) {
    text += piece;
    if (text.length > MOST_CHARACTERS)
      throw badRequest(
        'query',
        `The table is too large: it has more than ${MOST_CHARACTERS} characters. Select fewer fields, or fewer rows, or ask for JSON.`,
      );
  }
  return text;
}

/** The rows of an answer as its form has them, each made when it is written. */
export function* rowsToWrite(
  data: Values | null,
  { form: { columns, lists }, format }: TableText,
): Generator<object> {
  for (const row of rowsOf(data, lists)) yield format === 'ndjson' ? toObject(row, columns) : (row ?? {});
}

function countRows(value: Values | null, [list, ...within]: TableForm['lists']): number {
  if (list === undefined) return 1;
  const items = valueAt(value, list);
  if (!Array.isArray(items)) return 0;
  return within.length === 0 ? items.length : items.reduce((sum, item) => sum + countRows(item, within), 0);
}

/** The answer once for each row, with the row in the place of the list that it is in. */
function* rowsOf(
  value: Values | null,
  [list, ...within]: TableForm['lists'],
): Generator<Values | null, void> {
  if (list === undefined) {
    yield value;
    return;
  }
  const items = valueAt(value, list);
  if (!Array.isArray(items)) return;
  for (const item of items) for (const row of rowsOf(item, within)) yield withRow(value ?? {}, list, row);
}

function withRow(value: Values, [name = '', ...rest]: readonly string[], row: Values | null): Values {
  const inner = rest.length === 0 ? row : withRow((value[name] ?? {}) as Values, rest, row);
  return { ...value, [name]: inner };
}

/** A row as lines of JSON have it: each value under the name of its column. */
function toObject(row: Values | null, columns: readonly Column[]): object {
  return Object.fromEntries(columns.map(({ name, path }) => [name, valueAt(row, path) ?? null]));
}
