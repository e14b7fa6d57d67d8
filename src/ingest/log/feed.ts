import type { SentBlock } from './sent-blocks.ts';

/** Where a relay has its blocks from. */
export interface BlockFeed {
  readonly name: string;
  /** Whole blocks in their order, until the source ends or the signal is aborted, as bytes that stay. */
  blocks(signal: AbortSignal): AsyncIterable<SentBlock>;
  /** The log has this block, and all before it. */
  settle(block: SentBlock): void;
  /** The log lacks blocks before this one, the first that is not settled. Gives whether the feed gives it up, since it has begun again. */
  leave(block: SentBlock): boolean;
}
