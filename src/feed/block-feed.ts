import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import type { CacheTag } from '../cache/cache-tags.ts';
import type { Change, ChangePage, Range } from '../data/history/change-pages.ts';
import {
  findHistoryStart,
  findLatestBlock,
  readTaggedBlocksAfter,
  type TaggedBlock,
} from '../data/queries/blocks.ts';
import type { BlockNews, Reading } from '../data/servers/reading.ts';
import type { Statements } from '../data/servers/statements.ts';
import { isUnavailable, tookTooLong } from '../data/servers/unavailable.ts';
import { positionsOf } from '../domain/positions.ts';
import { Bite } from './bite.ts';
import { type BlockAsker, BlockWaiters } from './block-waiters.ts';
import { type FeedBlock, fromBlock, NO_BLOCK } from './events.ts';
import type { AnyHub } from './hub.ts';
import { readWholeBlocks } from './whole-blocks.ts';

/** How many blocks, and how many changes of a noun, are read at once; a block that has more is read in parts. */
const BLOCKS_AT_ONCE = 64;
const CHANGES_AT_ONCE = 20_000;
const CLOSE_LIMIT_MS = 5_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/**
 * How often a server is asked for a block that it is to repeat, or for any where nobody tells of them: after a sixteenth of
 * the time since the last one, within these. So the delay is small beside the time between blocks, and the cost too.
 */
const ASK = { part: 16, leastMs: 2, mostMs: 160 } as const;
/** How long a block that was told of is awaited so. */
const AWAIT_LIMIT_MS = 60_000;

export interface BlockFeedOptions {
  readonly statements: Statements;
  /** Tells of new blocks, and how they become known. */
  readonly watch: Reading['watch'];
  /** Those that there are by now. */
  readonly hubs: () => readonly AnyHub[];
  readonly logger: Logger;
  /** How often to look for blocks that nobody told of, in case a wake-up was lost. */
  readonly pollMs: number;
}

/** Is told of each block, before anybody sees it as the latest, and of what it changed; null where that is not known. */
export type BlockObserver = (block: FeedBlock, cacheTags: readonly CacheTag[] | null) => void;

/**
 * Follows the blocks of the database: woken by the writer, reading on from its position, so that a wake-up that is
 * lost costs time only. Each block is published to the hubs that have readers. An idle feed reads nothing but its poll,
 * which is a short one where a replica is read that nobody tells of, or that has yet to repeat the block that was told.
 */
export class BlockFeed {
  readonly #options: BlockFeedOptions;
  readonly #closing = new AbortController();
  #latest: FeedBlock;
  readonly #observers: BlockObserver[] = [];
  readonly #waiters = new BlockWaiters();
  #isWanted = false;
  #news: BlockNews = 'none';
  /** How often that has changed. */
  #changes = 0;
  /** The newest block that was told of. */
  #told = 0n;
  /** When a block was told of, or read, last. */
  #lastNews = performance.now();
  #poll: NodeJS.Timeout | null = null;
  #isFollowing = false;
  readonly #bite = new Bite(BLOCKS_AT_ONCE);
  #reading: Promise<void> | null = null;

  private constructor(options: BlockFeedOptions, latest: FeedBlock) {
    this.#options = options;
    this.#latest = latest;
  }

  /** Starts at the newest block of the database. Whoever starts it closes it. */
  static async start(options: BlockFeedOptions): Promise<BlockFeed> {
    const block = await findLatestBlock(options.statements);
    const feed = new BlockFeed(options, block === null ? NO_BLOCK : fromBlock(block));
    feed.#watch();
    return feed;
  }

  /** The newest block that was published; what is read from the database is never older. */
  get latest(): FeedBlock {
    return this.#latest;
  }

  /** Whether a block is published as soon as it is there: we are told of it, and have read all from before that. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Tells of every block from now on. */
  onBlock(observer: BlockObserver): void {
    this.#observers.push(observer);
  }

  /** Waits until a block is published, for so long; resolves with whether it was. */
  reach(height: bigint, limitMs: number, asker?: BlockAsker): Promise<boolean> {
    return this.reachPosition(positionsOf(height).first, limitMs, asker);
  }

  /** Waits until all up to a position is published: a height that began again is published part by part. */
  async reachPosition(position: bigint, limitMs: number, asker?: BlockAsker): Promise<boolean> {
    return position <= this.#latest.position || this.#waiters.wait(position, limitMs, asker);
  }

