import { type Check, type Condition, isAnyOf, isBounds, isNoneOf } from '../conditions.ts';
import type { Noun, Positioned } from '../noun.ts';
import { dependsOnList } from '../noun-tags.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { type Statement, statementOf } from '../templates.ts';
import { isRightCount } from '../writing/row-counts.ts';
import type { PageScope } from './pages.ts';
import { allOf, createScan, equalsKey, narrowKeys, toSql } from './scans.ts';

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
}

/** What the writer has counted; `read` is how many counts were added up. Not right where somebody wrote who does not count. */
export interface WrittenCount {
  readonly byKey: ReadonlyMap<string, number>;
  readonly read: number;
  readonly isRight: boolean;
}

export function countedOf<Filter>(list: Noun<Positioned, Filter>, filter: Filter): CountedList {
  return { list: list as Noun, conditions: list.conditions(filter), checks: list.checks(filter) };
}

/** Whether the writer counts the rows with the values that are asked for. */
export function isCountedByWriter({ list, conditions }: CountedList, field?: string): boolean {
  const asked = conditions.map((condition) => condition.field);
  return (field === undefined ? asked : [...asked, field]).every((one) => list.countedBy.includes(one));
}

/** Adds up what the writer counted; of a whole list it is one row. */
export async function readWrittenCount(
  statements: Statements,
  { list, conditions }: CountedList,
): Promise<WrittenCount> {
  const where =
    conditions.length === 0
      ? sql`noun = ${list.name} AND key = ''`
      : allOf(conditions.map((condition) => passes(list, condition)));
  const from = conditions.length === 0 ? sql`row_counts` : keysOf(list);
  const [found] = await statements.rows<Added>(
    statementOf(
      sql`SELECT sum(rows)::bigint AS count, count(*) AS read, ${raw(isRightCount(list))} AS "isRight"
        FROM ${from} WHERE ${where}`,
      dependsOnList(list, conditions),
    ),
  );
  if (found === undefined) throw new TypeError('a count has one row');
  return {
    byKey: new Map([['', Number(found.count ?? 0n)]]),
    read: Number(found.read ?? 0n),
    isRight: found.isRight,
  };
}

/** As `readWrittenCount`, for each key of a field that has any. */
export async function readWrittenCounts(
  statements: Statements,
  { list, conditions }: CountedList,
  { field, keys }: PageScope<never>,
): Promise<WrittenCount> {
  const wanted: Condition = { field, type: 'text', values: keys };
  const where = allOf([wanted, ...conditions].map((condition) => passes(list, condition)));
  const found = await statements.rows<Added & { readonly key: string | null }>(
    statementOf(
      sql`SELECT held."isRight", added.*
        FROM (SELECT ${raw(isRightCount(list))} AS "isRight") AS held
        LEFT JOIN (
          SELECT ${partOf(list, field)} AS key, sum(rows)::bigint AS count, count(*) AS read
          FROM ${keysOf(list)} WHERE ${where} GROUP BY 1
        ) AS added ON TRUE`,
      dependsOnList(list, conditions, { field, keys }),
    ),
  );
  return {
    byKey: new Map(found.flatMap(({ key, count }) => (key === null ? [] : [[key, Number(count)]]))),
    read: found.reduce((sum, { read }) => sum + Number(read ?? 0n), 0),
    isRight: found.every(({ isRight }) => isRight),
  };
}

interface Added {
  readonly count: bigint | null;
  readonly read: bigint | null;
  readonly isRight: boolean;
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
export function countAll(statements: Statements, { list, conditions, checks }: CountedList): Promise<Count> {
  // Rows that are counted need no order: an index on bounds serves, and hints for a walk in order do not.
  const hasIndex = conditions.some((condition) => isBounds(condition) && condition.isIndexed);
  const where = hasIndex ? conditions.map(toGathered) : checks.map(toSql);
  const count = sql`SELECT count(*), ${POSITION} FROM ${list.table.name} AS t WHERE ${allOf(where)}`;
  return readCount(statements, statementOf(count, dependsOnList(list, conditions)));
}

function toGathered(condition: Condition): Sql {
  if (!isBounds(condition)) return toSql(condition);
  const { isIndexed: _, ...bounds } = condition;
  return toSql(bounds);
}

/** Counts the rows that were created after a position, by a walk along an index. */
export function countSince(
  statements: Statements,
  { list, conditions, checks }: CountedList,
  position: bigint,
): Promise<Count> {
  const walk = createScan(list, checks)('ASC', { least: sql`${position + 1n}::bigint` }, ALL);
  const count = sql`SELECT count(*), ${POSITION} FROM (${walk}) AS since`;
  return readCount(statements, statementOf(count, dependsOnList(list, conditions)));
}

/** A walk has a limit: far more than there are rows. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Counts the rows for each key of a field, by reading them. */
export async function countByKey(
  statements: Statements,
  { list, conditions, checks }: CountedList,
  { field, keys: wanted }: PageScope<never>,
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
  const [read] = await statements.rows<{ count: bigint; position: bigint }>(statement);
  if (read === undefined) throw new TypeError('a count has one row');
  return { rows: Number(read.count), position: read.position };
}
