import type { Noun, Positioned } from './noun.ts';
import { allOf, createScan, equalsKey, narrowKeys, type Scan, toSql } from './scans.ts';
import { type Sql, sql } from './sql.ts';
import type { Statements } from './statements.ts';

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

/** The objects of which each has a page: those that a field of the listed rows names. */
export interface PageScope<Row> {
  readonly field: keyof Row & string;
  readonly keys: readonly string[];
}

/**
 * Reads one page of a list, of one moment: `hasNextPage` and `hasPreviousPage` are exact for the rows returned. Costs
 * an index walk of about `limit` rows, wherever in the list the page is.
 */
export async function readPage<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  filter: Filter,
  request: PageRequest,
): Promise<Page<Row>> {
  const scan = createScan(list, list.conditions(filter));
  return findPage((statement) => statements.rows<Row>(statement), request, scan, positionOf);
}

/**
 * The page that a scan has, by one statement. From a cursor it begins with the cursor's own row, which says that the list
 * goes on there; only where that is gone by now, or is none of this list, the other side is looked at, too.
 */
export async function findPage<Row>(
  read: (statement: Sql) => Promise<readonly Row[]>,
  request: PageRequest,
  scan: Scan,
  positionOf: (row: Row) => number,
): Promise<Page<Row>> {
  const { cursor, backward, limit } = request;
  if (cursor !== null) {
    const [onwards] = directionsOf(request);
    const from = onwards === 'DESC' ? { most: toBigint(cursor) } : { least: toBigint(cursor) };
    const page = assemblePage(await read(scan(onwards, from, limit + 2)), request, positionOf);
    if (backward ? page.hasNextPage : page.hasPreviousPage) return page;
  }
  return assemblePage(await read(pageStatement(request, scan)), request, positionOf);
}

/**
 * Reads one page of a list for each key of a field, as in the deposits of several parties, in one statement.
 * Every key has a page in the answer.
 */
export async function readPages<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  { field, keys: wanted }: PageScope<Row>,
  filter: Filter,
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<Row>>> {
  const { keys, conditions } = narrowKeys(field, wanted, list.conditions(filter));
  const scan = createScan(list, conditions, { field, type: list.typeOf(field), source: 'scope' });
  const found = await statements.rows<Row & { scopeKey: string }>(
    pagesStatement(keys, pageStatement(request, scan)),
  );
  const rowsByKey = new Map<string, Row[]>(wanted.map((key) => [key, []]));
  for (const row of found) rowsByKey.get(row.scopeKey)?.push(row);
  return new Map([...rowsByKey].map(([key, rows]) => [key, assemblePage(rows, request, positionOf)]));
}

/** Counts the rows that a filter lets through. It reads them all: ask only where the number is wanted. */
export async function countRows<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  filter: Filter,
): Promise<number> {
  const where = list.conditions(filter).map(toSql);
  const [row] = await statements.rows<{ count: bigint }>(
    sql`SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf(where)}`,
  );
  return Number(row?.count ?? 0n);
}

/** As `countRows`, for each key of a field. */
export async function countRowsByKey<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  { field, keys: wanted }: PageScope<Row>,
  filter: Filter,
): Promise<ReadonlyMap<string, number>> {
  const { keys, conditions } = narrowKeys(field, wanted, list.conditions(filter));
  const scope = { field, type: list.typeOf(field), source: 'scope' };
  const where = [equalsKey(scope), ...conditions.map(toSql)];
  const found = await statements.rows<{ scopeKey: string; count: bigint }>(sql`
    SELECT scope.key AS "scopeKey", counted.count
    FROM unnest(${keys}::text[]) AS scope (key)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf(where)}
    ) AS counted`);
  const counts = new Map(found.map(({ scopeKey, count }) => [scopeKey, Number(count)]));
  return new Map(wanted.map((key) => [key, counts.get(key) ?? 0]));
}

/**
 * One row more than the page on the side that it walks to, and one row on the other side of the cursor: they
 * say whether the list goes on there. The cursor's own row is on the other side; it may be gone by now.
 */
export function pageStatement(request: PageRequest, scan: Scan): Sql {
  const { limit, cursor } = request;
  const [onwards, back] = directionsOf(request);
  const descending = onwards === 'DESC';
  if (cursor === null) return scan(onwards, {}, limit + 1);
  const beyond = descending ? { most: toBigint(cursor - 1n) } : { least: toBigint(cursor + 1n) };
  const behind = descending ? { least: toBigint(cursor) } : { most: toBigint(cursor) };
  return sql`(${scan(onwards, beyond, limit + 1)}) UNION ALL (${scan(back, behind, 1)})`;
}

/** The direction of positions in which a page is walked, and the one back. */
function directionsOf({ backward, newestFirst }: PageRequest): readonly ['ASC' | 'DESC', 'ASC' | 'DESC'] {
  return newestFirst !== backward ? ['DESC', 'ASC'] : ['ASC', 'DESC'];
}

/** A page for each key, which the scan has as `scope.key` and the rows as their last column. */
export function pagesStatement(keys: readonly string[], page: Sql): Sql {
  return sql`
    SELECT page.*, scope.key AS "scopeKey"
    FROM unnest(${[...keys]}::text[]) AS scope (key)
    CROSS JOIN LATERAL (${page}) AS page`;
}

function toBigint(position: bigint): Sql {
  return sql`${position}::bigint`;
}

/** The page in what its statement gave. */
export function assemblePage<Row>(
  found: readonly Row[],
  request: PageRequest,
  positionOf: (row: Row) => number,
): Page<Row> {
  const { limit, cursor, backward } = request;
  const descending = directionsOf(request)[0] === 'DESC';
  // Positions lie below 2^53; a cursor above them is not below any of them when it is rounded.
  const edge = Number(cursor);
  const placed = found.map((row) => ({ row, position: positionOf(row) }));
  const beyond = placed.filter(
    ({ position }) => cursor === null || (descending ? position < edge : position > edge),
  );
  beyond.sort((a, b) => (descending ? b.position - a.position : a.position - b.position));
  const rows = beyond.slice(0, limit).map(({ row }) => row);
  const goesOn = beyond.length > limit;
  const comesFrom = beyond.length < found.length;
  return backward
    ? { rows: rows.reverse(), hasNextPage: comesFrom, hasPreviousPage: goesOn }
    : { rows, hasNextPage: goesOn, hasPreviousPage: comesFrom };
}

function positionOf({ createdPosition }: Positioned): number {
  return Number(createdPosition);
}
