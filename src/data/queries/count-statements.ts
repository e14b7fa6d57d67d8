import { columnOf } from '../columns.ts';
import { type Check, type Condition, isAnyOf, isBounds, isNoneOf } from '../conditions.ts';
import type { Noun, Positioned } from '../noun.ts';
import { dependsOnList, tagFieldsOf } from '../noun-tags.ts';
import { isRightCount } from '../right-counts.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { type Statement, statementOf } from '../templates.ts';
import { keptFrom } from './kept-from.ts';
import type { Owners } from './owners.ts';
import { allOf, createScan, equalsKey, narrowKeys, toSql } from './scans.ts';
import { findKept, fromKept, isSummed } from './sum-statements.ts';

/** What is counted: the rows of a list that pass a filter. */
export interface CountedList {
  readonly list: Noun;
  readonly conditions: readonly Condition[];
  readonly checks: readonly Check[];
}

/** How many rows a filter let through when the newest block was the one that ends at a position. */
export interface Count {
  readonly rows: number;
  readonly position: bigint;
  /** From which position on there are rows. */
  readonly keptFrom: bigint;
}

/** What the writer has counted; `read` is how many counts were added up. Not right where somebody wrote who does not count. */
export interface WrittenCount {
  readonly byKey: ReadonlyMap<string, number>;
  readonly read: number;
  readonly isRight: boolean;
  /** Whether rows were dropped that are in it still. */
  readonly hasDropped: boolean;
}

/** What rows of the present lie between says nothing of the past. */
export function countedOf<Filter>(
  list: Noun<Positioned, Filter>,
  filter: Filter,
  isPast = false,
): CountedList {
  const conditions = list.conditions(filter);
  return { list: list as Noun, conditions, checks: isPast ? conditions : list.checks(filter) };
}

/** Whether the writer counts the rows with the values that are asked for. */
export function isCountedByWriter(counted: CountedList, field?: string): boolean {
  return writtenCounts(counted, field) !== null;
}

/** The rows of a list with a value in one more field. */
export function withValue(
  { list, conditions, checks }: CountedList,
  field: string,
  value: string,
): CountedList {
  const wanted = { ...list.fieldOf(field), values: [value] };
  return { list, conditions: [wanted, ...conditions], checks: [wanted, ...checks] };
}

/** Whether a row that fulfils the conditions once did from the beginning, and will for ever. */
export function neverChanges({ list, conditions }: CountedList): boolean {
  if (list.history === 'added') return true;
  const fields = tagFieldsOf(list);
  return conditions.every((condition) => isAnyOf(condition) && fields.includes(condition.field));
}

/** Adds up what the writer counted; of a whole list it is one row. */
export async function readWrittenCount(statements: Statements, counted: CountedList): Promise<WrittenCount> {
  const { list, conditions } = counted;
  const [found] = await statements.rows<Added>(
    statementOf(
      sql`SELECT sum(rows)::bigint AS count, count(*) AS read, ${raw(isRightCount(list))} AS "isRight",
          ${hasDropped(counted)} AS "hasDropped"
        FROM (${writtenCounts(counted) ?? NO_COUNTS}) AS counts`,
      dependsOnList(list, conditions),
    ),
  );
  if (found === undefined) throw new TypeError('a count has one row');
  return {
    byKey: new Map([['', Number(found.count ?? 0n)]]),
    read: Number(found.read ?? 0n),
    isRight: found.isRight,
    hasDropped: found.hasDropped,
  };
}

/** Reads the counts that the writer keeps, as `readWrittenCount` does, for each key of a field that has any. */
export async function readWrittenCounts(
  statements: Statements,
  { list, conditions, checks }: CountedList,
  { field, keys }: Owners,
): Promise<WrittenCount> {
  const wanted: Condition = { values: keys, ...list.fieldOf(field) };
  const whole = { list, conditions: [wanted, ...conditions], checks };
  const from = countsOf(whole, field);
  const found = await statements.rows<Added & { readonly key: string | null }>(
    statementOf(
      sql`SELECT held.*, added.*
        FROM (SELECT ${raw(isRightCount(list))} AS "isRight", ${hasDropped(whole)} AS "hasDropped") AS held
        LEFT JOIN (
          SELECT key, sum(rows)::bigint AS count, count(*) AS read FROM (${from ?? NO_COUNTS}) AS counts GROUP BY 1
        ) AS added ON TRUE`,
      dependsOnList(list, conditions, { field, keys }),
    ),
  );
  return {
    byKey: new Map(found.flatMap(({ key, count }) => (key === null ? [] : [[key, Number(count)]]))),
    read: found.reduce((sum, { read }) => sum + Number(read ?? 0n), 0),
    isRight: found.every(({ isRight }) => isRight),
    hasDropped: found.some(({ hasDropped }) => hasDropped),
  };
}

/** What the writer counted of the rows that pass, as `countsOf` gives it; of a whole list it is one row. */
export function writtenCounts(counted: CountedList, field?: string): Sql | null {
  if (counted.conditions.length > 0 || field !== undefined) return countsOf(counted, field);
  return sql`SELECT rows FROM row_counts WHERE noun = ${counted.list.name} AND key = ''`;
}

const NO_COUNTS = sql`SELECT NULL AS key, 0 AS rows WHERE FALSE`;

