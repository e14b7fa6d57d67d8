import { columnOf } from '../columns.ts';
import { type Check, isBounds } from '../conditions.ts';
import { changedSince } from '../history/past-texts.ts';
import type { Noun, Order } from '../noun.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { allOf, createScan, equalsKey, isBetween, isRange, type Scan, type Scope, toSql } from './scans.ts';

/**
 * A scan of rows as they were at a position, in another order than that of creation. Rows that have not changed since are
 * walked along an index of the order. Those that have are looked for one by one, and sorted: they are few where a walk began
 * lately, and where rows of the noun seldom change late in their lives.
 */
export function createOrderedScan(
  { table }: Pick<Noun, 'table'>,
  { field, indexes }: Pick<Order<never>, 'field' | 'indexes'>,
  checks: readonly Check[],
  position: Sql,
  scope?: Scope,
): Scan {
  // What bounds ask is asked by the range where there is one: two ways to say it make the planner expect next to no rows.
  const walked = checks.some(isRange) ? checks.filter((check) => isRange(check) || !isBounds(check)) : checks;
  const unchanged = createScan({ table, indexes }, [...walked, { most: position }], scope, field);
  const column = raw(`t.${columnOf(field)}`);
  const passes = checks.filter((check) => !isRange(check)).map(toSql);
  if (scope !== undefined) passes.push(equalsKey(scope));
  const changed = raw(changedSince({ table }, 'at.position'));
  return (direction, range, limit) => sql`
    SELECT merged.* FROM (
      (${unchanged(direction, range, limit)})
      UNION ALL
      (
        SELECT ${table.columns} FROM (SELECT ${position} AS position) AS at CROSS JOIN LATERAL (${changed}) AS t
        WHERE ${allOf([...passes, isBetween(column, range)])} ORDER BY ${column} ${raw(direction)} LIMIT ${limit}
      )
    ) AS merged ORDER BY ${raw(`merged."${field}" ${direction}`)} LIMIT ${limit}`;
}
