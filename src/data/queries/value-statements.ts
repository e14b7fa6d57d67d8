import { AS_OF, PRESENT } from '../block-positions.ts';
import { columnOf } from '../columns.ts';
import { AFTER_ALL, type AnyOf, type Bounds, type Check, isAnyOf, isBounds } from '../conditions.ts';
import { historyOf } from '../history/change-logs.ts';
import type { Noun } from '../noun.ts';
import { join, raw, type Sql, sql, unionAll } from '../sql.ts';
import type { Ranks, ValueOrder } from '../value-orders.ts';
import type { Owners } from './owners.ts';
import { type PageRequest, walkOf } from './page-statements.ts';
import { allOf, createScan, type Scope, toSql, unsettled } from './scans.ts';

/** A list in the order of a value; of one that hangs off objects, the field that names them and their keys. */
export interface ValuedList {
  readonly list: Noun;
  readonly order: ValueOrder;
  readonly checks: readonly Check[];
  readonly owners: Owners | null;
}

/** A row of what is found: the key of its page, and its place from the cursor on, which itself is 0; both are null where nothing is. */
export const [KEY, PLACE, READ, IS_RIGHT] = ['scopeKey', 'place', 'read', 'isRight'] as const;

/** Between the block that is asked about and the one that is ranked; and how many rows are sorted at most. */
const MOST_CHANGES = 50_000;
export const MOST_SORTED = 20_000;

/** Where rows are found: `pool` are those that are sorted; `walk` gives some more of each page, where an index has them in order. */
interface Source {
  readonly before: readonly Sql[];
  readonly walk: ((direction: 'ASC' | 'DESC', sign: string | null, limit: number) => Sql) | null;
  readonly read: Sql;
  readonly isRight: Sql;
}

/** The columns of the pages of a list, and beside them what is said above. It is read as of a block, with the statements of its past. */
export function valuePages(valued: ValuedList, source: Source, request: PageRequest, columns: Sql): Sql {
  const { list, order, owners } = valued;
  const { table } = list;
  const onwards = walkOf(request);
  const back = onwards === 'DESC' ? 'ASC' : 'DESC';
  const find = (direction: 'ASC' | 'DESC', includesEdge: boolean, limit: number) => {
    const sign =
      request.cursor === null ? null : (direction === 'DESC' ? '<' : '>') + (includesEdge ? '=' : '');
    const by = raw(`ORDER BY value ${direction}, position ${direction}`);
    const sorted = sql`
      SELECT position, value FROM pool
      WHERE pool.key = scope.key AND ${isBeyond([sql`value`, sql`position`], [], sign)} ${by} LIMIT ${limit}`;
    const walked = source.walk?.(direction, sign, limit);
    return sql`
      SELECT position, row_number() OVER (${by}) AS place
      FROM (${unionAll(walked === undefined ? [sorted] : [sorted, walked])}) AS found ${by} LIMIT ${limit}`;
  };
  const edge = sql`edge AS MATERIALIZED (
    SELECT t.created_position AS position, ${numberOf(order)} AS value FROM ${table.name} AS t
    WHERE t.created_position = ${request.cursor}::bigint)`;
  const pages = [
    find(onwards, false, request.limit + 1),
    ...(request.cursor === null
      ? []
      : [sql`SELECT position, 0 AS place FROM (${find(back, true, 1)}) AS behind`]),
  ];
  return sql`
    WITH ${join([...source.before, ...(request.cursor === null ? [] : [edge])])}
    SELECT page.*, held.*
    FROM (SELECT ${source.read} AS "${raw(READ)}", ${source.isRight} AS "${raw(IS_RIGHT)}") AS held
    LEFT JOIN (
      SELECT ${columns}, page.place, scope.key AS "${raw(KEY)}" FROM unnest(${owners?.keys ?? WHOLE}::text[]) AS scope (key)
      CROSS JOIN LATERAL (${unionAll(pages)}) AS page
      CROSS JOIN LATERAL (SELECT * FROM ${table.name} AS t WHERE t.created_position = page.position OFFSET 0) AS t
    ) AS page ON TRUE`;
}

/** Whether columns, which end with the value and the position, come after those of the row of the cursor, where there is one. */
function isBeyond(columns: readonly Sql[], values: readonly Sql[], sign: string | null): Sql {
  if (sign === null) return sql`TRUE`;
  const edge = [...values, sql`(SELECT value FROM edge)`, sql`(SELECT position FROM edge)`];
  return sql`(${join([...columns])}) ${raw(sign)} (${join(edge)})`;
}

/** The one key of a list that hangs off no object. */
export const WHOLE: readonly string[] = [''];

/**
 * The rows as an index has them, but for those that changed between the block that is asked about and the one that the index is of.
 * Null where no index has all that is asked for.
 */
