import type { CacheTag } from '../cache/cache-tags.ts';
import type { Semaphore } from '../data/servers/semaphore.ts';
import type { Readable, Reader } from '../readable.ts';
import type { FeedBlock } from './events.ts';
import type { Followed, Reading } from './followed.ts';
import { readWithRetry } from './retry.ts';

/** Within which streams read from the database. */
export interface FeedReads {
  /** Snapshots, what was missed, and what is followed. */
  readonly all: Semaphore;
  /** Of these, what is followed: a block may need hundreds of readings at once, and no snapshot waits behind them. */
  readonly followed: Semaphore;
}

interface SharedOptions {
  readonly dependsOn: readonly CacheTag[];
  /** The tags of what a block changed, where they are known. */
  readonly tagsOf: (block: FeedBlock) => readonly CacheTag[] | undefined;
  readonly reads: FeedReads;
  /** The stream of all blocks from now on, which is let go with the last who follows. */
  readonly blocks: Readable<{ readonly block: FeedBlock }>;
  /** The newest block that the feed has published. */
  readonly latest: () => FeedBlock;
  /** Called once: when nobody is left, or the stream of blocks has failed. */
  readonly onOver: () => void;
}

/** Who follows. */
export interface Follower<Value> {
  /** Blocks have come. */
  onBlocks(): void;
  onReading(reading: Reading<Value>): void;
  onFailure(error: unknown): void;
}

/** What is being read, for all who wait for it: the last of them to leave ends it. */
export class PendingReading<Value> {
  readonly kind = 'pending';
  readonly waiting: Follower<Value>[] = [];
  readonly #leaving = new AbortController();
  #left = 0;

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** To be called once by each who waits. */
  leave(): void {
    this.#left += 1;
    if (this.#left === this.waiting.length) this.#leaving.abort();
  }
}

/** What was read as of a block, by the time since when, or is being read. */
type ReadingsOfBlock<Value> = Map<bigint, Reading<Value> | PendingReading<Value>>;

/**
 * What equal streams share: the stream of blocks, whether any of these changed anything, and what is read as of them. The first whom
 * a block wakes has it read, and the others are woken when that is there: so a block costs each of them little more than a look.
 */
export class SharedReadings<Value> implements Reader {
  readonly #options: SharedOptions;
  readonly #concerns: ReadonlySet<CacheTag>;
  readonly #ofBlocks = new WeakMap<FeedBlock, ReadingsOfBlock<Value>>();
  readonly #followers = new Set<Follower<Value>>();
  /** The last block that has come, and the last that all are woken of. */
  #taken: FeedBlock | null = null;
  #last: FeedBlock | null = null;
  /** Who is still to be woken of it; null while nobody is. */
  #waking: Iterable<Follower<Value>> | null = null;
  /** Whether they wait for what is read: for the first reading of a block alone. */
  #wait: 'none yet' | 'under way' | 'over' = 'over';
  #isTaking = false;
  #isOver = false;
  /** The position of the last block that may have changed anything. */
  changedAt = -1n;

  constructor(options: SharedOptions) {
    this.#options = options;
    this.#concerns = new Set(options.dependsOn);
    options.blocks.reader = this;
    this.onReadable();
  }

  /** How many follow. */
  get size(): number {
    return this.#followers.size;
  }

  join(follower: Follower<Value>): void {
    this.#followers.add(follower);
  }

  leave(follower: Follower<Value>): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0 || this.#isOver) return;
    this.#end();
    void this.#options.blocks.return();
  }

  /** The newest block, for who begins; for others the last that has come. */
  newest(isBegun: boolean): FeedBlock | null {
    const latest = this.#options.latest();
    // The same block is the same object to all: that of the feed.
    return isBegun && this.#last?.position !== latest.position ? this.#last : latest;
  }

  /** All that come now are taken together, once it is known what they changed. */
  onReadable(): void {
    if (this.#isTaking) return;
    this.#isTaking = true;
    queueMicrotask(() => {
      this.#isTaking = false;
      if (!this.#isOver) this.#take();
    });
  }

  /** What is new as of a block since a time, or what is being read, of which who waits is told. */
  readAt(
    block: FeedBlock,
    since: bigint,
    followed: Followed<Value>,
    follower: Follower<Value>,
  ): Reading<Value> | PendingReading<Value> {
    const readings = this.#of(block);
    const known = readings.get(since);
    if (known?.kind === 'reading') return known;
    if (known !== undefined && !known.signal.aborted) {
      known.waiting.push(follower);
      return known;
    }
    // One promise for all of them: one each would cost a third of what a message does.
    const pending = new PendingReading<Value>();
    pending.waiting.push(follower);
    readings.set(since, pending);
    const goOn = this.#hold();
    this.#read(block, since, followed, pending.signal)
      .then(
        (made) => {
          readings.set(since, made);
          for (const one of pending.waiting) one.onReading(made);
        },
        (error) => {
          // Who came after all had left has it read again.
          if (readings.get(since) === pending) readings.delete(since);
          for (const one of pending.waiting) one.onFailure(error);
        },
      )
      .finally(goOn);
    return pending;
  }

  #take(): void {
    const { blocks } = this.#options;
    try {
      for (let next = blocks.read(); next !== null; next = blocks.read()) {
        this.#taken = next.block;
        if (this.#isChangedBy(next.block)) this.changedAt = next.block.position;
      }
    } catch (error) {
      this.#end();
      for (const one of this.#followers) one.onFailure(error);
      return;
    }
    this.#wakeAll();
  }

  /** Wakes all of what has come, unless they still are of what came before. */
  #wakeAll(): void {
    if (this.#waking !== null || this.#last === this.#taken) return;
    this.#last = this.#taken;
    this.#waking = this.#followers.values();
    this.#wait = 'none yet';
    this.#wake();
  }

  /** Wakes who is left, up to the first who has something read. */
  #wake(): void {
    for (const one of this.#waking ?? []) {
      one.onBlocks();
      if (this.#wait === 'under way') return;
    }
    this.#waking = null;
    this.#wakeAll();
  }

  /** Has who is still to be woken wait. The result wakes them. */
  #hold(): () => void {
    if (this.#waking === null || this.#wait !== 'none yet') return () => {};
    this.#wait = 'under way';
    return () => {
      this.#wait = 'over';
      this.#wake();
    };
  }

  #end(): void {
    this.#isOver = true;
    this.#options.onOver();
  }

  /** Where nobody knows what a block changed it may have changed anything. */
  #isChangedBy(block: FeedBlock): boolean {
    const tags = this.#options.tagsOf(block);
    return tags === undefined || tags.some((tag) => this.#concerns.has(tag));
  }

  #of(block: FeedBlock): ReadingsOfBlock<Value> {
    const known = this.#ofBlocks.get(block);
    if (known !== undefined) return known;
    const found: ReadingsOfBlock<Value> = new Map();
    this.#ofBlocks.set(block, found);
    return found;
  }

  async #read(
    block: FeedBlock,
    since: bigint,
    followed: Followed<Value>,
    signal: AbortSignal,
  ): Promise<Reading<Value>> {
    const { reads } = this.#options;
    const read = () => reads.all.run(() => followed.read(block, since, signal), signal);
    const value = await readWithRetry({ reads: reads.followed, signal }, read);
    const [end, lengths] = [followed.endOf(value), followed.lengthsOf(value)];
    return { kind: 'reading', block, position: block.position, value, lengths, end };
  }
}
