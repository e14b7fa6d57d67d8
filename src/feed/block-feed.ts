import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { findLatestBlock, readBlocksAfter } from '../data/blocks.ts';
import type { Change } from '../data/change-logs.ts';
import type { Block, PrismaClient } from '../data/generated/prisma/client.ts';
import { listenForBlocks } from '../data/listener.ts';
import { type FeedBlock, NO_BLOCK } from './events.ts';
import type { AnyHub } from './hub.ts';

/** How many blocks, and how many changes of a noun, are read at once. */
const BLOCKS_AT_ONCE = 64;
const CHANGES_AT_ONCE = 100_000;
/** A block holds no more events than this. */
const MOST_CHANGES = 2 ** 20;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

export interface BlockFeedOptions {
  readonly prisma: PrismaClient;
  readonly databaseUrl: string;
  readonly hubs: readonly AnyHub[];
  readonly logger: Logger;
  /** How often to look for blocks unasked, in case a wake-up was lost. */
  readonly pollMs: number;
}

/**
 * Follows the blocks of the database: woken by the writer, reading on from its position, so that a wake-up that is
 * lost costs time only. Each block is handed to the hubs that have readers. An idle feed reads nothing but its poll.
 */
export class BlockFeed {
  readonly #options: BlockFeedOptions;
  readonly #closing = new AbortController();
  #latest: FeedBlock;
  #isWanted = false;
  #reading: Promise<void> | null = null;

  private constructor(options: BlockFeedOptions, latest: FeedBlock) {
    this.#options = options;
    this.#latest = latest;
  }

  /** Starts at the newest block of the database. Whoever starts it closes it. */
  static async start(options: BlockFeedOptions): Promise<BlockFeed> {
    const block = await findLatestBlock(options.prisma);
    const feed = new BlockFeed(options, block === null ? NO_BLOCK : toFeedBlock(block));
    feed.#watch();
    return feed;
  }

  /** The newest block that was handed on; what is read from the database is never older. */
  get latest(): FeedBlock {
    return this.#latest;
  }

  /** Looks for new blocks now. */
  wake(): void {
    this.#isWanted = true;
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = null;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#closed;
    await this.#reading;
  }

  #closed: Promise<void> = Promise.resolve();

  #watch(): void {
    const { databaseUrl, logger, pollMs } = this.#options;
    const listener = listenForBlocks(
      databaseUrl,
      () => this.wake(),
      (err) => logger.warn({ err }, 'lost the notifications of new blocks; reconnecting'),
    );
    const poll = setInterval(() => this.wake(), pollMs);
    this.#closed = new Promise((resolve) => {
      this.#closing.signal.addEventListener('abort', () => {
        clearInterval(poll);
        resolve(listener.close());
      });
    });
  }

  async #readOn(): Promise<void> {
    let retry = FIRST_RETRY_MS;
    while (this.#isWanted && !this.#closing.signal.aborted) {
      this.#isWanted = false;
      try {
        while (await this.#readBatch(BLOCKS_AT_ONCE)) retry = FIRST_RETRY_MS;
      } catch (err) {
        if (this.#closing.signal.aborted) return;
        this.#options.logger.warn({ err }, 'cannot read new blocks; trying again');
        this.#isWanted = true;
        await sleep(retry, undefined, { signal: this.#closing.signal }).catch(() => undefined);
        retry = Math.min(retry * 2, LAST_RETRY_MS);
      }
    }
  }

  /** Reads and hands on the next blocks; false when there were none. */
  async #readBatch(atMost: number): Promise<boolean> {
    const { prisma } = this.#options;
    const after = this.#latest.position;
    const blocks = (await readBlocksAfter(prisma, after, atMost)).map(toFeedBlock);
    const last = blocks.at(-1);
    if (last === undefined || this.#closing.signal.aborted) return false;
    const limit = blocks.length === 1 ? MOST_CHANGES : CHANGES_AT_ONCE;
    const range = { after, upTo: last.position, limit };
    const changes = new Map<AnyHub, readonly Change<unknown>[]>();
    // A reader may join a hub while another is being read; from here to the end of this function none can.
    for (let hub = this.#unread(changes); hub !== undefined; hub = this.#unread(changes)) {
      const read = await hub.topic.log.readChanges(prisma, hub.topic.everything, range);
      if (read.length >= CHANGES_AT_ONCE && blocks.length > 1) return this.#readBatch(Math.ceil(atMost / 2));
      changes.set(hub, read);
    }
    this.#handOn(blocks, changes);
    return true;
  }

  #unread(changes: ReadonlyMap<AnyHub, unknown>): AnyHub | undefined {
    return this.#options.hubs.find((hub) => hub.hasReaders && !changes.has(hub));
  }

  #handOn(blocks: readonly FeedBlock[], changes: ReadonlyMap<AnyHub, readonly Change<unknown>[]>): void {
    const starts = new Map<AnyHub, number>();
    for (const block of blocks) {
      for (const [hub, all] of changes) {
        const start = starts.get(hub) ?? 0;
        let end = start;
        while (end < all.length && (all[end]?.position ?? 0n) <= block.position) end += 1;
        starts.set(hub, end);
        if (end > start) hub.publish(block, all.slice(start, end));
      }
      this.#latest = block;
    }
  }
}

function toFeedBlock({ height, timestamp, hash, lastPosition }: Block): FeedBlock {
  return { height, timestamp, hash, position: lastPosition };
}
