import type { Enumeration } from '../../domain/enumeration.ts';
import { columnOf } from '../columns.ts';
import type { Check } from '../conditions.ts';
import { type AnyNoun, type Noun, orderedBy, type Positioned } from '../noun.ts';
import type { Statements } from '../servers/statements.ts';
import { join, raw, Sql } from '../sql.ts';
import { type ValueOrder, valueOrderOf } from '../value-orders.ts';
import type { Owners } from './owners.ts';
import { type PageRequest, PageStatements, type Selection, type Start } from './page-statements.ts';
import { assemblePages, findPage, type Page } from './pages.ts';
import { RowStatements, type RowsOptions } from './rows.ts';
import { readValuePages, VALUE_COLUMNS } from './value-pages.ts';

/** A column that is wanted of rows, as PostgreSQL's text of the value or of its JSON. */
export type TextColumn = FieldColumn | ObjectColumn;

interface FieldColumn {
  readonly field: string;
  readonly form: FieldForm;
}

/** As text, as JSON, or the number of an enumeration as its name. */
export type FieldForm = 'text' | 'json' | Enumeration;

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

/**
 * Reads one page of a list, of the columns alone that are wanted; the first of them is `POSITION`. `hasNextPage` and
 * `hasPreviousPage` are exact for the rows returned. Costs an index walk of about `limit` rows, wherever in the list the
 * page is.
 */
export async function readTextPage<Filter>(
  statements: Statements,
  list: Noun<Positioned, Filter>,
  columns: readonly TextColumn[],
  filter: Filter,
  request: PageRequest,
  charge: Charge = () => undefined,
): Promise<Page<TextRow>> {
  const order = valueOrderOf(list, request);
  if (order !== undefined) {
    const pages = await readInOrder(statements, list, order, columns, null, filter, request, charge);
    return pages.get('') as Page<TextRow>;
  }
  const { pages } = textsOf(inOrder(columns, list, request));
  const checks = checksOf(statements, list, filter, request);
  const read = (start: Start) => statements.texts(pages.page(list, checks, request, start));
  return findPage(read, request, positionOf);
}

/**
 * Reads a page for each key of a field, as of the deposits of each of several parties, in one statement. Every key has a page in the
 * answer.
 */
export async function readTextPages<Filter>(
  statements: Statements,
  list: Noun<Positioned, Filter>,
  columns: readonly TextColumn[],
  { field, keys }: Owners,
  filter: Filter,
  request: PageRequest,
  charge: Charge = () => undefined,
): Promise<ReadonlyMap<string, Page<TextRow>>> {
  const order = valueOrderOf(list, request);
  if (order !== undefined)
    return readInOrder(statements, list, order, columns, { field, keys }, filter, request, charge);
  const owners = { keys, ...list.fieldOf(field) };
  const { pages } = textsOf(inOrder(columns, list, request), [SCOPE_KEY]);
  const statement = pages.pages(list, owners, checksOf(statements, list, filter, request), request);
  const found = await statements.texts(statement);
  return assemblePages(found, keys, request, { keyOf: lastOf, positionOf });
}

/** Charges whoever asks for rows that were read besides those of the page. */
type Charge = (rows: number) => void;

/** Pages in the order of a value. */
async function readInOrder<Filter>(
  statements: Statements,
  list: Noun<Positioned, Filter>,
  order: ValueOrder,
  columns: readonly TextColumn[],
  owners: Owners | null,
  filter: Filter,
  request: PageRequest,
  charge: Charge,
): Promise<ReadonlyMap<string, Page<TextRow>>> {
  const checks = checksOf(statements, list, filter, {});
  const { selection } = textsOf(columns, VALUE_COLUMNS);
  return readValuePages(
    statements,
    { list: list as Noun, order, checks, owners },
    selection,
    request,
    charge,
  );
}

/** Reads the columns of the rows of a noun that have one of these keys in a field that no two rows share, by their keys. */
export async function readTextRows(
  statements: Statements,
  noun: AnyNoun,
  columns: readonly TextColumn[],
  field: string,
  keys: readonly string[],
  options?: RowsOptions,
): Promise<ReadonlyMap<string, TextRow>> {
  const { rows } = textsOf(columns, [{ field, form: 'text' }]);
  const found = await statements.texts(rows.find(noun, field, keys, options));
  return new Map(found.map((row) => [lastOf(row), row]));
}

