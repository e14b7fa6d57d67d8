import type { QueryConfig } from 'pg';
import type { CacheTag } from '../../cache/cache-tags.ts';
import { contentOf } from '../digests/block-digests.ts';
import type { Block } from '../generated/prisma/client.ts';
import type { BlockChanges, BlockStatements } from './block-changes.ts';
import { cacheTagsOf } from './block-tags.ts';
import type { SkippedEvent } from './hold-ups.ts';
import { countStatements } from './row-counts.ts';
import type { RowSet } from './row-sets.ts';
import type { UnknownNumber } from './unknown-numbers.ts';

/** What is to be noted of a block beside what it changes. */
export interface BlockNotes {
  /** The numbers of enumerations that nobody knows. */
  readonly unknown: readonly UnknownNumber[];
  /** The events that were passed over as damaged. */
  readonly skipped: readonly SkippedEvent[];
}

/** A block before it has its place behind another. */
export type NewBlock = Omit<Block, 'digest'>;

export const NO_NOTES: BlockNotes = { unknown: [], skipped: [] };

/** A block made ready to be written, as far as that needs nothing of the database: while those before are written. */
export interface PreparedBlock {
  readonly block: NewBlock;
  /** What its digest is over, but for the block before it and the parties that are new. */
  readonly content: Buffer;
  /** All that it names. Which of them are new turns out when it is written. */
  readonly parties: BlockChanges['party'];
  /** Its other rows. */
  readonly rows: readonly RowSet[];
  /** Count what was added, once all rows are written: by their names, one for each noun. */
  readonly counts: readonly QueryConfig[];
  /** The tags of its other rows. */
  readonly cacheTags: readonly CacheTag[];
  /** The events of the block that were passed over as damaged. */
  readonly skipped: readonly SkippedEvent[];
  /** How many rows these are. */
  readonly size: number;
}

export function prepareBlock(
  statements: BlockStatements,
  block: NewBlock,
  changes: BlockChanges,
  { unknown, skipped }: BlockNotes,
): PreparedBlock {
  const rows = statements.rows(changes, unknown);
  return {
    block,
    content: contentOf(block, changes),
    parties: changes.party,
    rows,
    counts: countStatements(changes),
    cacheTags: cacheTagsOf({ ...changes, party: [] }),
    skipped,
    size: rows.reduce((sum, set) => sum + set.rows.length, 0),
  };
}