export function fromRanks({ list, order, checks, owners }: ValuedList): Source | null {
  const { ranks } = order;
  const bounds = checks.filter(isBounds).filter(({ field }) => field === order.value);
  const chosen = checks.filter(isAnyOf);
  const fields = [...new Set([...chosen.map(({ field }) => field), ...(owners ? [owners.field] : [])])];
  const index = ranks?.indexes.find(
    (one) => fields.every((field) => one.includes(field)) && one.every((field) => fields.includes(field)),
  );
  if (ranks === undefined || index === undefined || chosen.length + bounds.length < checks.length)
    return null;
  const { source, condition, key } = historyOf(list);
  const upTo = ranks.upTo === null ? sql`${AS_OF}` : raw(ranks.upTo);
  const most = ranks.upTo === null ? [] : [sql`change.position <= greatest(${AS_OF}, ${upTo})`];
  const scope = owners === null ? sql`''` : raw(`t.${columnOf(owners.field)}::text`);
  return {
    before: [
      sql`recent AS MATERIALIZED (
        SELECT ${key} AS position FROM ${source}
        WHERE ${allOf([condition, sql`change.position > least(${AS_OF}, ${upTo})`, ...most])} LIMIT ${MOST_CHANGES + 1})`,
      sql`changed AS MATERIALIZED (SELECT DISTINCT position FROM recent)`,
      sql`pool AS MATERIALIZED (
        SELECT ${scope} AS key, t.created_position AS position, ${numberOf(order)} AS value FROM changed CROSS JOIN LATERAL (
          SELECT * FROM ${list.table.name} AS t WHERE t.created_position = changed.position OFFSET 0
        ) AS t WHERE ${allOf(checks.map(toSql))})`,
    ],
    walk: (direction, sign, limit) =>
      walkRanks(
        ranks,
        { index, chosen, bound: bounds[0], owner: owners?.field ?? null },
        direction,
        sign,
        limit,
      ),
    read: sql`(SELECT count(*) FROM recent)`,
    isRight: sql`((SELECT count(*) FROM recent) <= ${MOST_CHANGES}
      AND least(${AS_OF}, ${upTo}) >= (SELECT archived_to FROM networks LIMIT 1))`,
  };
}

/**
 * One walk for each combination of values, as an index has order for one of each. It is compared as a whole, as in
 * `scans.ts`, so that PostgreSQL does not gather and sort all that have the values.
 */
function walkRanks(
  { table, ...ranks }: Ranks,
  { index, chosen, bound, owner }: WalkedRanks,
  direction: 'ASC' | 'DESC',
  sign: string | null,
  limit: number,
): Sql {
  const [value, position] = [sql`(${raw(ranks.value)})`, raw(ranks.position)];
  const columns = [...index.map((field) => raw(columnOf(field))), value, position];
  const given = chosen.map(({ field, type }, place) => ({ field, key: raw(`each_${place}.key::${type}`) }));
  if (owner !== null) given.push({ field: owner, key: sql`scope.key` });
  const values = index.map((field) => given.find((one) => one.field === field)?.key ?? sql`NULL`);
  const equals = given.map(({ field, key }) => sql`${raw(columnOf(field))} = ${key}`);
  const ends = [
    sql`(${join(columns)}) >= (${join([...values, sql`${bound?.least ?? '-Infinity'}::numeric`, raw('0::bigint')])})`,
    sql`(${join(columns)}) <= (${join([...values, sql`${bound?.most ?? 'Infinity'}::numeric`, AFTER_ALL])})`,
    isBeyond(columns, values, sign),
  ];
  const walk = sql`
    SELECT ${position} AS position, ${value} AS value FROM ${PRESENT} ${raw(table)}
    WHERE ${allOf([...ends, ...(given.length > index.length ? equals : []), sql`${position} NOT IN (SELECT position FROM changed)`])}
    ORDER BY ${join(columns.map((column) => sql`${column} ${raw(direction)}`))} LIMIT ${limit}`;
  if (chosen.length === 0) return walk;
  const sources = chosen.map(
    (one, place) => sql`unnest(${[...new Set(one.values)]}::text[]) AS ${raw(`each_${place}`)} (key)`,
  );
  return sql`
    SELECT walked.* FROM ${join(sources, ' CROSS JOIN ')} CROSS JOIN LATERAL (${walk}) AS walked
    ORDER BY value ${raw(direction)}, position ${raw(direction)} LIMIT ${limit}`;
}

/** What a walk is of: an index, the values that its fields have, and the object that the list hangs off. */
interface WalkedRanks {
  readonly index: readonly string[];
  readonly chosen: readonly AnyOf[];
  readonly bound: Bounds | undefined;
  readonly owner: string | null;
}

/** All rows that pass, found by the indexes of the list, one more than are sorted at most. */
export function fromSorted({ list, order, checks, owners }: ValuedList): Source {
  const scope: Scope | undefined =
    owners === null ? undefined : { ...list.fieldOf(owners.field), source: 'scope' };
  const rest = unsettled(list, checks, scope);
  const table = { ...list.table, columns: sql`t.*, t.created_position AS "createdPosition"` };
  const scan = createScan(
    { table, indexes: list.indexes },
    checks.filter((check) => !rest.some((one) => one === check)),
    scope,
  );
  return {
    before: [
      sql`walked AS MATERIALIZED (
        SELECT scope.key, t.created_position AS position, ${numberOf(order)} AS value, ${allOf(rest.map(toSql))} AS passes
        FROM unnest(${owners?.keys ?? WHOLE}::text[]) AS scope (key)
        CROSS JOIN LATERAL (${scan('ASC', {}, MOST_SORTED + 1)}) AS t LIMIT ${MOST_SORTED + 1})`,
      sql`pool AS (SELECT * FROM walked WHERE passes)`,
    ],
    walk: null,
    read: sql`(SELECT count(*) FROM walked)`,
    isRight: sql`(SELECT count(*) FROM walked) <= ${MOST_SORTED}`,
  };
}

function numberOf({ value }: ValueOrder): Sql {
  return raw(`t.${columnOf(value)}::numeric`);
}
