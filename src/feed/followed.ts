import type { CacheTag } from '../cache/cache-tags.ts';
import type { FeedBlock } from './events.ts';

/** What is followed by being read again, as of each block that may have changed it: a series. */
export interface Followed<Value> {
  /** The name that the cursors of its stream carry. */
  readonly name: string;
  /** Equal ones have equal keys. */
  readonly key: string;
  /** What may change it, besides the time. */
  readonly dependsOn: readonly CacheTag[];
  /** From when on it is wanted, in nanoseconds; null begins with what is under way. */
  readonly from: bigint | null;
  /** Reads what is new at a block since a time: all that was not over then. It ends with the signal. */
  readonly read: (at: FeedBlock, since: bigint, signal: AbortSignal) => Promise<Value>;
  /** When what is under way is over, in nanoseconds; null where nothing is. */
  readonly endOf: (value: Value) => bigint | null;
  /** How many values its lists have, by the names of their fields; of lists within others, how many each has. */
  readonly lengthsOf: (value: Value) => Readonly<Record<string, number>>;
}

/** A message of what is followed: what changed up to a block. Null says only how far the stream has come. */
export interface Reading<Value> {
  readonly kind: 'reading';
  readonly block: FeedBlock;
  readonly position: bigint;
  readonly value: Value | null;
  /** How many values its lists have, by the names of their fields. */
  readonly lengths: Readonly<Record<string, number>>;
  /** When what is under way is over, in nanoseconds; null where nothing is. */
  readonly end: bigint | null;
}
