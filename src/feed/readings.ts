import type { CacheTag } from '../cache/cache-tags.ts';
import type { Semaphore } from '../data/servers/semaphore.ts';
import { nextOf, ReadableIterator } from '../readable.ts';
import type { FeedBlock, StreamEvent } from './events.ts';
import { NO_BLOCK } from './events.ts';
import { readWithRetry } from './retry.ts';
import type { ChangeStream } from './stream.ts';
import type { blockTopic } from './topics.ts';

/** What is followed by being read again, as of each block that may have changed it: a series. */
export interface Followed<Value> {
  /** The name that the cursors of its stream carry. */
  readonly name: string;
  /** Equal ones have equal keys. */
  readonly key: string;
  /** What may change it, besides the time. */
  readonly dependsOn: readonly CacheTag[];
  /** From when on it is wanted, in nanoseconds, without a cursor; null begins with what is under way. */
  readonly from: bigint | null;
  /** Reads what is new at a block since a time: all that was not over then. */
  readonly read: (at: FeedBlock, since: bigint) => Promise<Value>;
  /** When what is under way is over, in nanoseconds; null where nothing is. */
  readonly endOf: (value: Value) => bigint | null;
}

/** A message of what is followed: what changed up to a block. Null says only how far the stream has come. */
export interface Reading<Value> {
  readonly kind: 'reading';
  readonly block: FeedBlock;
  readonly position: bigint;
  readonly value: Value | null;
}

type BlockStream = ChangeStream<Parameters<typeof blockTopic.valuesOf>[0], object>;

interface Following<Value> {
  readonly followed: Followed<Value>;
  /** Up to where and when all was told, as a cursor says; null without one. */
  readonly after: { readonly position: bigint; readonly time: bigint } | null;
  readonly blocks: BlockStream;
  readonly progressMs: number | null;
  /** The tags of what a block changed, where they are known. */
  readonly tagsOf: (block: FeedBlock) => readonly CacheTag[] | undefined;
  readonly latest: () => FeedBlock;
  readonly reads: Semaphore;
}

/**
 * Follows what is read as of blocks: first what came since the cursor, then what each block changed. Blocks that came while one was
 * read are read together, so nothing is lost and a reader that is behind catches up. Only what a block may have changed is
 * read, once for all who follow the same.
 */
export class ReadingStream<Value> extends ReadableIterator<Reading<Value>> {
  readonly #blocks: BlockStream;

  constructor(following: Following<Value>) {
    super(tell(following));
    this.#blocks = following.blocks;
  }

  /** What waits for a block waits no more. */
  override async return(): Promise<void> {
    await this.#blocks.return();
    await super.return();
  }

  [Symbol.asyncIterator](): AsyncIterator<Reading<Value>, undefined> {
    return { next: () => nextOf(this) };
  }
}

async function* tell<Value>(following: Following<Value>): AsyncGenerator<Reading<Value>, void> {
  const { followed, blocks, progressMs } = following;
  const concerns = new Set(followed.dependsOn);
  let [told, end, saidAt] = [following.after?.time ?? followed.from, null as bigint | null, 0];
  /** The last block, where nothing was said of it yet. */
  let unsaid: FeedBlock | null = null;
  for await (const event of withPauses(blocks, () => unsaid && progressMs && saidAt + progressMs)) {
    const came = event === null ? [] : [event, ...whatWaits(blocks)].map(({ block }) => block);
    const block = nameBlock(came.at(-1) ?? unsaid ?? NO_BLOCK, following.latest());
    if (block.position === NO_BLOCK.position) {
      yield reachedAt(block);
      // What comes is new from its begin on.
      told ??= 0n;
      continue;
    }
    // The gateway that gave the cursor was a little ahead.
    if (block.position < (following.after?.position ?? 0n)) continue;
    const isFirst = saidAt === 0;
    const isChanged = came.some((one) => {
      const tags = following.tagsOf(one);
      return tags === undefined || tags.some((tag) => concerns.has(tag));
    });
    unsaid = null;
    if (isFirst || isChanged || (end !== null && block.timestamp >= end)) {
      const reading = await readOnce(following, block, told ?? block.timestamp);
      if (reading.value !== null) end = followed.endOf(reading.value);
      yield reading;
      saidAt = performance.now();
    } else if (progressMs !== null && performance.now() - saidAt >= progressMs) {
      yield reachedAt(block);
      saidAt = performance.now();
    } else unsaid = block;
    told = block.timestamp;
  }
}

function reachedAt<Value>(block: FeedBlock): Reading<Value> {
  return { kind: 'reading', block, position: block.position, value: null };
}

/** All blocks, and null when none came until a time that `pauseAt` gives, if it does. */
async function* withPauses(
  blocks: BlockStream,
  pauseAt: () => number | null,
): AsyncGenerator<StreamEvent<unknown> | null, void> {
  try {
    while (true) {
      const event = blocks.read();
      if (event !== null) yield event;
      else if (blocks.isOver) return;
      else if (await isPause(blocks, pauseAt())) yield null;
    }
  } finally {
    await blocks.return();
  }
}

/** Waits until there may be something to read, or until a time; gives whether it is that time. */
function isPause(blocks: BlockStream, time: number | null): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = time === null ? undefined : setTimeout(() => resolve(true), time - performance.now());
    blocks.reader = {
      onReadable() {
        clearTimeout(timer);
        resolve(false);
      },
    };
  });
}

function whatWaits(blocks: BlockStream): readonly StreamEvent<unknown>[] {
  const waiting: StreamEvent<unknown>[] = [];
  for (let next = blocks.read(); next !== null; next = blocks.read()) waiting.push(next);
  return waiting;
}

/** The same block is the same object to all: that of the feed. */
function nameBlock(block: FeedBlock, latest: FeedBlock): FeedBlock {
  return block.position === latest.position ? latest : block;
}

const readings = new WeakMap<FeedBlock, Map<string, Promise<Reading<unknown>>>>();
/** A reading is for all who share it, and so none of them ends it. */
const NEVER = new AbortController().signal;

function readOnce<Value>(
  { followed, reads }: Following<Value>,
  block: FeedBlock,
  since: bigint,
): Promise<Reading<Value>> {
  const ofBlock = readings.get(block) ?? new Map<string, Promise<Reading<unknown>>>();
  readings.set(block, ofBlock);
  const key = `${followed.name} ${since} ${followed.key}`;
  const known = ofBlock.get(key) ?? read();
  ofBlock.set(key, known);
  return known as Promise<Reading<Value>>;

  async function read(): Promise<Reading<Value>> {
    const value = await readWithRetry({ reads, signal: NEVER }, () => followed.read(block, since));
    return { kind: 'reading', block, position: block.position, value };
  }
}
