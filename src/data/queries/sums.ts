import { TooManySummed } from '../../errors.ts';
import { columnOf } from '../columns.ts';
import type { AnyOf } from '../conditions.ts';
import type { Noun } from '../noun.ts';
import { dependsOnList } from '../noun-tags.ts';
import type { Statements } from '../servers/statements.ts';
import { join, raw, type Sql, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import { type CountedList, toGathered } from './count-statements.ts';
import { keptFrom } from './kept-from.ts';
import type { Owners } from './owners.ts';
import {
  findKept,
  fromChanges,
  fromKept,
  fromRows,
  fromSettled,
  isSummed,
  type Source,
  type Summed,
} from './sum-statements.ts';

/** In which order groups stand: by what they come to, and where that is the same by their keys; or by their keys. */
export type SumOrder = 'AMOUNT_ASC' | 'AMOUNT_DESC' | 'KEY' | 'KEY_DESC';

/** Which groups are wanted: at most `limit` after the one with an amount and a key. */
export interface SumsRequest {
  /** The fields by whose values rows are put into groups. */
  readonly fields: readonly string[];
  readonly order: SumOrder;
  readonly after: { readonly amount: string; readonly key: readonly string[] } | null;
  readonly limit: number;
  /** How many rows are read at most, where that is fewer than for others. */
  readonly mostRows?: number;
}

/** The rows that have the same values in some fields. */
export interface SumGroup {
  /** The values, in the order of the fields. */
  readonly key: readonly string[];
  /** What the rows come to, in the smallest unit of their asset. */
  readonly amount: string;
  readonly count: number;
}

export interface SumsPage {
  readonly groups: readonly SumGroup[];
  readonly hasNextPage: boolean;
  /** From which position on rows count; null where all do that there ever were. */
  readonly from: bigint | null;
}

/** What was found for each key of the field that lists hang off by, and how much was read for it. */
export interface FoundSums {
  readonly byKey: ReadonlyMap<string, SumsPage>;
  readonly read: number;
}

/** How many rows are read for sums at most, about a second; of versions that are looked up fewer. */
const MOST_ROWS = 1_000_000;
const MOST_VERSIONS = 50_000;

/**
 * Sums the rows of a list in groups, for each of the objects that it hangs off, in one statement: from what the writer keeps,
 * where that has all that is asked for, or from the rows. Throws FAILED_PRECONDITION where that would be too many.
 */
export async function readSums(
  statements: Statements,
  counted: CountedList,
  request: SumsRequest,
  owners: Owners | null,
  inTurn: <T>(read: () => Promise<T>) => Promise<T>,
): Promise<FoundSums> {
  const summed = summedOf(counted, request, owners);
  const kept = keptSource(statements, summed);
  if (kept !== null) {
    const found = await read(statements, summed, request, owners, kept);
    if (found !== null) return found;
  }
  const isPast = statements.isPast && summed.list.history !== 'added';
  const most = Math.min(isPast ? MOST_VERSIONS : MOST_ROWS, request.mostRows ?? MOST_ROWS);
  const refuse = () => {
    const names = Object.entries(summed.list.sums.by);
    const by = request.fields.map((field) => names.find(([, one]) => one === field)?.[0]);
    const rows = `more than ${most} rows of ${summed.list.name}${isPast ? ' as they were' : ''}`;
    return new TooManySummed(by, rows);
  };
  if (!statements.isPast && (await countKept(statements, summed)) > BigInt(most)) throw refuse();
  const found = await inTurn(() => read(statements, summed, request, owners, fromRows(summed, most)));
  if (found === null || found.read > most) throw refuse();
  return found;
}

function summedOf(
  { list, conditions, checks }: CountedList,
  request: SumsRequest,
  owners: Owners | null,
): Summed {
  if (!isSummed(list)) throw new TypeError(`${list.name} are not summed`);
  const scope: AnyOf[] = owners === null ? [] : [{ ...list.fieldOf(owners.field), values: owners.keys }];
  return {
    list,
    conditions: [...scope, ...conditions],
    checks: [...scope, ...toGathered({ conditions, checks })],
    fields: [...new Set([...scope.map(({ field }) => field), ...request.fields])],
  };
}

/** What the writer keeps that all is made of, at present or as of a block; null where it keeps no such thing. */
export function keptSource({ isPast }: Statements, summed: Summed): Source | null {
  const areAdded = summed.list.history === 'added';
  const kept = findKept(summed, ({ settledIn }) => !isPast || !areAdded || settledIn !== undefined);
  if (kept === undefined) return null;
  if (!isPast) return fromKept(summed, kept);
  return areAdded ? fromSettled(summed, kept) : fromChanges(summed, kept);
}

/** How many rows pass a filter, where the writer counts them and none were dropped; else none are known of. */
async function countKept(statements: Statements, summed: Summed): Promise<bigint> {
  const rows = { ...summed, fields: [] };
  const kept = findKept(rows);
  if (kept === undefined) return 0n;
  const [counted] = await statements.rows<{ rows: bigint | null }>(
    statementOf(
      sql`SELECT sum(each.rows)::bigint AS rows FROM (${fromKept(rows, kept).select}) AS each
        WHERE ${keptFrom(summed.list)} IS NULL`,
      dependsOnList(summed.list, summed.conditions),
    ),
  );
  return counted?.rows ?? 0n;
}

type Row = Readonly<Record<string, string | null>> & {
  readonly read: bigint;
  readonly isRight: boolean;
  readonly from: bigint | null;
  readonly rows: bigint | null;
};

/** Null where what the sums would be made of is not right. */
async function read(
  statements: Statements,
  { list, conditions, fields }: Summed,
  { fields: keys, ...request }: SumsRequest,
  owners: Owners | null,
  { before = [], select, isRight, from }: Source,
): Promise<FoundSums | null> {
  const columns = fields.map(columnOf);
  const grouped = sql`grouped AS MATERIALIZED (
    SELECT ${raw(columns.map((column) => `each.${column}, `).join(''))}
      sum(each.rows)::bigint AS rows, sum(each.amount) AS amount, count(*) AS read
    FROM (${select}) AS each ${raw(columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`)})`;
  const scope = owners === null ? null : columnOf(owners.field);
  const order = orderOf(list, keys, request.order);
  const named = fields.map((field) => `${columnOf(field)}::text AS "${field}"`);
  const statement = sql`
    WITH ${join([...before, grouped])}
    SELECT held.*, page.* FROM (
      SELECT coalesce(sum(read), 0)::bigint AS read, (${isRight}) AS "isRight", ${from} AS "from" FROM grouped
    ) AS held
    LEFT JOIN (
      SELECT ${raw([...named, ''].join(', '))} rows, amount::text AS amount, place FROM (
        SELECT *, row_number() OVER (${raw(scope === null ? '' : `PARTITION BY ${scope}`)} ORDER BY ${order.by}) AS place
        FROM grouped WHERE rows > 0 AND ${order.isBeyond(request.after)}
      ) AS ranked WHERE place <= ${request.limit + 1}
    ) AS page ON TRUE ORDER BY page.place`;
  const rows = await statements.rows<Row>(statementOf(statement, dependsOnList(list, conditions)));
  const [first] = rows;
  if (first === undefined || !first.isRight) return null;
  const byKey = new Map<string, SumGroup[]>(
    owners === null ? [['', []]] : owners.keys.map((key) => [key, []]),
  );
  for (const row of rows) {
    if (row.rows === null) continue;
    const key = keys.map((field) => row[field] ?? '');
    const group = { key, amount: row['amount'] ?? '0', count: Number(row.rows) };
    byKey.get(owners === null ? '' : (row[owners.field] ?? ''))?.push(group);
  }
  return {
    byKey: new Map([...byKey].map(([key, groups]) => [key, pageOf(groups, request.limit, first.from)])),
    read: Number(first.read),
  };
}

function pageOf(groups: readonly SumGroup[], limit: number, from: bigint | null): SumsPage {
  return { groups: groups.slice(0, limit), hasNextPage: groups.length > limit, from };
}

/** The order as SQL, and what comes after a group in it. It is total, and that of texts is the order of their bytes. */
function orderOf(list: Noun, fields: readonly string[], order: SumOrder) {
  const columns = fields.map((field) =>
    raw(columnOf(field) + (list.fieldOf(field).type === 'text' ? ' COLLATE "C"' : '')),
  );
  const isByAmount = order.startsWith('AMOUNT');
  const [isFalling, direction] = order.endsWith('DESC')
    ? ([true, raw('DESC')] as const)
    : ([false, raw('ASC')] as const);
  // Of equal amounts those with the lesser keys come first either way.
  const keysFall = isFalling && !isByAmount;
  const parts = [
    ...(isByAmount ? [sql`amount ${direction}`] : []),
    ...columns.map((column) => (keysFall ? sql`${column} DESC` : column)),
  ];
  return {
    by: parts.length === 0 ? raw('rows') : join(parts),
    isBeyond(after: SumsRequest['after']): Sql {
      if (after === null) return raw('TRUE');
      const values = after.key.map(
        (value, index) => sql`${value}::${raw(list.fieldOf(fields[index] ?? '').type)}`,
      );
      const beyond =
        columns.length === 0
          ? raw('FALSE')
          : sql`(${join(columns)}) ${raw(keysFall ? '<' : '>')} (${join(values)})`;
      if (!isByAmount) return beyond;
      const amount = sql`${after.amount}::numeric`;
      return sql`(amount ${raw(isFalling ? '<' : '>')} ${amount} OR (amount = ${amount} AND ${beyond}))`;
    },
  };
}
