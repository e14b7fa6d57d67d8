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
import { type CountedFor, type Counts, FOR_NOBODY } from './counts.ts';
import { keptFrom } from './kept-from.ts';
import { createScan, unsettled } from './scans.ts';
import { isSummed, type Source, type Summed } from './sum-statements.ts';
import { keptSource } from './sums.ts';

/** Rows that came since are taken away from a count up to so many, some 20 ms; else all are counted that were there. */
const MOST_NEW_ROWS = 100_000;

/**
 * Counts of lists as they were at a block: of what the writer counted and added up, and what came or changed since, in one statement;
 * where that is too much, or nothing is kept, all rows.
 */
export function createPastCounts(past: Statements, { inTurn }: Pick<Counts, 'inTurn'>): Counts {
  const count = async (counted: CountedList, { client, charge }: CountedFor) => {
    for (const source of sourcesOf(past, counted)) {
      const written = await readWritten(past, source);
      if (written === null) continue;
      charge(written.read);
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
      const counts = await inTurn(client, () => countByKey(past, counted, { field, keys }));
      charge([...counts.values()].reduce((sum, rows) => sum + rows, 0));
      return new SharedValue(counts, 'nothing');
    },
  };
}

/** What a count can be made of without all rows, the quickest first. */
function sourcesOf(past: Statements, counted: CountedList): readonly Counted[] {
  const { list, conditions } = counted;
  const sources = [
    neverChanges(counted) && unsettled(list, conditions, undefined).length === 0 ? lessNew(counted) : null,
    isSummed(list) ? addedUp(past, { list, conditions, checks: conditions, fields: [] }) : null,
  ];
  return sources.flatMap((source) => source ?? []);
}

/** What is added up has the rows that were dropped, and a count is of those that are there. */
function addedUp(past: Statements, summed: Summed): Counted | null {
  const source = keptSource(past, summed);
  return source && { ...source, isRight: sql`${source.isRight} AND ${keptFrom(summed.list)} IS NULL` };
}

type Counted = Omit<Source, 'from'>;

/** A count, and how many counts and rows it was made of; null where that is not right. */
async function readWritten(past: Statements, { before = [], select, isRight }: Counted) {
  const statement = sql`${before.length === 0 ? sql`` : sql`WITH ${join([...before])}`}
    SELECT sum(rows)::bigint AS rows, count(*) AS read, (${isRight}) AS "isRight" FROM (${select}) AS counted`;
  const [found] = await past.rows<{ rows: bigint | null; read: bigint; isRight: boolean }>(
    statementOf(statement, []),
  );
  return found?.isRight === true ? { rows: Number(found.rows ?? 0n), read: Number(found.read) } : null;
}

/** Of rows that pass for ever: those that were created since are taken away, by a walk that reads no others. */
function lessNew(counted: CountedList): Counted | null {
  const counts = writtenCounts(counted);
  if (counts === null) return null;
  const { list, conditions } = counted;
  const range = { least: sql`${AS_OF} + 1` };
  const walk = createScan(atPresent(list), conditions)('ASC', range, MOST_NEW_ROWS + 1);
  return {
    before: [sql`since AS MATERIALIZED (SELECT FROM (${walk}) AS created)`],
    select: sql`SELECT rows FROM (${counts}) AS written UNION ALL SELECT -1 FROM since`,
    isRight: sql`${raw(isRightCount(list))} AND NOT ${hasDropped(counted)}
      AND coalesce(${keptFrom(list)} <= ${AS_OF}, TRUE) AND (SELECT count(*) FROM since) <= ${MOST_NEW_ROWS}`,
  };
}

/** Gives a list without versions where no row has to be looked at as it was: each that passes now did from the beginning. */
function withoutVersions(counted: CountedList): CountedList {
  const { list, conditions } = counted;
  if (list.history !== 'rows' || !neverChanges(counted)) return counted;
  return { list: atPresent(list), conditions, checks: [...conditions, sql`t.created_position <= ${AS_OF}`] };
}

function atPresent(list: Noun): Noun {
  return { ...list, table: { ...list.table, name: sql`${PRESENT} ${list.table.name}` } };
}
