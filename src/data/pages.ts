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
  const rows = await prisma.$queryRaw<Row[]>(
    pageStatement(request, scanList(list.table, list.conditions(filter))),
  );
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
  const scan = scanList(list.table, [equalsKey(scope, 'scope'), ...list.conditions(filter)]);
  const found = await prisma.$queryRaw<(Row & { scopeKey: string })[]>(Prisma.sql`
    SELECT scope.key AS "scopeKey", page.*
    FROM unnest(${scope.keys}::text[]) AS scope (key)
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
    SELECT scope.key AS "scopeKey", counted.count
    FROM unnest(${scope.keys}::text[]) AS scope (key)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf([equalsKey(scope, 'scope'), ...where])}
    ) AS counted`);
  return new Map(found.map(({ scopeKey, count }) => [scopeKey, Number(count)]));
}

/** How many index walks a page is merged from at most: one for each combination of values. */
const MAX_WALKS = 2000;

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

/**
 * The rows that fulfil all conditions, from the bound on, in the order of an index. An index gives rows in order
 * for one value of each of its columns, so every combination of the values asked for is walked by itself, and the
 * walks are merged.
 */
function scanList<Row>({ name, columns }: Table<Row>, conditions: readonly Condition[]): Scan {
  const { spreads, where } = splitConditions(conditions);
  const scan: Scan = (direction, bound, limit) => Prisma.sql`
    SELECT ${columns} FROM ${name} AS t
    WHERE ${allOf([...where, bound])}
    ORDER BY t.created_position ${Prisma.raw(direction)} LIMIT ${limit}`;
  if (spreads.length === 0) return scan;
  const combinations = spreads.map(
    ({ values }, index) =>
      Prisma.sql`unnest(${[...new Set(values)]}::text[]) AS ${Prisma.raw(spreadName(index))} (key)`,
  );
  return (direction, bound, limit) => Prisma.sql`
    SELECT merged.* FROM ${Prisma.join(combinations, ' CROSS JOIN ')}
    CROSS JOIN LATERAL (${scan(direction, bound, limit)}) AS merged
    ORDER BY merged."createdPosition" ${Prisma.raw(direction)} LIMIT ${limit}`;
}

/** Picks the conditions whose values are walked one by one; the others, if any, are only checked. */
function splitConditions(conditions: readonly Condition[]): {
  readonly spreads: readonly AnyOf[];
  readonly where: readonly Prisma.Sql[];
} {
  const spreads: AnyOf[] = [];
  const where: Prisma.Sql[] = [];
  let walks = 1;
  for (const condition of conditions) {
    const values = isAnyOf(condition) ? new Set(condition.values).size : 1;
    if (isAnyOf(condition) && values > 1 && walks * values <= MAX_WALKS) {
      walks *= values;
      where.push(equalsKey(condition, spreadName(spreads.length)));
      spreads.push(condition);
    } else {
      where.push(toSql(condition));
    }
  }
  return { spreads, where };
}

function spreadName(index: number): string {
  return `spread_${index}`;
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

/** A condition as SQL on `t`. */
export function toSql(condition: Condition): Prisma.Sql {
  if (!isAnyOf(condition)) return condition;
  const column = Prisma.raw(`t.${condition.column}`);
  const values = [...new Set(condition.values)];
  return values.length === 1
    ? Prisma.sql`${column} = ${values[0]}::${Prisma.raw(condition.type)}`
    : Prisma.sql`${column} = ANY (${values}::text[]::${Prisma.raw(condition.type)}[])`;
}

/** That a column has the key of a row source: the scope, or a spread. */
function equalsKey(
  { column, type }: { readonly column: string; readonly type: string },
  source: string,
): Prisma.Sql {
  return Prisma.raw(`t.${column} = ${source}.key::${type}`);
}

function isAnyOf(condition: Condition): condition is AnyOf {
  return 'values' in condition && 'column' in condition;
}

function allOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join([...conditions], ' AND ');
}
