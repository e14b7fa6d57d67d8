import { Prisma, type PrismaClient } from './generated/prisma/client.ts';
import type { Table } from './table.ts';

/** Which part of a list is wanted: at most `limit` rows after `cursor`, or before it when `backward`. */
export interface PageRequest {
  readonly limit: number;
  /** The position of the row that the page starts beyond; null at the list's end that the walk starts from. */
  readonly cursor: bigint | null;
  /** Whether the walk goes from the end of the list towards its start. */
  readonly backward: boolean;
  /** Whether the list begins with its newest row; else with its oldest. */
  readonly newestFirst: boolean;
}

/** A page: its rows in the list's order, and whether the list goes on before and after them. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** What the rows of a list must fulfil, all of it: plain SQL on `t`, or a column that is one of several values. */
export type Condition = Prisma.Sql | AnyOf;

export interface AnyOf {
  readonly column: string;
  /** The column's SQL type, as in `text` or `account_type`. */
  readonly type: string;
  readonly values: readonly string[];
}

/** A list that can be paged: the rows of a table that a filter of its own lets through. */
export interface List<Row extends { readonly createdPosition: bigint }, Filter> {
  /** The name that its cursors carry. */
  readonly name: string;
  readonly table: Table<Row>;
  conditions(filter: Filter): readonly Condition[];
}

/**
 * Reads one page of a list, in one statement and so of one moment: `hasNextPage` and `hasPreviousPage` are
 * exact for the rows returned. Costs an index walk of about `limit` rows, wherever in the list the page is.
 */
export async function readPage<Row extends { readonly createdPosition: bigint }, Filter>(
  prisma: PrismaClient,
  list: List<Row, Filter>,
  filter: Filter,
  request: PageRequest,
): Promise<Page<Row>> {
  const { spread, where } = splitConditions(list.conditions(filter));
  const scan = (direction: Direction, bound: Prisma.Sql, limit: number) =>
    spread === null
      ? scanTable(list.table, where, direction, bound, limit)
      : mergeScans(list.table, spread, where, direction, bound, limit);
  const rows = await prisma.$queryRaw<Row[]>(pageStatement(request, scan));
  return assemblePage(rows, request);
}

/**
 * Reads one page of a list for each key of a column, as in the deposits of several parties, in one statement.
 * Every key has a page in the answer.
 */
