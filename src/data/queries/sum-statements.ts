import { max, min } from '../../domain/bigints.ts';
import { AS_OF, PRESENT } from '../block-positions.ts';
import { columnOf } from '../columns.ts';
import { type Check, type Condition, isBounds } from '../conditions.ts';
import { historyOf } from '../history/change-logs.ts';
import { type KeptSums, type Noun, SPAN_BITS, type Sums } from '../noun.ts';
import { isRightCount } from '../right-counts.ts';
import { raw, type Sql, sql, unionAll } from '../sql.ts';
import { keptFrom } from './kept-from.ts';
import { allOf, toSql } from './scans.ts';

/** What is summed: the rows of a list that pass a filter, in groups by the values of some fields. */
export interface Summed {
  readonly list: SummedNoun;
  readonly conditions: readonly Condition[];
  /** The conditions with hints, for rows that are read. */
  readonly checks: readonly Check[];
  readonly fields: readonly string[];
}

type SummedNoun = Noun & { readonly sums: Sums };

export function isSummed(list: Noun): list is SummedNoun {
  return list.sums !== null;
}

/**
 * What sums are made of: a SELECT that gives for each field its column, and in `rows` and `amount` how many rows these are
 * and what they come to, both below zero where they are taken away; and what it has to be true for the sums to be right.
 */
export interface Source {
  readonly select: Sql;
  readonly before?: readonly Sql[];
  readonly isRight: Sql;
  /** From which position on rows count: nothing where all do that there ever were. */
  readonly from: Sql;
}

/** As of how many changes ago kept sums are taken back to what they were; each row that changed is looked up twice. */
const MOST_CHANGES = 20_000;

/** The sums that the writer keeps and that sums can be made of, the fewest. */
export function findKept(
  { list: { sums }, conditions, fields }: Summed,
  suits: (kept: KeptSums) => boolean = () => true,
): KeptSums | undefined {
  return sums.kept.find((kept) => {
    const isSettled = (field: string) => kept.by.includes(field);
    const settles = (one: Condition) => isSettled(one.field) || (one.field === kept.spansOf && isBounds(one));
    return suits(kept) && fields.every(isSettled) && conditions.every(settles);
  });
}

/** Reads the rows themselves, one more than `most` at most. */
export function fromRows({ list, checks, fields }: Summed, most: number): Source {
  return {
    select: sql`${rowsOf(list, fields, list.table.name, checks)} LIMIT ${most + 1}`,
    isRight: raw('TRUE'),
    from: keptFrom(list),
  };
}

/** Reads what the writer keeps; of spans that a filter cuts, the rows themselves. */
export function fromKept({ list, conditions, fields }: Summed, kept: KeptSums): Source {
  const [cut, others] = [conditions.filter(isOf(kept)), conditions.filter((one) => !isOf(kept)(one))];
  const bounds = cut.filter(isBounds);
  const least = max(MIN, ...bounds.flatMap((one) => one.least ?? []));
  const most = min(MAX, ...bounds.flatMap((one) => one.most ?? []));
  const first = least === MIN ? null : ((least - 1n) >> SPAN_BITS) + 1n;
  const end = most === MAX ? null : (most + 1n) >> SPAN_BITS;
  const within = (from: bigint, to: bigint) => {
    if (from > to) return [];
    const span = { field: kept.spansOf ?? '', least: from, most: to };
    return [rowsOf(list, fields, sql`${PRESENT} ${list.table.name}`, [...others, span])];
  };
  const isRight = raw(isRightCount(list));
  if (first !== null && end !== null && first >= end)
    return { select: unionOf(list, fields, within(least, most)), isRight, from: summedFrom(list) };
  const whole = [
    ...others.map(toSql),
    ...(first === null ? [] : [sql`t.span >= ${first}`]),
    ...(end === null ? [] : [sql`t.span < ${end}`]),
  ];
  return {
    select: unionOf(list, fields, [
      sql`SELECT ${columnsOf(fields)} t.rows, t.amount FROM ${raw(kept.table)} AS t WHERE ${allOf(whole)}`,
      ...(first === null ? [] : within(least, (first << SPAN_BITS) - 1n)),
      ...(end === null ? [] : within(end << SPAN_BITS, most)),
    ]),
    isRight,
    from: summedFrom(list),
  };
}

