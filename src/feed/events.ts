import type { Block } from '../data/generated/prisma/client.ts';

/** A block as the feed names it. */
export interface FeedBlock {
  readonly height: bigint;
  /** Nanoseconds since the epoch. */
  readonly timestamp: bigint;
  readonly hash: string;
  /** Of the block and all before it; null where an older version wrote it. */
  readonly digest: string | null;
  /** The position of its last event. */
  readonly position: bigint;
}

/** The block before the first. */
export const NO_BLOCK: FeedBlock = { height: 0n, timestamp: 0n, hash: '', digest: null, position: 0n };

/** The block as the table of blocks has it. */
export function toBlock({ height, hash, digest, timestamp, position }: FeedBlock): Block {
  return { height, hash, timestamp, lastPosition: position, digest };
}

/** The block of the table of blocks as the feed names it. */
export function fromBlock({ height, hash, digest, timestamp, lastPosition }: Block): FeedBlock {
  return { height, hash, digest, timestamp, position: lastPosition };
}

/** A page of the rows as they were at the end of one block, the same for all pages of a snapshot. */
export interface Snapshot<Row> {
  readonly kind: 'snapshot';
  readonly block: FeedBlock;
  readonly rows: readonly Row[];
  readonly lastPage: boolean;
}

/** What one block changed: each row once, as the block left it. */
export interface Updates<Row> {
  readonly kind: 'updates';
  readonly block: FeedBlock;
  /** With this message everything up to here has been sent. */
  readonly position: bigint;
  readonly rows: readonly Row[];
}

/** How far a stream has come that had nothing to tell for a while: nothing changed up to here that it did not send. */
export interface Reached {
  readonly kind: 'reached';
  readonly block: FeedBlock;
  readonly position: bigint;
  readonly rows: readonly [];
}

export type StreamEvent<Row> = Snapshot<Row> | Updates<Row> | Reached;