export async function readPages<Row extends { readonly createdPosition: bigint }, Filter>(
  prisma: PrismaClient,
  list: List<Row, Filter>,
  scope: { readonly column: string; readonly type: string; readonly keys: readonly string[] },
  filter: Filter,
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<Row>>> {
  const where = list.conditions(filter).map(toSql);
  const scan = (direction: Direction, bound: Prisma.Sql, limit: number) =>
    scanTable(list.table, [equalsKey(scope), ...where], direction, bound, limit);
  const found = await prisma.$queryRaw<(Row & { scopeKey: string })[]>(Prisma.sql`
    SELECT keys.key AS "scopeKey", page.*
    FROM unnest(${scope.keys}::text[]) AS keys (key)
    CROSS JOIN LATERAL (${pageStatement(request, scan)}) AS page`);
  const rowsByKey = new Map<string, Row[]>(scope.keys.map((key) => [key, []]));
  for (const row of found) rowsByKey.get(row.scopeKey)?.push(row);
  return new Map([...rowsByKey].map(([key, rows]) => [key, assemblePage(rows, request)]));
}

/** Counts the rows that a filter lets through. It reads them all: ask only where the number is wanted. */
export async function countRows<Row extends { readonly createdPosition: bigint }, Filter>(
  prisma: PrismaClient,
  list: List<Row, Filter>,
  filter: Filter,
): Promise<number> {
  const where = list.conditions(filter).map(toSql);
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>(
    Prisma.sql`SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf(where)}`,
  );
  return Number(row?.count ?? 0n);
}

/** As `countRows`, for each key of a column. */
export async function countRowsByKey<Row extends { readonly createdPosition: bigint }, Filter>(
  prisma: PrismaClient,
  list: List<Row, Filter>,
  scope: { readonly column: string; readonly type: string; readonly keys: readonly string[] },
  filter: Filter,
): Promise<ReadonlyMap<string, number>> {
  const where = list.conditions(filter).map(toSql);
  const found = await prisma.$queryRaw<{ scopeKey: string; count: bigint }[]>(Prisma.sql`
    SELECT keys.key AS "scopeKey", counted.count
    FROM unnest(${scope.keys}::text[]) AS keys (key)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf([equalsKey(scope), ...where])}
    ) AS counted`);
  return new Map(found.map(({ scopeKey, count }) => [scopeKey, Number(count)]));
}

type Direction = 'ASC' | 'DESC';
type Scan = (direction: Direction, bound: Prisma.Sql, limit: number) => Prisma.Sql;

/**
 * One row more than the page on the side that it walks to, and one row on the other side of the cursor: they
 * tell whether the list goes on there. The cursor's own row is on the other side; it may be gone by now.
 */
function pageStatement({ limit, cursor, backward, newestFirst }: PageRequest, scan: Scan): Prisma.Sql {
  const descending = newestFirst !== backward;
  if (cursor === null) return scan(descending ? 'DESC' : 'ASC', Prisma.sql`TRUE`, limit + 1);
  const beyond = descending
    ? Prisma.sql`t.created_position < ${cursor}`
    : Prisma.sql`t.created_position > ${cursor}`;
  const behind = descending
    ? Prisma.sql`t.created_position >= ${cursor}`
    : Prisma.sql`t.created_position <= ${cursor}`;
  return Prisma.sql`
    (${scan(descending ? 'DESC' : 'ASC', beyond, limit + 1)})
    UNION ALL
    (${scan(descending ? 'ASC' : 'DESC', behind, 1)})`;
}

function scanTable<Row>(
  table: Table<Row>,
  where: readonly Prisma.Sql[],
  direction: Direction,
  bound: Prisma.Sql,
  limit: number,
): Prisma.Sql {
  return Prisma.sql`
    SELECT ${table.columns} FROM ${table.name} AS t
    WHERE ${allOf([...where, bound])}
    ORDER BY t.created_position ${Prisma.raw(direction)} LIMIT ${limit}`;
}

/** A list of values is walked value by value, each by its index and in order, and merged. */
function mergeScans<Row>(
  table: Table<Row>,
  spread: AnyOf,
  where: readonly Prisma.Sql[],
  direction: Direction,
  bound: Prisma.Sql,
  limit: number,
): Prisma.Sql {
  return Prisma.sql`
    SELECT merged.* FROM unnest(${[...new Set(spread.values)]}::text[]) AS keys (key)
    CROSS JOIN LATERAL (${scanTable(table, [equalsKey(spread), ...where], direction, bound, limit)}) AS merged
    ORDER BY merged."createdPosition" ${Prisma.raw(direction)} LIMIT ${limit}`;
}

/** Picks the condition whose values are walked one by one: the first that has several. */
function splitConditions(conditions: readonly Condition[]): {
  spread: AnyOf | null;
  where: readonly Prisma.Sql[];
} {
  const spread = conditions.find((condition) => isAnyOf(condition) && condition.values.length > 1);
  const where = conditions.filter((condition) => condition !== spread).map(toSql);
  return { spread: (spread as AnyOf | undefined) ?? null, where };
}

function assemblePage<Row extends { readonly createdPosition: bigint }>(
  found: readonly Row[],
  { limit, cursor, backward, newestFirst }: PageRequest,
): Page<Row> {
  const descending = newestFirst !== backward;
  const isBeyond = (row: Row) =>
    cursor === null || (descending ? row.createdPosition < cursor : row.createdPosition > cursor);
  const beyond = found.filter(isBeyond).sort(byPosition(descending));
  const rows = beyond.slice(0, limit);
  const goesOn = beyond.length > limit;
  const comesFrom = beyond.length < found.length;
  return backward
    ? { rows: rows.reverse(), hasNextPage: comesFrom, hasPreviousPage: goesOn }
    : { rows, hasNextPage: goesOn, hasPreviousPage: comesFrom };
}

function byPosition(descending: boolean) {
  return (a: { readonly createdPosition: bigint }, b: { readonly createdPosition: bigint }) =>
    a.createdPosition < b.createdPosition === descending ? 1 : -1;
}

function toSql(condition: Condition): Prisma.Sql {
  if (!isAnyOf(condition)) return condition;
  const column = Prisma.raw(`t.${condition.column}`);
  return condition.values.length === 1
    ? Prisma.sql`${column} = ${condition.values[0]}::${Prisma.raw(condition.type)}`
    : Prisma.sql`${column} = ANY (${[...condition.values]}::text[]::${Prisma.raw(condition.type)}[])`;
}

function equalsKey({ column, type }: { readonly column: string; readonly type: string }): Prisma.Sql {
  return Prisma.raw(`t.${column} = keys.key::${type}`);
}

function isAnyOf(condition: Condition): condition is AnyOf {
  return 'values' in condition && 'column' in condition;
}

function allOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join([...conditions], ' AND ');
}
