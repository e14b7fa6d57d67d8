import { max, min } from '../../domain/bigints.ts';
import type { Condition } from '../conditions.ts';
import type { Noun, Positioned } from '../noun.ts';
import { type PageRequest, type Start, walkOf } from '../queries/page-statements.ts';
import { findPage, type Page } from '../queries/pages.ts';
import { allOf, createScan, toSql } from '../queries/scans.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { type ChosenRows, versionsWithin } from './version-statements.ts';

/** A row as a block left it, and the position of the change. */
export type Version<Row> = Row & { readonly changePosition: bigint };

/** The positions of the changes that are wanted, both included. */
export interface VersionRange {
  readonly least: bigint;
  readonly most: bigint;
  /** Rejects where not all changes from a position on are kept any more; without it nobody looks. */
  readonly confirm?: (from: bigint) => Promise<void>;
}

/** Rows that are asked for by more than these are found change by change. */
const FEW_ROWS = 500;
/** About how many versions a statement reads of rows that it looks up. */
const MOST_READ = 20_000;

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
  const walk = (direction: Direction, least: bigint, most: bigint, limit: number) =>
    walkVersions(statements, noun, chosen, { ...range, direction, least, most, limit });
  const read = (start: Start) => readPage(walk, range, request, start);
  return findPage(read, request, ({ changePosition }) => Number(changePosition));
}

/**
 * Reads the newest version of rows alone, from whichever block it is: of each it is the row, as the statements read that, and may have been
 * before what is kept of the past.
 */
export async function readLatestVersion<Row extends Positioned>(
  statements: Statements,
  { table }: Noun<Row, never>,
  chosen: ChosenRows,
  request: PageRequest,
): Promise<Page<Version<Row>>> {
  const asked =
    'keys' in chosen ? sql`t.created_position = ANY (${chosen.keys})` : allOf(chosen.checks.map(toSql));
  const latest = await statements.rows<Version<Row>>(
    unkept(sql`
      SELECT t.updated_position AS "changePosition", ${table.columns} FROM ${table.name} AS t
      WHERE ${asked} ORDER BY t.updated_position DESC LIMIT 1`),
  );
  return findPage(
    async () => latest,
    request,
    ({ changePosition }) => Number(changePosition),
  );
}

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
async function readPage<Row extends Positioned>(
  walk: (direction: Direction, least: bigint, most: bigint, limit: number) => Promise<Version<Row>[]>,
  { least, most }: VersionRange,
  request: PageRequest,
  start: Start,
): Promise<readonly Version<Row>[]> {
  const { limit, cursor } = request;
  const onwards = walkOf(request);
  const isDown = onwards === 'DESC';
  if (cursor === null || start === 'end') return walk(onwards, least, most, limit + 1);
  const [below, above] = [min(cursor, most), max(cursor, least)];
  if (start === 'cursor')
    return isDown ? walk(onwards, least, below, limit + 2) : walk(onwards, above, most, limit + 2);
  const beyond = isDown
    ? await walk(onwards, least, min(cursor - 1n, most), limit + 1)
    : await walk(onwards, max(cursor + 1n, least), most, limit + 1);
  const behind = isDown ? await walk('ASC', above, most, 1) : await walk('DESC', least, below, 1);
  return [...beyond, ...behind];
}

type Direction = 'ASC' | 'DESC';

/**
 * Reads the first versions of a range: of the history and of the archive one after the other, and of that, where more rows are
 * chosen than are looked up by their keys, one part after the other. So a statement reads no more than one of these. Towards newer ones
 * some could be forgotten between what one statement has read and what the next one reads.
 */
async function walkVersions<Row extends Positioned>(
  statements: Statements,
  noun: Noun<Row, never>,
  chosen: ChosenRows,
  range: VersionRange & { readonly direction: Direction; readonly limit: number },
): Promise<Version<Row>[]> {
  const { direction, limit } = range;
  const isDown = direction === 'DESC';
  const ofOne = 'keys' in chosen ? Math.min(limit, Math.ceil(MOST_READ / chosen.keys.length)) : limit;
  const found: Version<Row>[] = [];
  const begins: bigint[] = [];
  let { least, most } = range;
  while (least <= most && found.length < limit) {
    const part = await findPart(statements, 'keys' in chosen, isDown ? most : least);
    const within = { least: max(least, part.after + 1n), most: min(most, part.upTo) };
    begins.push(within.least);
    const walk = { direction, ...within, after: part.after, limit: limit - found.length, ofOne };
    const read = await statements.rows<Version<Row>>(unkept(versionsWithin(noun, chosen, walk)));
    const cut = ofOne < limit ? findCut(read, ofOne) : null;
    found.push(...read.filter(({ changePosition: at }) => cut === null || (isDown ? at >= cut : at <= cut)));
    if (isDown) most = (cut ?? within.least) - 1n;
    else least = (cut ?? within.most) + 1n;
  }
  const [, second] = begins;
  if (!isDown && second !== undefined) await range.confirm?.(second);
  return found;
}

/** Up to where all rows are known, where no more than so many versions of each were read; null where that is all. */
function findCut<Row extends Positioned>(read: readonly Version<Row>[], ofOne: number): bigint | null {
  const counts = new Map<bigint, number>();
  for (const { createdPosition, changePosition } of read) {
    const count = (counts.get(createdPosition) ?? 0) + 1;
    if (count === ofOne) return changePosition;
    counts.set(createdPosition, count);
  }
  return null;
}

/** What is after all positions. */
const END = 2n ** 62n;

/** The part that a position is in: of all versions, which are packed or not, or one of those that were packed at once. */
async function findPart(statements: Statements, isByKey: boolean, position: bigint) {
  const ends = isByKey ? sql`(SELECT archived_to AS position FROM networks)` : sql`archived_parts`;
  const [part] = await statements.rows<{ after: bigint | null; upTo: bigint | null }>(
    unkept(sql`
    SELECT (SELECT max(position) FROM ${ends} AS ends WHERE position < ${position}) AS after,
      (SELECT min(position) FROM ${ends} AS ends WHERE position >= ${position}) AS "upTo"`),
  );
  return { after: part?.after ?? -1n, upTo: part?.upTo ?? END };
}