  /** Looks for new blocks now. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#closing.signal.aborted) this.#reading ??= this.#readOn();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#waiters.close();
    await this.#closed;
    // A database that does not answer is not waited for.
    await Promise.race([this.#reading, sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  #closed: Promise<void> = Promise.resolve();

  #watch(): void {
    const { watch, logger } = this.#options;
    const watching = watch({
      onBlock: (height) => {
        if (height !== null && height > this.#told) {
          this.#told = height;
          this.#lastNews = performance.now();
        }
        this.wake();
      },
      onNews: (news, err) => {
        if (err !== undefined) logger.warn({ err }, 'lost the notifications of new blocks; reconnecting');
        if (news === this.#news) return;
        this.#news = news;
        this.#changes += 1;
        if (news === 'none') this.#isFollowing = false;
        else this.wake();
      },
    });
    this.#schedulePoll();
    this.#closed = new Promise((resolve) => {
      this.#closing.signal.addEventListener('abort', () => {
        if (this.#poll !== null) clearTimeout(this.#poll);
        resolve(watching.close());
      });
    });
  }

  #schedulePoll(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#poll !== null) clearTimeout(this.#poll);
    this.#poll = setTimeout(() => {
      this.#poll = null;
      this.wake();
    }, this.#pollMs);
  }

  get #pollMs(): number {
    const { pollMs } = this.#options;
    const since = performance.now() - this.#lastNews;
    const isAwaited = this.#told > this.#latest.height && since < AWAIT_LIMIT_MS;
    if (this.#news === 'none' || (this.#news === 'told' && !isAwaited)) return pollMs;
    return Math.min(pollMs, Math.max(ASK.leastMs, Math.min(since / ASK.part, ASK.mostMs)));
  }

  async #readOn(): Promise<void> {
    const { signal } = this.#closing;
    const backoff = new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: LAST_RETRY_MS, signal });
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      const news = this.#news;
      const changes = this.#changes;
      try {
        for (let isMore = true; isMore; backoff.reset())
          isMore = await this.#bite.take((most) => this.#readBatch(most));
        this.#isFollowing = news !== 'none' && changes === this.#changes;
      } catch (err) {
        this.#isFollowing = false;
        if (signal.aborted) return;
        this.#options.logger.warn({ err }, 'cannot read new blocks; trying again');
        this.#isWanted = true;
        await backoff.wait();
      }
    }
    // Nothing happens between the last look at what is wanted and this: no wake-up falls between.
    this.#reading = null;
    this.#schedulePoll();
  }

  /** Reads and publishes the next blocks, at most so many; resolves with whether there are known to be more. */
  async #readBatch(most: number): Promise<boolean> {
    const { statements } = this.#options;
    const after = this.#latest.position || (await this.#findBeginning());
    const found = await readTaggedBlocksAfter(statements, after, most);
    const blocks = found.map(toPublishable);
    const last = blocks.at(-1)?.block;
    if (last === undefined || this.#closing.signal.aborted) return false;
    const limit = Math.ceil((CHANGES_AT_ONCE * most) / BLOCKS_AT_ONCE);
    let upTo = last.position;
    const read = new Map<AnyHub, readonly Change<unknown>[] | null>();
    // A reader may join a hub while another is being read; from here to the end of this function none can.
    for (let hub = this.#unread(read); hub !== undefined; hub = this.#unread(read)) {
      const page = await this.#readHub(hub, { after, upTo, limit });
      // After a long absence some changes may be gone. Each reader finds out whether it is concerned.
      const isWhole = page !== null && (await findHistoryStart(statements)) <= after;
      read.set(hub, isWhole ? page.changes : null);
      if (isWhole) upTo = page.reached;
    }
    if (this.#closing.signal.aborted) return false;
    const unread = [...read].flatMap(([hub, changes]) => (changes === null ? [hub] : []));
    // Before, so that none takes a block for told; and after it for those who have joined again at once, behind the last block.
    for (const hub of unread) hub.interrupt();
    this.#publish(
      blocks.filter(({ block }) => block.position <= upTo),
      read,
    );
    for (const hub of unread) hub.interrupt();
    return upTo < last.position || blocks.length === most;
  }

  /** Where to begin in a database that was empty: a base brings millions of blocks whose changes it does not tell, and then one whose state it has. */
  async #findBeginning(): Promise<bigint> {
    const start = await findHistoryStart(this.#options.statements);
    return start === 0n ? 0n : start - 1n;
  }

  /** What changed; null where only that cannot be read, as rows that are still to come: who follows it is to find out, and nobody else waits. */
  async #readHub({ topic: { log } }: AnyHub, range: Range): Promise<ChangePage<unknown> | null> {
    const { statements, logger } = this.#options;
    try {
      return await readWholeBlocks<unknown>((part) => log.readChanges(statements, {}, part), range);
    } catch (err) {
      if (isUnavailable(err) && !(tookTooLong(err) && this.#bite.isLeast)) throw err;
      logger.warn({ err, topic: log.name }, 'cannot read what changed; who follows it reads it for itself');
      return null;
    }
  }

  #unread(changes: ReadonlyMap<AnyHub, unknown>): AnyHub | undefined {
    return this.#options.hubs().find((hub) => hub.hasReaders && !changes.has(hub));
  }

  #publish(
    blocks: readonly PublishableBlock[],
    changes: ReadonlyMap<AnyHub, readonly Change<unknown>[] | null>,
  ): void {
    const starts = new Map<AnyHub, number>();
    for (const { block, cacheTags } of blocks) {
      for (const [hub, all] of changes) {
        if (all === null) continue;
        const start = starts.get(hub) ?? 0;
        let end = start;
        while (end < all.length && (all[end]?.position ?? 0n) <= block.position) end += 1;
        starts.set(hub, end);
        if (end > start) hub.publish(block, all.slice(start, end));
      }
      for (const observe of this.#observers) observe(block, cacheTags);
      this.#latest = block;
    }
    this.#lastNews = performance.now();
    this.#waiters.reach(this.#latest.position);
  }
}

interface PublishableBlock {
  readonly block: FeedBlock;
  readonly cacheTags: TaggedBlock['cacheTags'];
}

function toPublishable({ block, cacheTags }: TaggedBlock): PublishableBlock {
  return { block: fromBlock(block), cacheTags };
}
