import { columnOf } from './columns.ts';
import type { AnyNoun, Noun, Positioned } from './noun.ts';
import {
  assemblePage,
  type Page,
  type PageRequest,
  type PageScope,
  pageStatement,
  pagesStatement,
} from './pages.ts';
import { hasKey } from './rows.ts';
import { createScan, narrowKeys } from './scans.ts';
import { join, raw, type Sql, sql } from './sql.ts';
import type { Statements } from './statements.ts';

/** A column that is wanted of rows: by its field, as PostgreSQL's text of the value or of its JSON. */
export interface TextColumn {
  readonly field: string;
  readonly form: 'text' | 'json';
}

/** The columns of a row that were asked for, in that order. */
export type TextRow = readonly (string | null)[];

/** Pages are assembled by it, so it stands first in all of their rows. */
export const POSITION: TextColumn = { field: 'createdPosition', form: 'text' };

/** As `readPage`, of the columns alone that are wanted. The first of them is `POSITION`. */
export async function readTextPage<Filter>(
  statements: Statements,
  list: Noun<Positioned, Filter>,
  columns: readonly TextColumn[],
  filter: Filter,
  request: PageRequest,
): Promise<Page<TextRow>> {
  const scan = createScan(withColumns(list, columns), list.conditions(filter));
  return assemblePage(await statements.texts(pageStatement(request, scan)), request, positionOf);
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
  const scan = createScan(withColumns(list, columns), conditions, scope);
  const rowsByKey = new Map<string, TextRow[]>(wanted.map((key) => [key, []]));
  for (const row of await statements.texts(pagesStatement(keys, pageStatement(request, scan)))) {
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
  const key: TextColumn = { field, form: 'text' };
  const rows = await statements.texts(
    sql`SELECT ${selectList([...columns, key])} FROM ${noun.table.name} AS t WHERE ${hasKey(field, keys)}`,
  );
  return new Map(rows.map((row) => [row.at(-1) ?? '', row]));
}

/** Positions lie below 2^53. */
function positionOf(row: TextRow): number {
  return Number(row[0]);
}

function withColumns({ table, indexes }: AnyNoun, columns: readonly TextColumn[]) {
  return { indexes, table: { ...table, columns: selectList(columns) } };
}

function selectList(columns: readonly TextColumn[]): Sql {
  return join(
    columns.map(({ field, form }) => {
      const column = `t.${columnOf(field)}`;
      return raw(`${form === 'json' ? `to_json(${column})::text` : column} AS "${field}"`);
    }),
  );
}
