import type { CacheTag } from '../cache/cache-tags.ts';
import type { Semaphore } from '../data/servers/semaphore.ts';
import type { FeedBlock } from './events.ts';
import type { Followed, Reading } from './followed.ts';
import { readWithRetry } from './retry.ts';

interface SharedOptions {
  readonly dependsOn: readonly CacheTag[];
  /** The tags of what a block changed, where they are known. */
  readonly tagsOf: (block: FeedBlock) => readonly CacheTag[] | undefined;
  readonly reads: Semaphore;
  /** Called when nobody is left. */
  readonly onEmpty: () => void;
}

/** Who waits for a reading. */
export interface Waiter<Value> {
  /** Blocks have come. */
  onBlocks(): void;
  onReading(reading: Reading<Value>): void;
  onFailure(error: unknown): void;
}

/** What was found of a block, for all who come to it. */
interface OfBlock<Value> {
  readonly isChanged: boolean;
  /** By the time since when what is new was read; who waits for it while it is. */
  readonly readings: Map<bigint, Reading<Value> | Waiter<Value>[]>;
}

/** A reading is for all who share it, and so none of them ends it. */
const NEVER = new AbortController().signal;

/** What equal streams share: of each block whether it changed anything, and what is read as of it. */
export class SharedReadings<Value> {
  readonly #options: SharedOptions;
  readonly #concerns: ReadonlySet<CacheTag>;
  readonly #ofBlocks = new WeakMap<FeedBlock, OfBlock<Value>>();
  #streams = 0;
  /** To whom blocks have come. */
  #told: Waiter<Value>[] = [];

  constructor(options: SharedOptions) {
    this.#options = options;
    this.#concerns = new Set(options.dependsOn);
  }

  join(): void {
    this.#streams += 1;
  }

  leave(): void {
    this.#streams -= 1;
    if (this.#streams === 0) this.#options.onEmpty();
  }

  /** Tells a stream of blocks when all that come now have come, and what they changed is known: they are read as one. */
  onBlocks(stream: Waiter<Value>): void {
    this.#told.push(stream);
    if (this.#told.length > 1) return;
    queueMicrotask(() => {
      const told = this.#told;
      this.#told = [];
      for (const one of told) one.onBlocks();
    });
  }

  /** Whether a block may have changed it; where nobody knows what it changed it may. */
  isChangedBy(block: FeedBlock): boolean {
    return this.#of(block).isChanged;
  }

  /** What is new as of a block since a time; null while it is read, of which who waits is told. */
  readAt(
    block: FeedBlock,
    since: bigint,
    followed: Followed<Value>,
    waiter: Waiter<Value>,
  ): Reading<Value> | null {
    const { readings } = this.#of(block);
    const known = readings.get(since);
    if (known !== undefined && !Array.isArray(known)) return known;
    if (known !== undefined) {
      known.push(waiter);
      return null;
    }
    // One promise for all of them: one each would cost a third of what a message does.
    const waiting = [waiter];
    readings.set(since, waiting);
    this.#read(block, since, followed).then(
      (made) => {
        readings.set(since, made);
        for (const one of waiting) one.onReading(made);
      },
      (error) => {
        readings.delete(since);
        for (const one of waiting) one.onFailure(error);
      },
    );
    return null;
  }

  #of(block: FeedBlock): OfBlock<Value> {
    const known = this.#ofBlocks.get(block);
    if (known !== undefined) return known;
    const tags = this.#options.tagsOf(block);
    const isChanged = tags === undefined || tags.some((tag) => this.#concerns.has(tag));
    const found = { isChanged, readings: new Map() };
    this.#ofBlocks.set(block, found);
    return found;
  }

  async #read(block: FeedBlock, since: bigint, followed: Followed<Value>): Promise<Reading<Value>> {
    const { reads } = this.#options;
    const value = await readWithRetry({ reads, signal: NEVER }, () => followed.read(block, since));
    return { kind: 'reading', block, position: block.position, value, end: followed.endOf(value) };
  }
}
