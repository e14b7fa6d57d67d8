import type { QueryConfig } from 'pg';
import type { BlockChanges, BlockStatements } from './block-changes.ts';
import { touchesOf } from './block-touches.ts';
import type { Block } from './generated/prisma/client.ts';
import { countStatements } from './row-counts.ts';
import type { Touch } from './touches.ts';

/** A block made ready to be written, as far as that needs nothing of the database: while the one before is written. */
export interface PreparedBlock {
  readonly block: Block;
  /** All that it names. Which of them are new turns out when it is written. */
  readonly parties: BlockChanges['party'];
  /** Write its other rows. */
  readonly rows: readonly QueryConfig[];
  /** Count what was added, once all rows are written. */
  readonly counts: readonly QueryConfig[];
  /** What its other rows touch. */
  readonly touched: readonly Touch[];
}

export function prepareBlock(
  statements: BlockStatements,
  block: Block,
  changes: BlockChanges,
): PreparedBlock {
  return {
    block,
    parties: changes.party,
    rows: statements.rows(block, changes),
    counts: countStatements(changes),
    touched: touchesOf({ ...changes, party: [] }),
  };
}
