import { columnOf } from '../columns.ts';
import { type AnyOf, type Bounds, type Check, isAnyOf, isBounds } from '../conditions.ts';
import { historyOf } from '../history/change-logs.ts';
import type { Noun } from '../noun.ts';
import { join, raw, type Sql, sql } from '../sql.ts';
import type { Ranks, ValueOrder } from '../value-orders.ts';
import { type PageRequest, walkOf } from './page-statements.ts';
import { allOf, createScan, isBetween, type Scope, toSql, unsettled } from './scans.ts';

/** A list in the order of a value; of one that hangs off objects, the field that names them and their keys. */
export interface ValuedList {
  readonly list: Noun;
  readonly order: ValueOrder;
  readonly checks: readonly Check[];
  readonly owners: { readonly field: string; readonly keys: readonly string[] } | null;
}

/** A row of what is found: the key of its page, and its place from the cursor on, which itself is 0; both are null where nothing is. */
export const [KEY, PLACE, READ, IS_RIGHT] = ['scopeKey', 'place', 'read', 'isRight'] as const;

/** Between the block that is asked about and the one that is ranked; and how many rows are sorted at most. */
const MOST_CHANGES = 50_000;
export const MOST_SORTED = 20_000;

/** The position that a statement is as of. A table whose name follows on ONLY is what it is at present. */
const AT = sql`(SELECT max(last_position) FROM blocks)`;

/** Where rows are found: `pool` are those that are sorted; `walk` gives some more of each page, where an index has them in order. */
interface Source {
  readonly before: readonly Sql[];
  readonly walk: ((beyond: Sql, order: Sql) => Sql) | null;
  readonly read: Sql;
  readonly isRight: Sql;
}

/** The columns of the pages of a list, and beside them what is said above. It is read as of a block, with the statements of its past. */
export function valuePages(valued: ValuedList, source: Source, request: PageRequest, columns: Sql): Sql {
  const { list, order, owners } = valued;
  const { table } = list;
  const onwards = walkOf(request);
  const back = onwards === 'DESC' ? 'ASC' : 'DESC';
  const isBeyond = (value: string, position: string, sign: string) =>
    request.cursor === null
      ? sql`TRUE`
      : sql`(${raw(value)}, ${raw(position)}) ${raw(sign)} ((SELECT value FROM edge), (SELECT position FROM edge))`;
  const find = (direction: 'ASC' | 'DESC', includesEdge: boolean, limit: number) => {
    const sign = (direction === 'DESC' ? '<' : '>') + (includesEdge ? '=' : '');
    const { value = 'value', position = 'position' } = order.ranks ?? {};
    const by = raw(`ORDER BY value ${direction}, position ${direction}`);
    const first = sql`${by} LIMIT ${limit}`;
    const sorted = sql`
      SELECT position, value FROM pool WHERE pool.key = scope.key AND ${isBeyond('value', 'position', sign)} ${first}`;
    const walked = source.walk?.(isBeyond(value, position, sign), first);
    return sql`
      SELECT position, row_number() OVER (${by}) AS place
      FROM (${join(
        [sorted, ...(walked ? [walked] : [])].map((one) => sql`(${one})`),
        ' UNION ALL ',
      )}) AS found ${first}`;
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
      CROSS JOIN LATERAL (${join(
        pages.map((one) => sql`(${one})`),
        ' UNION ALL ',
      )}) AS page
      CROSS JOIN LATERAL (SELECT * FROM ${table.name} AS t WHERE t.created_position = page.position OFFSET 0) AS t
    ) AS page ON TRUE`;
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
  const upTo = ranks.upTo === null ? sql`${AT}` : raw(ranks.upTo);
  const most = ranks.upTo === null ? [] : [sql`change.position <= greatest(${AT}, ${upTo})`];
  const scope = owners === null ? sql`''` : raw(`t.${columnOf(owners.field)}::text`);
  return {
    before: [
      sql`recent AS MATERIALIZED (
        SELECT ${key} AS position FROM ${source}
        WHERE ${allOf([condition, sql`change.position > least(${AT}, ${upTo})`, ...most])} LIMIT ${MOST_CHANGES + 1})`,
      sql`changed AS MATERIALIZED (SELECT DISTINCT position FROM recent)`,
      sql`pool AS MATERIALIZED (
        SELECT ${scope} AS key, t.created_position AS position, ${numberOf(order)} AS value FROM changed CROSS JOIN LATERAL (
          SELECT * FROM ${list.table.name} AS t WHERE t.created_position = changed.position OFFSET 0
        ) AS t WHERE ${allOf(checks.map(toSql))})`,
    ],
    walk: (beyond, first) =>
      walkRanks(ranks, { chosen, bounds, owner: owners?.field ?? null }, beyond, first),
    read: sql`(SELECT count(*) FROM recent)`,
    isRight: sql`((SELECT count(*) FROM recent) <= ${MOST_CHANGES}
      AND least(${AT}, ${upTo}) >= (SELECT archived_to FROM networks LIMIT 1))`,
  };
}

/** One walk for each combination of values, as an index has order for one of each. */
function walkRanks(
  ranks: Ranks,
  asked: {
    readonly chosen: readonly AnyOf[];
    readonly bounds: readonly Bounds[];
    readonly owner: string | null;
  },
  beyond: Sql,
  first: Sql,
): Sql {
  const [value, position] = [raw(ranks.value), raw(ranks.position)];
  const equals = asked.chosen.map(({ field, type }, index) =>
    raw(`${columnOf(field)} = each_${index}.key::${type}`),
  );
  if (asked.owner !== null) equals.push(raw(`${columnOf(asked.owner)} = scope.key`));
  const within = asked.bounds.map(({ field: _, ...bounds }) => isBetween(value, bounds));
  const sources = asked.chosen.map(
    ({ values }, index) => sql`unnest(${[...new Set(values)]}::text[]) AS ${raw(`each_${index}`)} (key)`,
  );
  const walk = sql`
    SELECT ${position} AS position, ${value} AS value FROM ONLY ${raw(ranks.table)}
    WHERE ${allOf([...equals, ...within, beyond, sql`${position} NOT IN (SELECT position FROM changed)`])}
    ${first}`;
  if (sources.length === 0) return walk;
  return sql`SELECT walked.* FROM ${join(sources, ' CROSS JOIN ')} CROSS JOIN LATERAL (${walk}) AS walked ${first}`;
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