/** The counts of the rows that pass, as a SELECT of each with the value of a field as its key; null where there are none. */
function countsOf({ list, conditions, checks }: CountedList, field?: string): Sql | null {
  const fields = field === undefined ? [] : [field];
  if (isSummed(list)) {
    const summed = { list, conditions, checks, fields };
    const kept = findKept(summed);
    if (kept === undefined) return null;
    const key = raw(field === undefined ? 'NULL' : `${columnOf(field)}::text`);
    return sql`SELECT ${key} AS key, rows FROM (${fromKept(summed, kept).select}) AS kept`;
  }
  const asked = [...fields, ...conditions.map((condition) => condition.field)];
  if (!asked.every((one) => list.countedBy.includes(one))) return null;
  const key = field === undefined ? raw('NULL') : partOf(list, field);
  const where = allOf(conditions.map((condition) => passes(list, condition)));
  return sql`SELECT ${key} AS key, rows FROM ${keysOf(list)} WHERE ${where}`;
}

interface Added {
  readonly count: bigint | null;
  readonly read: bigint | null;
  readonly isRight: boolean;
  readonly hasDropped: boolean;
}

/** Counts are of the rows that are there; what stands beside sums is of all that were added up. */
export function hasDropped({ list, conditions }: CountedList): Sql {
  if (list.history !== 'added' || !isSummed(list) || conditions.length === 0) return raw('FALSE');
  return sql`${keptFrom(list)} IS NOT NULL`;
}

/** Kept apart, so that no other noun's key is taken for one of these. */
function keysOf(list: Noun): Sql {
  return sql`(
    SELECT rows, key::text[] AS part FROM row_counts WHERE noun = ${list.name} AND key <> '' OFFSET 0
  ) AS counted`;
}

function partOf(list: Noun, field: string): Sql {
  return raw(`part[${list.countedBy.indexOf(field) + 1}]`);
}

function passes(list: Noun, condition: Condition): Sql {
  const part = partOf(list, condition.field);
  if (isAnyOf(condition)) return sql`${part} = ANY (${[...condition.values]}::text[])`;
  if (isNoneOf(condition)) return sql`${part} <> ALL (${[...condition.except]}::text[])`;
  const { least, most } = condition;
  return allOf([
    ...(least === undefined ? [] : [sql`${part}::bigint >= ${least}`]),
    ...(most === undefined ? [] : [sql`${part}::bigint <= ${most}`]),
  ]);
}

// Rows and position are of one statement, and so of one moment: no row is counted twice, and none is left out.
const POSITION = sql`(SELECT coalesce(max(last_position), -1) FROM blocks) AS position`;

/** Counts by reading all rows that pass. */
export function countAll(statements: Statements, counted: CountedList): Promise<Count> {
  const { list, conditions } = counted;
  const where = allOf(toGathered(counted).map(toSql));
  const count = sql`SELECT count(*), ${POSITION}, ${keptFrom(list)} AS "keptFrom" FROM ${list.table.name} AS t WHERE ${where}`;
  return readCount(statements, statementOf(count, dependsOnList(list, conditions)));
}

/** What is asked of rows that need no order: an index on bounds serves then, and hints for a walk in order do not. */
export function toGathered({ conditions, checks }: Omit<CountedList, 'list'>): readonly Check[] {
  if (!conditions.some((condition) => isBounds(condition) && condition.isIndexed)) return checks;
  return conditions.map((condition) => {
    if (!isBounds(condition)) return condition;
    const { isIndexed: _, ...bounds } = condition;
    return bounds;
  });
}

/** Counts the rows that were created after a position, by a walk along an index. */
export function countSince(
  statements: Statements,
  { list, conditions, checks }: CountedList,
  position: bigint,
): Promise<Count> {
  const walk = createScan(list, checks)('ASC', { least: sql`${position + 1n}::bigint` }, ALL);
  const count = sql`SELECT count(*), ${POSITION}, ${keptFrom(list)} AS "keptFrom" FROM (${walk}) AS since`;
  return readCount(statements, statementOf(count, dependsOnList(list, conditions)));
}

/** A walk has a limit: far more than there are rows. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Counts the rows for each key of a field, by reading them. */
export async function countByKey(
  statements: Statements,
  { list, conditions, checks }: CountedList,
  { field, keys: wanted }: Owners,
): Promise<ReadonlyMap<string, number>> {
  const { keys, conditions: others } = narrowKeys(field, wanted, checks);
  const scope = { ...list.fieldOf(field), source: 'scope' };
  const where = [equalsKey(scope), ...others.map(toSql)];
  const statement = sql`
    SELECT scope.key AS "scopeKey", counted.count
    FROM unnest(${keys}::text[]) AS scope (key)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf(where)}
    ) AS counted`;
  const found = await statements.rows<{ scopeKey: string; count: bigint }>(
    statementOf(statement, dependsOnList(list, conditions, { field, keys: wanted })),
  );
  return new Map(found.map(({ scopeKey, count }) => [scopeKey, Number(count)]));
}

async function readCount(statements: Statements, statement: Statement): Promise<Count> {
  const [read] = await statements.rows<{ count: bigint; position: bigint; keptFrom: bigint | null }>(
    statement,
  );
  if (read === undefined) throw new TypeError('a count has one row');
  return { rows: Number(read.count), position: read.position, keptFrom: read.keptFrom ?? 0n };
}
