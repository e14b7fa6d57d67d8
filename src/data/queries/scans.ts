import { columnOf } from '../columns.ts';
import {
  type AnyOf,
  type Check,
  type Condition,
  type Field,
  isAnyOf,
  isBounds,
  isNoneOf,
  type PositionRange,
  type RowClasses,
} from '../conditions.ts';
import type { Noun } from '../noun.ts';
import { join, raw, type Slot, Sql, sql, unionAll } from '../sql.ts';

/** A field that has the key of a row source around the scan. */
export interface Scope extends Field {
  /** The row source; its column is `key`. */
  readonly source: string;
}

/** The statement for at most `limit` rows in the order of their positions, and of these a range only. */
export type Scan = (direction: 'ASC' | 'DESC', range: PositionRange, limit: number | Slot) => Sql;

/**
 * How many walks a scan is merged from at most, as many as a request can name values; combinations beyond that are checked
 * row by row. A walk takes some 5 us.
 */
export const MAX_WALKS = 16_384;
/** PostgreSQL compares a row with each value of an array that it is given; with more values, it makes a hash of them. */
const MANY_VALUES = 50;

/**
 * A scan of the rows that fulfil all checks, as a walk along an index in its order: it reads the rows that it
 * gives and no others, as far as the checks are columns of one of the `indexes`. An index has order for one
 * value of each of its columns, so every combination of values is walked by itself, and the walks are merged.
 *
 * PostgreSQL's planner would rather walk the whole table in order, which is right for values that are frequent and
 * ruinous for others. The order is that of a field of positions. Compared as pairs (`(party_id, created_position) >= ($1, $2)`) only one
 * index gives the order. What stands before the last of several values is said to be equal: compared with them, all that have the first
 * value would seem to be read, by whichever index begins with it.
 */
export function createScan(
  noun: Scanned,
  checks: readonly Check[],
  scope?: Scope,
  field = 'createdPosition',
): Scan {
  const parted = [scope, ...checks].find((one) => isParted(noun, one));
  if (parted === undefined) return createWalks(noun, checks, scope, field);
  const parts = partsOf(parted as AnyOf | Scope).map(({ part, others }) =>
    parted === scope
      ? createWalks(noun, [...checks, ...others], part as Scope, field)
      : createWalks(
          noun,
          [...checks.filter((one) => one !== parted), part as AnyOf, ...others],
          scope,
          field,
        ),
  );
  return (direction, range, limit) => sql`
    SELECT merged.* FROM (${unionAll(parts.map((scan) => scan(direction, range, limit)))}) AS merged ORDER BY merged."${raw(field)}" ${raw(direction)} LIMIT ${limit}`;
}

type Scanned = Pick<Noun, 'table' | 'indexes'>;

/** Whether what is asked of either of several fields is walked for each of them, as each has an index. */
function isParted({ indexes }: Scanned, one: Check | Scope | undefined): boolean {
  const either = one !== undefined && 'either' in one ? one.either : undefined;
  return either?.every((field) => indexes.some(([first]) => first === field)) ?? false;
}

/** Asks each of the fields alone, and for the rows that one before it does not give. */
function partsOf({ either = [], ...asked }: AnyOf | Scope) {
  return either.map((field, place) => ({
    part: { ...asked, field },
    others: either.slice(0, place).map((before): Check => {
      const other = { ...asked, field: before };
      return 'values' in other
        ? { field: before, type: other.type, except: other.values }
        : sql`NOT (${equalsKey(other)})`;
    }),
  }));
}

