import { columnOf } from './columns.ts';
import type { AnyNoun, Noun, Positioned } from './noun.ts';
import {
  assemblePage,
  findPage,
  type Page,
  type PageRequest,
  type PageScope,
  pageStatement,
  pagesStatement,
} from './pages.ts';
import { hasKey } from './rows.ts';
import { createScan, narrowKeys } from './scans.ts';
import { join, raw, Sql, sql } from './sql.ts';
import type { Statements } from './statements.ts';

/** A column that is wanted of rows, as PostgreSQL's text of the value or of its JSON. */
export type TextColumn = FieldColumn | ObjectColumn;

interface FieldColumn {
  readonly field: string;
  readonly form: 'text' | 'json';
}

/** Several fields of a row as one JSON object, each under a name: texts as JSON strings, numbers and lists as JSON. */
export interface ObjectColumn {
  readonly form: 'object';
  readonly members: readonly Member[];
}

export interface Member extends FieldColumn {
  /** At most `LONGEST_NAME` characters of ASCII, without quotes. */
  readonly name: string;
}

/** PostgreSQL cuts the names of columns there. */
export const LONGEST_NAME = 63;

/** The columns of a row that were asked for, in that order. */
export type TextRow = readonly (string | null)[];

/** Pages are assembled by it, so it stands first in all of their rows. */
export const POSITION = { field: 'createdPosition', form: 'text' } as const satisfies TextColumn;

/** As `readPage`, of the columns alone that are wanted. The first of them is `POSITION`. */
export async function readTextPage<Filter>(
  statements: Statements,
  list: Noun<Positioned, Filter>,
  columns: readonly TextColumn[],
  filter: Filter,
  request: PageRequest,
): Promise<Page<TextRow>> {
  const { selected, write } = textsOf(columns);
  const scan = createScan(selectOnly(selected, list), list.conditions(filter));
  return findPage((statement) => statements.texts(write(statement)), request, scan, positionOf);
}

/** As `readPages`, of the columns alone that are wanted. The first of them is `POSITION`. */
export async function readTextPages<Filter>(
  statements: Statements,
  list: Noun<Positioned, Filter>,
  columns: readonly TextColumn[],
  { field, keys: wanted }: PageScope<Positioned & Readonly<Record<string, unknown>>>,
  filter: Filter,
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<TextRow>>> {
  const { keys, conditions } = narrowKeys(field, wanted, list.conditions(filter));
  const scope = { field, type: list.typeOf(field), source: 'scope' };
  const { selected, write } = textsOf(columns, SCOPE_KEY);
  const scan = createScan(selectOnly(selected, list), conditions, scope);
  const pages = pagesStatement(keys, pageStatement(request, scan));
  const rowsByKey = new Map<string, TextRow[]>(wanted.map((key) => [key, []]));
  for (const row of await statements.texts(write(pages))) {
    rowsByKey.get(row.at(-1) ?? '')?.push(row);
  }
  return new Map([...rowsByKey].map(([key, rows]) => [key, assemblePage(rows, request, positionOf)]));
}

/** As `readRows`, of the columns alone that are wanted. */
export async function readTextRows(
  statements: Statements,
  noun: AnyNoun,
  columns: readonly TextColumn[],
  field: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, TextRow>> {
  const { selected, write } = textsOf(columns, { field, form: 'text' });
  const found = sql`SELECT ${selected} FROM ${noun.table.name} AS t WHERE ${hasKey(field, keys)}`;
  const rows = await statements.texts(write(found));
  return new Map(rows.map((row) => [row.at(-1) ?? '', row]));
}

/** Positions lie below 2^53. */
function positionOf(row: TextRow): number {
  return Number(row[0]);
}

/** The key of the page that a row is of, in what `pagesStatement` gives. */
const SCOPE_KEY: FieldColumn = { field: 'scopeKey', form: 'text' };

/** How columns are read of the rows that a statement finds: what it selects, and what is written around it. */
interface Texts {
  readonly selected: Sql;
  readonly write: (found: Sql) => Sql;
}

const known = new WeakMap<readonly TextColumn[], Map<string, Texts>>();

/** The same columns are read again and again, with the key of the row or of its page, if any, as the last. */
function textsOf(columns: readonly TextColumn[], key?: FieldColumn): Texts {
  const byKey = known.get(columns) ?? new Map<string, Texts>();
  known.set(columns, byKey);
  const texts = byKey.get(key?.field ?? '') ?? prepareTexts(key === undefined ? columns : [...columns, key]);
  byKey.set(key?.field ?? '', texts);
  return texts;
}

/**
 * Done around the statement that finds the rows, which has them by their fields: while it looks for the rows of a page
 * it can come by many more.
 */
function prepareTexts(columns: readonly TextColumn[]): Texts {
  const fields = new Set(
    columns.flatMap((column) =>
      column.form === 'object' ? column.members.map(({ field }) => field) : column.field,
    ),
  );
  // The key of a page is no column of its rows.
  fields.delete(SCOPE_KEY.field);
  const selected = join([...fields].map((field) => raw(`t.${columnOf(field)} AS "${field}"`)));
  const written = columns.map((column, index) => {
    if (column.form === 'object') return `row_to_json(object${index})`;
    return column.form === 'json' ? `to_json(t."${column.field}")` : `t."${column.field}"`;
  });
  const objects = columns.flatMap((column, index) =>
    column.form === 'object' ? ` CROSS JOIN LATERAL (${selectMembers(column)}) AS object${index}` : [],
  );
  const around = [`SELECT ${written.join()} FROM (`, `) AS t${objects.join('')}`];
  return { selected, write: (found) => new Sql(around, [found]) };
}

function selectMembers({ members }: ObjectColumn): string {
  const selected = members.map(
    ({ name, field, form }) => `t."${field}"${form === 'text' ? '::text' : ''} AS "${name}"`,
  );
  return `SELECT ${selected.join()}`;
}

function selectOnly(columns: Sql, { table, indexes }: AnyNoun) {
  return { indexes, table: { ...table, columns } };
}
