import { setTimeout as sleep } from 'node:timers/promises';
import { positionsOf } from '../../domain/positions.ts';
import { GatewayError } from '../../errors.ts';
import { checkWhole } from '../parts/progress-table.ts';
import { findLatestBlock } from '../queries/blocks.ts';
import type { Statements } from '../servers/statements.ts';
import { checkBlocks, findFirstWhole } from './block-checks.ts';
import { checkRows } from './row-checks.ts';

/** How far a database has been read again. */
export interface ScrubProgress {
  /** The blocks that were, from the first that is kept whole on; null before the first. */
  readonly from: bigint | null;
  readonly upTo: bigint | null;
  /** How many rows were compared with something: with a digest, or with their history. */
  readonly rows: number;
}

/** What is not any more what it was when it was written. */
export type Spoiled =
  | { readonly kind: 'block'; readonly height: bigint }
  /** A row that is not what its history says, by its table and its `createdPosition`. */
  | { readonly kind: 'row'; readonly noun: string; readonly position: bigint };

interface ScrubOptions {
  readonly signal: AbortSignal;
  /** How many rows are read a second at most; null where that is not bounded. */
  readonly rowsPerSecond: number | null;
  /** The last height that is read; null for the newest there is. */
  readonly upTo?: bigint | null;
  readonly onProgress?: (progress: ScrubProgress) => void;
  readonly onSpoiled: (spoiled: Spoiled) => void;
}

/**
 * Reads a database again: every block that is kept whole is compared with its digest, and every row with its history. Rejects with the
 * signal's reason, as statements do, with FAILED_PRECONDITION where a base is not whole yet, and with OUT_OF_RANGE for an end that is no
 * block which can be read.
 */
export async function scrub(
  statements: Statements,
  { signal, rowsPerSecond, upTo = null, onProgress, onSpoiled }: ScrubOptions,
): Promise<ScrubProgress> {
  let progress: ScrubProgress = { from: null, upTo: null, rows: 0 };
  const advance = async (rows: number, at: bigint | null = progress.upTo) => {
    progress = { ...progress, upTo: at, rows: progress.rows + rows };
    onProgress?.(progress);
    signal.throwIfAborted();
    if (rowsPerSecond !== null) await sleep((rows / rowsPerSecond) * 1000, undefined, { signal });
  };
  await checkWhole(statements);
  const [whole, newest] = [await findFirstWhole(statements), await findLatestBlock(statements)];
  if (whole === null || newest === null) return progress;
  const from = whole.first.height;
  if (upTo !== null && (upTo < from || upTo > newest.height))
    throw new GatewayError(
      'OUT_OF_RANGE',
      `There is no block at height ${upTo} to be read again: blocks ${from} to ${newest.height} can be.`,
    );
  progress = { ...progress, from };
  const end = upTo === null || upTo >= newest.height ? newest.lastPosition : positionsOf(upTo).last;
  for await (const check of checkBlocks(statements, { after: whole.before, upTo: end })) {
    for (const height of await keptOf(statements, check.spoiled)) onSpoiled({ kind: 'block', height });
    await advance(check.rows, check.upTo.height);
  }
  // What rows were at an earlier block, its digest says already.
  if (end !== newest.lastPosition) return progress;
  for await (const { noun, rows, spoiled } of checkRows(statements, end)) {
    for (const position of spoiled) onSpoiled({ kind: 'row', noun, position });
    await advance(rows);
  }
  return progress;
}

/** The blocks that are kept whole now: of others, what they changed may have been dropped while it was read. */
async function keptOf(statements: Statements, heights: readonly bigint[]): Promise<readonly bigint[]> {
  const first = heights.length === 0 ? null : ((await findFirstWhole(statements))?.first ?? null);
  return first === null ? [] : heights.filter((height) => height >= first.height);
}

/** What a person is told of it. */
export function describeSpoiled(spoiled: Spoiled): string {
  if (spoiled.kind === 'block') return `what block ${spoiled.height} changed is not what its digest is over`;
  return `the row of ${spoiled.noun} that was created at position ${spoiled.position} is not what its history says`;
}