/**
 * As of a block: what is kept of whole groups that had come to their end by then, and the rows of those that had begun. Where a
 * group's rows lie stands in a table beside.
 */
export function fromSettled(
  { list, conditions, fields }: Summed,
  { table, by, settledIn }: KeptSums,
): Source {
  const group = columnOf(by[0] ?? '');
  const settled = raw(settledIn ?? '');
  const begun = sql`first_position <= ${AS_OF} AND last_position > ${AS_OF}`;
  const checks = [
    ...conditions,
    sql`t.created_position >= (SELECT min(first_position) FROM ${settled} WHERE ${begun})`,
    sql`t.${raw(group)} IN (SELECT ${raw(group)} FROM ${settled} WHERE ${begun})`,
  ];
  return {
    select: unionOf(list, fields, [
      sql`SELECT ${columnsOf(fields)} t.rows, t.amount
        FROM ${raw(table)} AS t JOIN ${settled} AS settled USING (${raw(group)})
        WHERE settled.last_position <= ${AS_OF} AND ${allOf(conditions.map(toSql))}`,
      rowsOf(list, fields, list.table.name, checks),
    ]),
    // Of a group that had begun, rows may have been dropped.
    isRight: sql`${raw(isRightCount(list))} AND NOT EXISTS (
      SELECT FROM ${settled} WHERE ${begun} AND first_position < ${keptFrom(list)})`,
    from: summedFrom(list),
  };
}

/** As of a block: what is kept, less the rows that have changed since, and with these as they were. */
export function fromChanges(summed: Summed, kept: KeptSums): Source {
  const { list, conditions, fields } = summed;
  const { source, condition, key } = historyOf(list);
  const each = (table: Sql) => {
    const at = [sql`t.created_position = changed.row_position`, ...conditions];
    return sql`FROM changed CROSS JOIN LATERAL (SELECT * FROM ${table} AS t WHERE ${allOf(at.map(toSql))} OFFSET 0) AS t`;
  };
  const amount = amountOf(list);
  return {
    before: [
      sql`recent AS MATERIALIZED (
        SELECT ${key} AS row_position FROM ${source} WHERE ${condition} AND change.position > ${AS_OF}
        ORDER BY change.position LIMIT ${MOST_CHANGES + 1})`,
      sql`changed AS (SELECT DISTINCT row_position FROM recent)`,
    ],
    select: unionOf(list, fields, [
      fromKept(summed, kept).select,
      sql`SELECT ${columnsOf(fields)} -1, -${amount} ${each(sql`${PRESENT} ${list.table.name}`)}`,
      sql`SELECT ${columnsOf(fields)} 1, ${amount} ${each(list.table.name)}`,
    ]),
    isRight: sql`${raw(isRightCount(list))} AND (SELECT count(*) FROM recent) <= ${MOST_CHANGES}
      AND (SELECT archived_to FROM networks) <= ${AS_OF}`,
    from: summedFrom(list),
  };
}

/** From which position on what the writer has added up counts. */
function summedFrom({ table }: Pick<Noun, 'table'>): Sql {
  return raw(`(SELECT (summed_from_of ->> '${table.name.text}')::bigint FROM networks LIMIT 1)`);
}

function rowsOf(list: SummedNoun, fields: readonly string[], table: Sql, checks: readonly Check[]): Sql {
  return sql`SELECT ${columnsOf(fields)} 1 AS rows, ${amountOf(list)} AS amount
    FROM ${table} AS t WHERE ${allOf(checks.map(toSql))}`;
}

/** All rows of several sources; none of none. */
function unionOf(list: SummedNoun, fields: readonly string[], sources: readonly Sql[]): Sql {
  if (sources.length > 0) return unionAll(sources);
  return rowsOf(list, fields, sql`${PRESENT} ${list.table.name}`, [sql`FALSE`]);
}

function columnsOf(fields: readonly string[]): Sql {
  return raw(fields.map((field) => `t.${columnOf(field)}, `).join(''));
}

function amountOf({ sums }: SummedNoun): Sql {
  return raw(`t.${columnOf(sums.amount)}::numeric`);
}

function isOf({ spansOf, by }: KeptSums) {
  return ({ field }: Condition) => field === spansOf && !by.includes(field);
}

const [MIN, MAX] = [-(2n ** 63n), 2n ** 63n - 1n];