/** What rows that change lie between at present says nothing of the past, and would take long to find there. */
function checksOf<Filter>(
  { isPast }: Statements,
  list: Noun<Positioned, Filter>,
  filter: Filter,
  { order }: Pick<PageRequest, 'order'>,
): readonly Check[] {
  const ordered = order ? list.orders[order] : undefined;
  if (ordered !== undefined) return ordered.checks(filter);
  return isPast && list.history !== 'added' ? list.conditions(filter) : list.checks(filter);
}

/** The columns with the position that the list is in the order of as the first. */
function inOrder(
  columns: readonly TextColumn[],
  list: Pick<AnyNoun, 'orders'>,
  request: PageRequest,
): readonly TextColumn[] {
  if (!request.order) return columns;
  const field = orderedBy(list, request);
  const known = ordered.get(columns) ?? new Map<string, readonly TextColumn[]>();
  ordered.set(columns, known);
  const all = known.get(field) ?? [{ field, form: 'text' }, ...columns.slice(1)];
  known.set(field, all);
  return all;
}

const ordered = new WeakMap<readonly TextColumn[], Map<string, readonly TextColumn[]>>();

/** The key of a row, or of its page, where it was asked for by keys. */
function lastOf(row: TextRow): string {
  return row.at(-1) ?? '';
}

/** Positions lie below 2^53. */
function positionOf(row: TextRow): number {
  return Number(row[0]);
}

/** The key of the page that a row is of, in what `pagesStatement` gives. */
const SCOPE_KEY: FieldColumn = { field: 'scopeKey', form: 'text' };

/** What reads columns as texts. */
interface Texts {
  readonly selection: Selection;
  readonly pages: PageStatements;
  readonly rows: RowStatements;
}

const known = new WeakMap<readonly TextColumn[], Map<string, Texts>>();

/** The same columns are read again and again, with the key of the row or of its page, if any, as the last. */
function textsOf(columns: readonly TextColumn[], besides: readonly FieldColumn[] = []): Texts {
  const byKey = known.get(columns) ?? new Map<string, Texts>();
  known.set(columns, byKey);
  const key = besides[0]?.field ?? '';
  const texts = byKey.get(key) ?? prepareTexts([...columns, ...besides]);
  byKey.set(key, texts);
  return texts;
}

function prepareTexts(columns: readonly TextColumn[]): Texts {
  const selection = selectTexts(columns);
  return { selection, pages: new PageStatements(selection), rows: new RowStatements(selection) };
}

/**
 * Done around the statement that finds the rows, which has them by their fields: while it looks for the rows of a page
 * it can come by many more.
 */
function selectTexts(columns: readonly TextColumn[]): Selection {
  const fields = new Set(
    columns.flatMap((column) =>
      column.form === 'object' ? column.members.map(({ field }) => field) : column.field,
    ),
  );
  // The key of a page is no column of its rows, nor is what else is said of it.
  for (const { field } of [SCOPE_KEY, ...VALUE_COLUMNS]) fields.delete(field);
  const selected = join([...fields].map((field) => raw(`t.${columnOf(field)} AS "${field}"`)));
  const written = columns.map((column, index) => {
    if (column.form === 'object') return `row_to_json(${nameObject(index)})`;
    if (column.form === 'json') return `to_json(t."${column.field}")`;
    return column.form === 'text' ? `t."${column.field}"` : nameIn(column.form, `t."${column.field}"`);
  });
  const objects = columns.flatMap((column, index) =>
    column.form === 'object' ? ` CROSS JOIN LATERAL (${selectMembers(column)}) AS ${nameObject(index)}` : [],
  );
  const around = [`SELECT ${written.join()} FROM (`, `) AS t${objects.join('')}`];
  return { columns: selected, write: (found) => new Sql(around, [found]) };
}

/** PostgreSQL takes a bare name for a column before it takes it for a row, and an alias of a query may be any name without a space. */
function nameObject(index: number): string {
  return `"object ${index}"`;
}

function selectMembers({ members }: ObjectColumn): string {
  const selected = members.map(({ name, field, form }) => `${memberOf(`t."${field}"`, form)} AS "${name}"`);
  return `SELECT ${selected.join()}`;
}

function memberOf(value: string, form: FieldForm): string {
  if (form === 'json') return value;
  return form === 'text' ? `${value}::text` : nameIn(form, value);
}

/** The name of a number, as `Enumeration.nameOf` has it: a look-up in a constant array. */
function nameIn({ namesByNumber, prefix }: Enumeration, number: string): string {
  const names = namesByNumber.map((name) => name ?? 'NULL').join();
  return `coalesce(('[0:${namesByNumber.length - 1}]={${names}}'::text[])[${number}], '${prefix}' || ${number})`;
}
