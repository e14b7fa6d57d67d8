import type pg from 'pg';
import { readAppliedMigrations } from '../migrate.ts';
import type { AnyNoun, HistoryKind } from '../noun.ts';
import { nouns } from '../nouns/index.ts';
import { tablesOf } from '../upkeep/backup-format.ts';

/*
 * What becomes of each table: parts have what came to be within a range of blocks, a base has what is there at one, and the rest is
 * made of these or is not a database's to hand on. A test holds all tables to be of one of the three.
 */

/** A table whose rows are in parts. */
export interface PartTable {
  readonly table: string;
  /** Rows that are only ever added are there once, and of others each version as a block left it. */
  readonly history: HistoryKind;
  /** The column of positions that says which part a row, or a version of one, is in; no two of a table share a value. */
  readonly position: string;
}

/** Blocks, and all nouns in the order in which a block's rows are written. */
export const PART_TABLES: readonly PartTable[] = [
  { table: 'blocks', history: 'added', position: 'last_position' },
  ...Object.values<AnyNoun>(nouns).map(({ table, history }) => ({
    table: table.name.text,
    history,
    position: table.fields.includes('updatedPosition') ? 'updated_position' : 'created_position',
  })),
];

/** Those of them that parts alone have: all rows that there ever were are there. */
export const ADDED_TABLES = PART_TABLES.filter(({ history }) => history === 'added');

/** Those whose rows a base has as they are at its block. */
export const VERSIONED_TABLES = PART_TABLES.filter(({ history }) => history !== 'added');

/** What is made of the others, or is told by the manifest, or is of one database alone. */
const MADE_ANEW: readonly string[] = [
  ...['_prisma_migrations', 'networks', 'hold_ups'],
  // Versions are in parts, however a database keeps them.
  ...[
    'changes',
    'balance_changes',
    'archived_changes',
    'archived_rows',
    'archived_balances',
    'archived_parts',
  ],
  // The keeper makes these beside the writer.
  ...['rollups', 'trade_rollups', 'rollup_levels', 'account_ranks', 'rank_levels'],
];

/**
 * The tables of a base: all others that migrations make, as sums, counts and the newest rows of what changes. What stands beside them is no
 * table of Periscope, or one no more: a partition that was taken from its table is there until it is dropped.
 */
export async function readBaseTables(client: pg.Client): Promise<readonly string[]> {
  const made = tablesOf(await readAppliedMigrations(client));
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname = ANY ($1) AND relname <> ALL ($2)
     ORDER BY relname`,
    [made, [...MADE_ANEW, ...ADDED_TABLES.map(({ table }) => table)]],
  );
  return rows.map(({ name }) => name);
}
