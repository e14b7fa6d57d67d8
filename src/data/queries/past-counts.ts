import { SharedValue } from '../../cache/cache-tags.ts';
import { AS_OF, PRESENT } from '../block-positions.ts';
import type { Noun } from '../noun.ts';
import { isRightCount } from '../right-counts.ts';
import type { Statements } from '../servers/statements.ts';
import { join, raw, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import {
  type CountedList,
  countAll,
  countByKey,
  countedOf,
  hasDropped,
  neverChanges,
  withValue,
  writtenCounts,
} from './count-statements.ts';
import { type CountedFor, type Counts, FOR_NOBODY, ROWS_OF_A_COUNT } from './counts.ts';
import { keptFrom } from './kept-from.ts';
import type { PageScope } from './pages.ts';
import { createScan } from './scans.ts';
import { findKept, fromChanges, isSummed, type Source } from './sum-statements.ts';

/** Rows that came since are taken away from a count up to so many, some 20 ms; else all are counted that were there. */
const MOST_NEW_ROWS = 100_000;

/**
 * Counts of lists as they were at a block: what the writer counted, less what came or changed since, in one statement; where that is
 * too much, or nothing is counted, all rows.
 */
export function createPastCounts(past: Statements, { inTurn }: Pick<Counts, 'inTurn'>): Counts {
  const count = async (counted: CountedList, { client, charge }: CountedFor) => {
    const written = await readWritten(past, counted);
    if (written !== null) {
      charge(written.read * ROWS_OF_A_COUNT + written.since);
      return written.rows;
    }
    const { rows } = await inTurn(client, () => countAll(past, withoutVersions(counted)));
    charge(rows);
    return rows;
  };
  return {
    inTurn,
    async count(list, filter, countedFor = FOR_NOBODY) {
      return new SharedValue(await count(countedOf(list, filter, true), countedFor), 'nothing');
    },
    async countByKey(_, list, { field, keys }, filter, countedFor = FOR_NOBODY) {
      const { client, charge } = countedFor;
      const counted = countedOf(list, filter, true);
      const [key = '', ...others] = keys;
      if (others.length === 0) {
        const rows = await count(withValue(counted, field, key), countedFor);
        return new SharedValue(new Map([[key, rows]]), 'nothing');
      }
      const scope = { field, keys } as PageScope<never>;
      const counts = await inTurn(client, () => countByKey(past, counted, scope));
      charge([...counts.values()].reduce((sum, rows) => sum + rows, 0));
      return new SharedValue(counts, 'nothing');
    },
  };
}

interface Written {
  readonly rows: number;
  /** How many counts of the writer were added up, and how many rows that came or changed since. */
  readonly read: number;
  readonly since: number;
}

/** A count from what the writer counted; null where that cannot be had. */
async function readWritten(past: Statements, counted: CountedList): Promise<Written | null> {
  const source = neverChanges(counted) ? lessNew(counted) : lessChanged(counted);
  if (source === null) return null;
  const { before = [], select, isRight } = source;
  const [found] = await past.rows<{
    rows: bigint | null;
    read: bigint;
    since: bigint;
    isRight: boolean;
  }>(
    statementOf(
      sql`WITH ${join([...before])}
        SELECT sum(rows)::bigint AS rows, count(*) AS read, (SELECT count(*) FROM since) AS since, (${isRight}) AS "isRight"
        FROM (${select}) AS counted`,
      [],
    ),
  );
  if (!found?.isRight) return null;
  return { rows: Number(found.rows ?? 0n), read: Number(found.read), since: Number(found.since) };
}

/** Of rows that pass for ever: those that were created since are taken away. */
function lessNew(counted: CountedList): Omit<Source, 'from'> | null {
  const counts = writtenCounts(counted);
  if (counts === null) return null;
  const { list, conditions } = counted;
  const range = { least: sql`${AS_OF} + 1` };
  const walk = createScan(atPresent(list), conditions)('ASC', range, MOST_NEW_ROWS + 1);
  return {
    before: [sql`since AS MATERIALIZED (SELECT FROM (${walk}) AS created)`],
    select: sql`SELECT rows FROM (${counts}) AS written UNION ALL SELECT -count(*) FROM since`,
    isRight: sql`${raw(isRightCount(list))} AND NOT ${hasDropped(counted)}
      AND coalesce(${keptFrom(list)} <= ${AS_OF}, TRUE) AND (SELECT count(*) FROM since) <= ${MOST_NEW_ROWS}`,
  };
}

/** The same rows, of which none has to be looked at as it was: each that passes now did from the beginning. */
function withoutVersions(counted: CountedList): CountedList {
  const { list, conditions } = counted;
  if (list.history !== 'rows' || !neverChanges(counted)) return counted;
  return { list: atPresent(list), conditions, checks: [...conditions, sql`t.created_position <= ${AS_OF}`] };
}

function atPresent(list: Noun): Noun {
  return { ...list, table: { ...list.table, name: sql`${PRESENT} ${list.table.name}` } };
}

/** Of rows that may pass no more: those that changed since are taken away, and added as they were. */
function lessChanged({ list, conditions }: CountedList): Omit<Source, 'from'> | null {
  if (!isSummed(list)) return null;
  const summed = { list, conditions, checks: conditions, fields: [] };
  const kept = findKept(summed);
  if (kept === undefined) return null;
  const { before = [], ...source } = fromChanges(summed, kept);
  return { ...source, before: [...before, sql`since AS (SELECT FROM recent)`] };
}
