import { heightOf, positionOf } from '../../domain/positions.ts';
import type { BlockPlace, ChunkHead } from './block-message.ts';

/**
 * How a block stands to what a log, or a database, holds: it is there, it is the next, blocks are missing before it, or
 * it cannot be of the same network's life.
 */
export type Standing = 'held' | 'next' | 'gap' | 'conflict';

/** A block that follows, as far as its place says. */
type Following = Pick<BlockPlace, 'first' | 'last' | 'digest'>;

/** How a block stands behind the last chunk of a log; anything may be the first of an empty one. */
export function standingBehind(end: ChunkHead | null, block: Following): Standing {
  if (end === null) return 'next';
  if (end.chunk === end.chunks - 1) return standingBehindBlock(end, block);
  // A block that a relay began and did not end is replaced by a whole one.
  if (block.last < end.first) return 'held';
  if (block.first === end.first) return 'next';
  return block.first > end.first ? 'gap' : 'conflict';
}

/** Compares a block with the last whole one of a log or a database. */
export function standingBehindBlock(end: Following, block: Following): Standing {
  if (block.last === end.last) return block.digest === end.digest ? 'held' : 'conflict';
  if (block.last < end.last) return 'held';
  if (block.first <= end.last) return 'conflict';
  return followsAtOnce(end.last, block.first) ? 'next' : 'gap';
}

/** Whether nothing can be between the end of a block and the begin of another: the height goes on, or the next one begins. */
function followsAtOnce(last: bigint, first: bigint): boolean {
  return first === last + 1n || first === positionOf(Number(heightOf(last)) + 1, 0);
}
