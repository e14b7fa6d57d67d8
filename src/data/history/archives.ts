import type { AnyNoun } from '../noun.ts';
import { nouns } from '../nouns/index.ts';

/*
 * The tables that keep what no stream resumes from any more. Each is of one noun, and made of partitions of its own, so that the
 * past is forgotten noun by noun.
 */

/** The nouns whose past can be forgotten: rows that are only ever added are their own past. */
export const FORGOTTEN_NOUNS = Object.values<AnyNoun>(nouns).filter(({ history }) => history !== 'added');

export interface Archive {
  readonly noun: Pick<AnyNoun, 'name' | 'table' | 'history'>;
  readonly table: string;
}

/** The table that those of all nouns but accounts are parts of. */
export const ARCHIVED_ROWS = 'archived_rows';

/** Where what changed of each noun is packed. */
export const ARCHIVES: readonly Archive[] = FORGOTTEN_NOUNS.map((noun) => ({
  noun,
  table: noun.history === 'balances' ? 'archived_balances' : `${ARCHIVED_ROWS}_${noun.table.name.text}`,
}));

/** What is made of the past of market data, and forgotten with it. */
export const ROLLUPS: Archive = { noun: nouns.marketData, table: 'rollups' };

/** What older versions packed, of all nouns but accounts together. */
export const MIXED_ARCHIVE = 'archived_changes';

/**
 * What is packed of a table's rows, as a row source, found by `row_position`, which no two nouns share; `is_mixed` is what may be another
 * noun's, where all are read. The noun is asked for outside of the union: of a part of one that has a condition of its own
 * PostgreSQL takes no order from an index, and would read and sort all that is packed of a row.
 */
export function archivedRows(table: string): string {
  const columns = 'row_position, position, row, positions, columns';
  return `(SELECT ${columns}, is_mixed FROM (
    SELECT noun, ${columns}, FALSE AS is_mixed FROM ${ARCHIVED_ROWS}
    UNION ALL SELECT '${table}'::text, ${columns}, TRUE FROM ${MIXED_ARCHIVE}
  ) AS archives WHERE noun = '${table}')`;
}