function createWalks(
  { table, indexes }: Scanned,
  checks: readonly Check[],
  scope: Scope | undefined,
  field: string,
): Scan {
  const keys = chooseKeys(indexes, checks, scope);
  const spreads = keys.flatMap(({ spread }) => (spread === undefined ? [] : [spread]));
  const used = new Set<unknown>(keys.map(({ from }) => from));
  const gathered = checks.filter((check) => 'either' in check && !isParted({ table, indexes }, check));
  const rest = checks.filter((check) => !used.has(check) && !gathered.includes(check));
  const source = gathered.length === 0 ? sql`${table.name} AS t` : gather(table, gathered);
  const others = rest.filter((check) => !isRange(check)).map(toSql);
  if (scope !== undefined && !used.has(scope)) others.push(equalsKey(scope));
  const ranges = checks.filter(isRange).map((range) => (used.has(range.each) ? range : ofAll(range)));

  const walk: Scan = (direction, range, limit) => {
    const all = [range, ...ranges];
    const least = bound('GREATEST', FIRST, all.map((one) => one.least)); // biome-ignore format: a pair
    const most = bound('LEAST', LAST, all.map((one) => one.most)); // biome-ignore format: a pair
    const [before, last] = [keys.slice(0, -1), keys.slice(-1)];
    const columns = [...last.map(({ column }) => column), raw(`t.${columnOf(field)}`)];
    const values = last.map(({ value }) => value);
    const order = columns.map((column) => sql`${column} ${raw(direction)}`);
    const limits = [
      ...before.map(({ column, value }) => sql`${column} = ${value}`),
      sql`(${join(columns)}) >= (${join([...values, least])})`,
      sql`(${join(columns)}) <= (${join([...values, most])})`,
    ];
    return sql`
      SELECT ${table.columns} FROM ${source}
      WHERE ${allOf([...limits, ...others])} ORDER BY ${join(order)} LIMIT ${limit}`;
  };
  if (spreads.length === 0) return walk;
  return (direction, range, limit) => sql`
    SELECT merged.* FROM ${join(spreads, ' CROSS JOIN ')}
    CROSS JOIN LATERAL (${walk(direction, range, limit)}) AS merged
    ORDER BY merged."${raw(field)}" ${raw(direction)} LIMIT ${limit}`;
}

/** The few rows that indexes without an order lead to. The fence keeps the planner from walking all others in order instead. */
function gather({ name }: Noun['table'], checks: readonly Check[]): Sql {
  return sql`(SELECT * FROM ${name} AS t WHERE ${allOf(checks.map(toSql))} OFFSET 0) AS t`;
}

/** A check as plain SQL on `t`, for statements that do not walk. */
export function toSql(check: Check): Sql {
  if (isAnyOf(check)) {
    const { either, ...asked } = check;
    if (either !== undefined) return anyOf(either.map((field) => toSql({ ...asked, field })));
    const [column, type, values] = [raw(`t.${columnOf(check.field)}`), raw(check.type), distinct(check)];
    return values.length > MANY_VALUES
      ? sql`${column} IN (SELECT unnest(${values}::text[])::${type})`
      : sql`${column} = ANY (${values}::text[]::${type}[])`;
  }
  if (isNoneOf(check)) {
    const [column, type] = [raw(`t.${columnOf(check.field)}`), raw(check.type)];
    return sql`${column} <> ALL (${[...check.except]}::text[]::${type}[])`;
  }
  // The addition keeps the planner from gathering a whole range by that index only to sort it.
  if (isBounds(check)) {
    const column = `t.${columnOf(check.field)}`;
    return isBetween(
      raw(check.isText ? `${column}::numeric` : column + (check.isIndexed ? ' + 0' : '')),
      check,
    );
  }
  return isRange(check) ? isBetween(raw('t.created_position'), ofAll(check)) : check;
}

/** What is known of a range without the classes of its rows. */
function ofAll(range: PositionRange): PositionRange {
  return range.each === undefined ? range : (range.ofAll ?? {});
}

export function isBetween(
  value: Sql,
  { least, most }: { readonly least?: unknown; readonly most?: unknown },
): Sql {
  return allOf([
    ...(least === undefined ? [] : [sql`${value} >= ${least}`]),
    ...(most === undefined ? [] : [sql`${value} <= ${most}`]),
  ]);
}

