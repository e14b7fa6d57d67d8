import { type PageRequest, type Start, walkOf } from './page-statements.ts';

/** A page: its rows in the list's order, and whether the list goes on before and after them. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/**
 * A page by one statement. From a cursor it begins with the cursor's own row, which says that the list goes on there;
 * only where that is gone by now, or is none of this list, the other side is looked at, too.
 */
export async function findPage<Row>(
  read: (start: Start) => Promise<readonly Row[]>,
  request: PageRequest,
  positionOf: (row: Row) => number,
): Promise<Page<Row>> {
  if (request.cursor === null) return assemblePage(await read('end'), request, positionOf);
  const page = assemblePage(await read('cursor'), request, positionOf);
  const isCursorThere = request.backward ? page.hasNextPage : page.hasPreviousPage;
  return isCursorThere ? page : assemblePage(await read('past cursor'), request, positionOf);
}

/** The pages by their keys, in what their statement gave. */
export function assemblePages<Row>(
  found: readonly Row[],
  keys: readonly string[],
  request: PageRequest,
  { keyOf, positionOf }: { keyOf(row: Row): string; positionOf(row: Row): number },
): ReadonlyMap<string, Page<Row>> {
  const rowsByKey = new Map<string, Row[]>(keys.map((key) => [key, []]));
  for (const row of found) rowsByKey.get(keyOf(row))?.push(row);
  return new Map([...rowsByKey].map(([key, rows]) => [key, assemblePage(rows, request, positionOf)]));
}

/** The page in what its statement gave. */
function assemblePage<Row>(
  found: readonly Row[],
  request: PageRequest,
  positionOf: (row: Row) => number,
): Page<Row> {
  const { limit, cursor, backward } = request;
  const sign = walkOf(request) === 'DESC' ? -1 : 1;
  const placeOf = (row: Row) => sign * positionOf(row);
  // Positions lie below 2^53; a cursor above them is not below any of them when it is rounded.
  const edge = cursor === null ? Number.NEGATIVE_INFINITY : sign * Number(cursor);
  const walked = inOrder(found, placeOf);
  const isBefore = (row: Row | undefined) => row !== undefined && placeOf(row) <= edge;
  let first = 0;
  while (isBefore(walked[first])) first += 1;
  const rows = walked.slice(first, first + limit);
  const goesOn = walked.length > first + limit;
  const comesFrom = first > 0;
  return backward
    ? { rows: rows.reverse(), hasNextPage: comesFrom, hasPreviousPage: goesOn }
    : { rows, hasNextPage: goesOn, hasPreviousPage: comesFrom };
}

/** Rows come in order but for those of two walks; nothing promises it, and to look takes next to no time. */
function inOrder<Row>(rows: readonly Row[], placeOf: (row: Row) => number): readonly Row[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const place = placeOf(row);
    if (place < last) return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
    last = place;
  }
  return rows;
}
