import { max } from '../domain/bigints.ts';
import { nextOf, type Readable, type Reader } from '../readable.ts';
import { type FeedBlock, NO_BLOCK } from './events.ts';
import type { Followed, Reading } from './followed.ts';
import type { Follower, PendingReading, SharedReadings } from './shared-readings.ts';

interface Following<Value> {
  readonly followed: Followed<Value>;
  readonly shared: SharedReadings<Value>;
  /** Up to where and when all was told, as a cursor says; null without one. */
  readonly after: { readonly position: bigint; readonly time: bigint } | null;
  readonly progressMs: number | null;
}

/**
 * Follows what is read as of blocks: first what came since the cursor, then what each block changed. Blocks that came while one was
 * read are read together, so nothing is lost and a reader that is behind catches up. Only what a block may have changed is
 * read, once for all who follow the same.
 */
export class ReadingStream<Value>
  implements Readable<Reading<Value>>, AsyncIterable<Reading<Value>, undefined>, Follower<Value>
{
  readonly #following: Following<Value>;
  /** Up to when all was told; null where it begins with what is under way. */
  #told: bigint | null;
  /** The position of the last block that was looked at, and of the last that was read as of; -1 before. */
  #seenAt = -1n;
  #readAt = -1n;
  /** When what is under way is over, as far as is known. */
  #end: bigint | null = null;
  /** When it said something last, of the time that the process keeps; 0 before. */
  #saidAt = 0;
  /** The last block, where nothing was said of it yet; and what waits until it is time to. */
  #unsaid: FeedBlock | null = null;
  #pause: NodeJS.Timeout | undefined;
  #pending: PendingReading<Value> | null = null;
  #made: Reading<Value> | null = null;
  #failure: { readonly error: unknown } | null = null;
  reader: Reader | null = null;
  isOver = false;

  constructor(following: Following<Value>) {
    this.#following = following;
    this.#told = following.after?.time ?? following.followed.from;
    following.shared.join(this);
  }

  read(): Reading<Value> | null {
    try {
      if (this.#failure !== null) throw this.#failure.error;
      const made = this.#made;
      this.#made = null;
      return made ?? this.#tellNext();
    } catch (error) {
      this.#letGo();
      throw error;
    }
  }

  async return(): Promise<void> {
    this.#letGo();
    this.reader?.onReadable();
  }

  /** What has come is read before its reader is woken, which so is woken once for a message. */
  onBlocks(): void {
    if (this.#made === null && this.#failure === null) this.#made = this.#tellNext();
    if (this.#made !== null) this.reader?.onReadable();
  }

  onReading(reading: Reading<Value>): void {
    this.#pending = null;
    if (!this.isOver) this.#made = this.#say(reading);
    this.reader?.onReadable();
  }

  onFailure(error: unknown): void {
    this.#leavePending();
    if (!this.isOver) this.#failure ??= { error };
    this.reader?.onReadable();
  }

  [Symbol.asyncIterator](): AsyncIterator<Reading<Value>, undefined> {
    return { next: () => nextOf(this) };
  }

  /** What is to be said of the blocks that have come; null where there is nothing, or not yet. */
  #tellNext(): Reading<Value> | null {
    if (this.#pending !== null || this.isOver) return null;
    const block = this.#following.shared.newest(this.#seenAt >= 0n);
    const reading = block !== null && block.position > this.#seenAt ? this.#tell(block) : null;
    return reading ?? (this.#pending === null ? this.#tellReached() : null);
  }

  #tell(block: FeedBlock): Reading<Value> | null {
    const { followed, shared, after } = this.#following;
    const isFirst = this.#readAt < 0n;
    this.#seenAt = block.position;
    if (block.position === NO_BLOCK.position) {
      // What comes is new from its begin on.
      this.#told ??= 0n;
      return reachedAt(block);
    }
    // The gateway that gave the cursor was a little ahead.
    if (block.position < (after?.position ?? 0n)) return null;
    const told = this.#told ?? block.timestamp;
    const since = max(told, followed.from ?? told);
    this.#told = block.timestamp;
    const isOver = this.#end !== null && block.timestamp >= this.#end;
    // What is wanted from a time to come on is under way from then on.
    const isBegun = told < since && block.timestamp >= since;
    if (!isFirst && !isOver && !isBegun && shared.changedAt <= this.#readAt) {
      this.#unsaid = block;
      return null;
    }
    this.#readAt = block.position;
    const reading = shared.readAt(block, since, followed, this);
    if (reading.kind === 'reading') return this.#say(reading);
    this.#pending = reading;
    return null;
  }

  #say(reading: Reading<Value>): Reading<Value> {
    this.#end = reading.end;
    return this.#note(reading);
  }

  /** How far it has come, where it is time to say so; else it is looked at again then. */
  #tellReached(): Reading<Value> | null {
    const { progressMs } = this.#following;
    const block = this.#unsaid;
    if (block === null || progressMs === null) return null;
    const left = this.#saidAt + progressMs - performance.now();
    if (left <= 0) return this.#note(reachedAt(block));
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.onBlocks(), left);
    return null;
  }

  #note(said: Reading<Value>): Reading<Value> {
    this.#unsaid = null;
    if (this.#following.progressMs !== null) {
      clearTimeout(this.#pause);
      this.#saidAt = performance.now();
    }
    return said;
  }

  #letGo(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#made = null;
    this.#failure = null;
    clearTimeout(this.#pause);
    this.#leavePending();
    this.#following.shared.leave(this);
  }

  #leavePending(): void {
    this.#pending?.leave();
    this.#pending = null;
  }
}

const reached = new WeakMap<FeedBlock, Reading<never>>();

/** The same of a block for all: it has no value, and what is made of it is made once for each operation. */
function reachedAt(block: FeedBlock): Reading<never> {
  const known = reached.get(block);
  if (known !== undefined) return known;
  const { position } = block;
  const made: Reading<never> = { kind: 'reading', block, position, value: null, lengths: {}, end: null };
  reached.set(block, made);
  return made;
}
