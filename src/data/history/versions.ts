import type { Condition } from '../conditions.ts';
import type { Noun, Positioned } from '../noun.ts';
import { type PageRequest, type Start, walkOf } from '../queries/page-statements.ts';
import { findPage, type Page } from '../queries/pages.ts';
import { allOf, createScan, toSql } from '../queries/scans.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { historyOf } from './change-logs.ts';

/** A row as a block left it, and the position of the change. */
export type Version<Row> = Row & { readonly changePosition: bigint };

/** The positions of the changes that are wanted, both included. */
export interface VersionRange {
  readonly least: bigint;
  readonly most: bigint;
}

/** Rows that are asked for by more than these are found change by change. */
const FEW_ROWS = 500;

/**
 * Reads a page of the versions of rows, in the order of their changes: of a row that changed more than once at one height
 * the last.
 */
export async function readVersions<Row extends Positioned>(
  statements: Statements,
  noun: Noun<Row, never>,
  chosen: ChosenRows,
  range: VersionRange,
  request: PageRequest,
): Promise<Page<Version<Row>>> {
  const read = (start: Start) =>
    statements.rows<Version<Row>>(unkept(pageOf(noun, chosen, range, request, start)));
  return findPage(read, request, ({ changePosition }) => Number(changePosition));
}

/** The rows whose versions are wanted: by their positions where they are few, or by what they meet. */
export type ChosenRows = { readonly keys: readonly bigint[] } | { readonly checks: readonly Condition[] };

/** Chooses the rows that meet conditions. What these choose by never changes in a row. */
export async function chooseRows(
  statements: Statements,
  noun: Noun<Positioned, never>,
  conditions: readonly Condition[],
): Promise<ChosenRows> {
  if (conditions.length === 0) return { checks: [] };
  const found = await statements.rows<Positioned>(
    unkept(createScan(noun, conditions)('ASC', {}, FEW_ROWS + 1)),
  );
  if (found.length > FEW_ROWS) return { checks: conditions };
  return { keys: found.map(({ createdPosition }) => createdPosition) };
}

/** One version more than the page on each side, so that whether there are more is known (`findPage`). */
function pageOf<Row>(
  noun: Noun<Row, never>,
  chosen: ChosenRows,
  { least, most }: VersionRange,
  request: PageRequest,
  start: Start,
): Sql {
  const { limit, cursor } = request;
  const onwards = walkOf(request);
  const isDown = onwards === 'DESC';
  const walk = (direction: 'ASC' | 'DESC', from: bigint, to: bigint, rows: number) =>
    versionsWithin(noun, chosen, { least: from, most: to }, direction, rows);
  if (cursor === null || start === 'end') return walk(onwards, least, most, limit + 1);
  const [below, above] = [min(cursor, most), max(cursor, least)];
  if (start === 'cursor')
    return isDown ? walk(onwards, least, below, limit + 2) : walk(onwards, above, most, limit + 2);
  const beyond = isDown
    ? walk(onwards, least, min(cursor - 1n, most), limit + 1)
    : walk(onwards, max(cursor + 1n, least), most, limit + 1);
  const behind = isDown ? walk('ASC', above, most, 1) : walk('DESC', least, below, 1);
  return sql`(${beyond}) UNION ALL (${behind})`;
}

function versionsWithin<Row>(
  noun: Noun<Row, never>,
  chosen: ChosenRows,
  { least, most }: VersionRange,
  direction: 'ASC' | 'DESC',
  limit: number,
): Sql {
  const { source, condition, key, row, superseded } = historyOf(noun);
  const passes =
    'keys' in chosen ? sql`${key} = ANY (${chosen.keys}::bigint[])` : allOf(chosen.checks.map(toSql));
  return sql`
    SELECT change.position AS "changePosition", ${noun.table.columns} FROM ${source} ${row}
    WHERE ${condition} AND change.position >= ${least} AND change.position <= ${most} AND ${passes}
      AND NOT ${superseded}
    ORDER BY change.position ${raw(direction)} LIMIT ${limit}`;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