/** The keys that can pass, and the conditions that are left to check: those on the scope's own field are done. */
export function narrowKeys(
  field: string,
  keys: readonly string[],
  conditions: readonly Check[],
): { readonly keys: readonly string[]; readonly conditions: readonly Check[] } {
  const own = conditions.filter(isAnyOf).filter((one) => one.field === field && one.either === undefined);
  // Both can be thousands.
  const wanted = own.map(({ values }) => new Set(values));
  return {
    keys: keys.filter((key) => wanted.every((values) => values.has(key))),
    conditions: conditions.filter((condition) => !own.some((one) => one === condition)),
  };
}

export function equalsKey({ field, type, source, either }: Scope): Sql {
  if (either !== undefined) return anyOf(either.map((one) => equalsKey({ field: one, type, source })));
  return raw(`t.${columnOf(field)} = ${source}.key::${type}`);
}

export function allOf(checks: readonly Sql[]): Sql {
  return checks.length === 0 ? sql`TRUE` : join([...checks], ' AND ');
}

function anyOf(checks: readonly Sql[]): Sql {
  return sql`(${join([...checks], ' OR ')})`;
}

/** The conditions that a scan checks row by row, as the index that it walks does not settle them. */
export function unsettled(
  { indexes }: Pick<Noun, 'indexes'>,
  checks: readonly Check[],
  scope: Scope | undefined,
): readonly Condition[] {
  const used = new Set<unknown>(chooseKeys(indexes, checks, scope).map(({ from }) => from));
  return checks.filter((check): check is Condition => 'field' in check && !used.has(check));
}

/** A column of the index that is walked, the value that it has in a walk, and where its values come from. */
interface Key {
  readonly column: Sql;
  readonly value: Sql;
  readonly spread?: Sql;
  readonly from: AnyOf | RowClasses | Scope;
}

/** The keys of the first index whose fields are all settled. */
function chooseKeys(
  indexes: readonly (readonly string[])[],
  checks: readonly Check[],
  scope: Scope | undefined,
): readonly Key[] {
  const found = new Map<string, Key>();
  if (scope !== undefined && scope.either === undefined) {
    const value = raw(`${scope.source}.key::${scope.type}`);
    found.set(scope.field, { column: columnIn(scope), value, from: scope });
  }
  let walks = 1;
  for (const check of checks.filter(isAnyOf)) {
    const { length } = distinct(check);
    if (check.either !== undefined || found.has(check.field) || walks * length > MAX_WALKS) continue;
    walks *= length;
    found.set(check.field, keyOf(check, columnIn(check)));
  }
  for (const { each } of checks.filter(isRange))
    if (each !== undefined) found.set(each.field, keyOf(each, each.expression));
  const index = indexes.find((fields) => fields.every((field) => found.has(field))) ?? [];
  return index.flatMap((field) => found.get(field) ?? []);
}

function columnIn({ field }: { readonly field: string }): Sql {
  return raw(`t.${columnOf(field)}`);
}

function keyOf(from: AnyOf | RowClasses, column: Sql): Key {
  const values = distinct(from);
  const type = raw(from.type);
  if (values.length === 1) return { column, value: sql`${values[0]}::${type}`, from };
  const source = raw(`each_${columnOf(from.field)}`);
  return {
    column,
    value: sql`${source}.key::${type}`,
    spread: sql`unnest(${values}::text[]) AS ${source} (key)`,
    from,
  };
}

/** Positions lie below 2^53. */
const FIRST = raw('0::bigint');
const LAST = raw('9007199254740992::bigint');

function bound(narrowest: 'GREATEST' | 'LEAST', open: Sql, bounds: readonly (Sql | undefined)[]): Sql {
  const given = bounds.filter((one) => one !== undefined);
  if (given.length < 2) return given[0] ?? open;
  return sql`${raw(narrowest)}(${join(given)})`;
}

function distinct({ values }: Pick<AnyOf, 'values'>): string[] {
  return [...new Set(values)];
}

export function isRange(check: Check): check is PositionRange {
  return !('field' in check) && !(check instanceof Sql);
}
