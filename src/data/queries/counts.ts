import { LRUCache } from 'lru-cache';
import { SharedValue } from '../../cache/cache-tags.ts';
import { type Check, type Condition, isAnyOf } from '../conditions.ts';
import type { Noun, Positioned } from '../noun.ts';
import { dependsOnList, tagFieldsOf } from '../noun-tags.ts';
import { Semaphore } from '../servers/semaphore.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { type Statement, statementOf } from '../templates.ts';
import { readRowCount } from '../writing/row-counts.ts';
import type { PageScope } from './pages.ts';
import { allOf, createScan, equalsKey, narrowKeys, toSql } from './scans.ts';

/** Exact counts of lists. They live as long as the process. */
export interface Counts {
  /** Does what reads whole lists when it is its turn: few do at once. */
  inTurn<T>(count: () => Promise<T>): Promise<T>;
  /** Counts the rows that a filter lets through. */
  count<Row extends Positioned, Filter>(
    list: Noun<Row, Filter>,
    filter: Filter,
  ): Promise<SharedValue<number>>;
  /** Counts them for each key of a field, by statements that end with whoever asks. */
  countByKey<Row extends Positioned, Filter>(
    statements: Statements,
    list: Noun<Row, Filter>,
    scope: PageScope<Row>,
    filter: Filter,
  ): Promise<ReadonlyMap<string, number>>;
}

/** How many rows a filter let through when the newest block was the one that ends at a position. */
interface Count {
  readonly rows: number;
  readonly position: bigint;
}

/** How many characters the filters may have whose counts are kept; one of a few ids has about 300. */
const MOST_CHARACTERS = 4_000_000;
/** How many lists are counted at once that the writer does not: each keeps a processor of PostgreSQL busy. */
const MOST_AT_ONCE = 2;
/** A walk has a limit: far more than there are rows. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Counts as the writer keeps them of a whole list. Of a filtered one every row is counted the first time, and then only
 * those that were created since, where a row that passes the filter always did and always will.
 */
export function createCounts(statements: Statements): Counts {
  /** By noun and filter. Only a first count is put here before it is there: whoever asks meanwhile goes on from it. */
  const known = new LRUCache<string, Promise<Count>>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  });

  const counting = new Semaphore(MOST_AT_ONCE);

  async function countFirst(key: string, counted: CountedList): Promise<Count> {
    const first = counting.run(() => countAll(statements, counted));
    known.set(key, first);
    try {
      return await first;
    } catch (error) {
      if (known.peek(key) === first) known.delete(key);
      throw error;
    }
  }

  async function countOn(key: string, counted: CountedList, base: Count): Promise<Count> {
    const since = await countSince(statements, counted, base.position);
    // Another database stands at this address now.
    if (since.position < base.position) return countFirst(key, counted);
    const latest = { rows: base.rows + since.rows, position: since.position };
    if (since.position > base.position) known.set(key, Promise.resolve(latest));
    return latest;
  }

  async function countKept(counted: CountedList): Promise<Count> {
    const key = JSON.stringify([counted.list.name, counted.conditions], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    const base = await known.get(key);
    return base === undefined ? countFirst(key, counted) : countOn(key, counted, base);
  }

  async function countNow(counted: CountedList): Promise<number> {
    const { list, conditions } = counted;
    if (conditions.length === 0) return readRowCount(statements, list);
    const count = neverChanges(list, conditions)
      ? countKept(counted)
      : counting.run(() => countAll(statements, counted));
    return (await count).rows;
  }

  return {
    inTurn: (count) => counting.run(count),
    async count(list, filter) {
      const counted = countedOf(list, filter);
      return new SharedValue(await countNow(counted), dependsOnList(list, counted.conditions));
    },
    countByKey: (statements, list, scope, filter) =>
      counting.run(() => countRowsByKey(statements, list, scope, filter)),
  };
}

/** Counts the rows that a filter lets through. It reads them all: ask only where the number is wanted. */
export async function countRows<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  filter: Filter,
): Promise<number> {
  return (await countAll(statements, countedOf(list, filter))).rows;
}

/** As `countRows`, for each key of a field. */
export async function countRowsByKey<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  { field, keys: wanted }: PageScope<Row>,
  filter: Filter,
): Promise<ReadonlyMap<string, number>> {
  const counted = countedOf(list, filter);
  const { keys, conditions: others } = narrowKeys(field, wanted, counted.checks);
  const scope = { field, type: list.typeOf(field), source: 'scope' };
  const where = [equalsKey(scope), ...others.map(toSql)];
  const statement = sql`
    SELECT scope.key AS "scopeKey", counted.count
    FROM unnest(${keys}::text[]) AS scope (key)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM ${list.table.name} AS t WHERE ${allOf(where)}
    ) AS counted`;
  const found = await statements.rows<{ scopeKey: string; count: bigint }>(
    statementOf(statement, dependsOnList(list, counted.conditions, { field, keys: wanted })),
  );
  const counts = new Map(found.map(({ scopeKey, count }) => [scopeKey, Number(count)]));
  return new Map(wanted.map((key) => [key, counts.get(key) ?? 0]));
}

/** What is counted: the rows of a list that pass a filter. */
interface CountedList {
  readonly list: Noun;
  readonly conditions: readonly Condition[];
  readonly checks: readonly Check[];
}

function countedOf<Filter>(list: Noun<Positioned, Filter>, filter: Filter): CountedList {
  return { list: list as Noun, conditions: list.conditions(filter), checks: list.checks(filter) };
}

/** Whether a row that fulfils conditions once did from the beginning, and will for ever. */
function neverChanges(list: Noun, conditions: readonly Condition[]): boolean {
  if (list.history === 'added') return true;
  const fields = tagFieldsOf(list);
  return conditions.every((condition) => isAnyOf(condition) && fields.includes(condition.field));
}

// Rows and position are of one statement, and so of one moment: no row is counted twice, and none is left out.
const POSITION = sql`(SELECT coalesce(max(last_position), -1) FROM blocks) AS position`;

function countAll(statements: Statements, { list, conditions, checks }: CountedList): Promise<Count> {
  const where = allOf(checks.map(toSql));
  const count = sql`SELECT count(*), ${POSITION} FROM ${list.table.name} AS t WHERE ${where}`;
  return readCount(statements, statementOf(count, dependsOnList(list, conditions)));
}

/** Counts the rows that were created after a position, by a walk along an index. */
function countSince(
  statements: Statements,
  { list, conditions, checks }: CountedList,
  position: bigint,
): Promise<Count> {
  const walk = createScan(list, checks)('ASC', { least: sql`${position + 1n}::bigint` }, ALL);
  const count = sql`SELECT count(*), ${POSITION} FROM (${walk}) AS since`;
  return readCount(statements, statementOf(count, dependsOnList(list, conditions)));
}

async function readCount(statements: Statements, statement: Statement): Promise<Count> {
  const [read] = await statements.rows<{ count: bigint; position: bigint }>(statement);
  if (read === undefined) throw new TypeError('a count has one row');
  return { rows: Number(read.count), position: read.position };
}
