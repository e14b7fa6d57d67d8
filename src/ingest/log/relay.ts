import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import { heightOf } from '../../domain/positions.ts';
import { IngestError } from '../events.ts';
import { type BlockLog, type LogEnd, NotStoredError } from './block-log.ts';
import { BlockQueue } from './block-queue.ts';
import type { BlockFeed } from './feed.ts';
import type { RelayCounts } from './relay-counts.ts';
import type { SentBlock } from './sent-blocks.ts';
import { standingBehind } from './standing.ts';

export interface RelayOptions {
  readonly feed: BlockFeed;
  readonly log: BlockLog;
  readonly counts: RelayCounts;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** How often a relay that does not lead looks for what the log has. */
const LOOK_EVERY_MS = 200;
/** A block that waits this long, or half as long again, while the log does not grow, has nobody else to publish it. */
const PATIENCE_MS = 1_000;
const RETRY = { firstMs: 50, limitMs: 500, jitter: true } as const;
/** A log whose last messages were removed looks as one that a server has not all of: for so long it is taken for that. */
const REMOVED_AFTER_MS = 15_000;
const SAY_EVERY_MS = 60_000;

/**
 * Puts the blocks of a feed into a log behind those that it has, until the feed ends or the signal is aborted.
 *
 * Any number of relays may do so at once: each message names the one that it must follow, so that the log takes one of them
 * and refuses the others. Nobody holds a lease, so that no clock and no pause can break it. To spare the log what it would
 * refuse, a relay publishes only while it is the one whose blocks are taken; the others follow the log, and go on with a block
 * that they have and the log does not get.
 *
 * Throws an IngestError where the feed does, after all blocks before, and where the log holds another block in the place of
 * one of the feed's. Whatever else fails is tried again.
 */
export async function relayBlocks(options: RelayOptions): Promise<void> {
  const { signal } = options;
  const queue = new BlockQueue();
  const stop = new AbortController();
  const taking = takeIn(options, queue, AbortSignal.any([signal, stop.signal]));
  try {
    await new Relay(queue, options).run();
  } finally {
    stop.abort();
    await taking;
  }
}

async function takeIn({ feed, counts }: RelayOptions, queue: BlockQueue, signal: AbortSignal): Promise<void> {
  try {
    for await (const block of feed.blocks(signal)) {
      await queue.push(block, signal);
      counts.waiting = queue.length;
    }
    queue.end();
  } catch (error) {
    queue.end(signal.aborted ? null : error);
  }
}

class Relay {
  readonly #queue: BlockQueue;
  readonly #options: RelayOptions;
  readonly #id = randomUUID().slice(0, 8);
  readonly #backoff: Backoff;
  #end: LogEnd = { sequence: 0, chunk: null };
  /** Where the log began when that was looked at first; whether it ever had blocks before, it does not say. */
  #begin: bigint | null = null;
  #refusedSince: number | null = null;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(queue: BlockQueue, options: RelayOptions) {
    this.#queue = queue;
    this.#options = options;
    this.#backoff = new Backoff({ ...RETRY, signal: options.signal });
  }

  async run(): Promise<void> {
    const { counts, logger, signal } = this.#options;
    while (!signal.aborted) {
      if (!(await this.#follow())) return;
      counts.isLeading = true;
      logger.info({ relay: this.#id, after: this.#height() }, 'publishes');
      const isLost = await this.#lead();
      counts.isLeading = false;
      if (isLost) await this.#backoff.wait();
    }
  }

  /** Follows the log until it is this relay's turn to publish; gives false when there is nothing to be done any more. */
  async #follow(): Promise<boolean> {
    const { signal } = this.#options;
    const patience = PATIENCE_MS * (1 + Math.random() / 2);
    let grownAt = performance.now();
    while (!signal.aborted) {
      const before = this.#end.sequence;
      await this.#readEnd();
      if (this.#end.sequence !== before) grownAt = performance.now();
      const next = this.#settleHeld();
      if (next === null) {
        if (this.#queue.isEnded) {
          this.#queue.throwEnd();
          return false;
        }
        await this.#changed();
        continue;
      }
      const isOurs = this.#end.chunk === null || this.#end.chunk.relay === this.#id;
      const waitedMs = performance.now() - Math.max(grownAt, next.since);
      if (!this.#isBehindGap(next.block) && (isOurs || waitedMs >= patience)) return true;
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  /** Publishes one block after the other: until one is not stored, which is told by true, or there is none that can be. */
  async #lead(): Promise<boolean> {
    const { log, signal } = this.#options;
    while (!signal.aborted) {
      const next = this.#settleHeld();
      if (next === null && this.#queue.isEnded) return false;
      if (next === null) {
        await this.#changed();
        continue;
      }
      if (this.#standingOf(next.block) !== 'next') return false;
      try {
        this.#end = await log.publish(next.block, this.#end.sequence, this.#id);
      } catch (error) {
        await this.#explainLoss(error);
        return true;
      }
      this.#backoff.reset();
      this.#refusedSince = null;
    }
    return false;
  }

  async #explainLoss(error: unknown): Promise<void> {
    const { counts, logger, log } = this.#options;
    if (!(error instanceof NotStoredError)) throw error;
    counts.trouble = error.message;
    counts.refused += 1;
    logger.info(
      { reason: error.message, relay: this.#id },
      'a block was not taken: looks where the log stands',
    );
    this.#refusedSince ??= performance.now();
    if (performance.now() - this.#refusedSince < REMOVED_AFTER_MS) return;
    // Where the log cannot be read, it is tried again.
    await this.#passRemoved(log).catch(() => undefined);
  }

  /** Goes on behind messages that the log has counted and that nobody has any more: they were removed. */
  async #passRemoved(log: BlockLog): Promise<void> {
    const last = await log.lastSequence();
    const { sequence } = await log.readEnd();
    const known = this.#end;
    // What has come meanwhile is read as ever.
    if (sequence > known.sequence) return;
    if (last > known.sequence) this.#end = { sequence: last, chunk: known.chunk };
    // The stream was made anew.
    if (last < known.sequence) this.#end = { sequence: 0, chunk: null };
  }

  /** Reads where the log ends, however long that takes. */
  async #readEnd(): Promise<void> {
    const { log, counts, signal } = this.#options;
    while (!signal.aborted) {
      try {
        const end = await log.readEnd();
        if (end.chunk !== null) this.#begin ??= (await log.findFirst())?.head.first ?? null;
        // What was found out about removed messages holds until there are others.
        if (end.sequence > this.#end.sequence) this.#refusedSince = null;
        if (end.sequence > this.#end.sequence || this.#end.sequence === 0) this.#end = end;
        if (counts.trouble !== null && this.#refusedSince === null) counts.trouble = null;
        counts.newest = this.#end.chunk && { height: heightOf(this.#end.chunk.last) };
        return;
      } catch (error) {
        if (error instanceof IngestError) throw error;
        counts.trouble = (error as Error).message;
        this.#say(
          'warn',
          { reason: counts.trouble, waiting: this.#queue.length },
          'the log cannot be reached',
        );
        await this.#backoff.wait();
      }
    }
  }

  /** Passes over the blocks that the log has; gives the next, or null where none waits. */
  #settleHeld() {
    for (let next = this.#queue.at(0); next; next = this.#queue.at(0)) {
      const { block } = next;
      const standing = this.#standingOf(block);
      if (standing === 'conflict') throw this.#describeConflict(block);
      if (standing !== 'held') return next;
      this.#tellOlder(block);
      this.#settleFirst();
    }
    return null;
  }

  /** Tells once of blocks that are passed over though the log has none so old: it may have dropped them, or never had them. */
  #tellOlder({ first, height }: SentBlock): void {
    if (this.#begin === null || first >= this.#begin) return;
    const { feed, log, logger } = this.#options;
    logger.warn(
      { relay: this.#id, from: height, begin: Number(heightOf(this.#begin)) },
      `passes over what ${feed.name} has from before the first block of the ${log.name}. Where no relay had published it, as behind a purge, regions that lack it take it in from elsewhere`,
    );
    // Once is enough.
    this.#begin = 0n;
  }

  #standingOf(block: SentBlock) {
    const { chunk } = this.#end;
    return chunk !== null && chunk.chainId !== block.chainId ? 'conflict' : standingBehind(chunk, block);
  }

  #settleFirst(): void {
    const { counts, feed } = this.#options;
    const block = this.#queue.shift();
    if (block === undefined) return;
    feed.settle(block);
    counts.settled += 1;
    counts.bytes += block.payload.length;
    const height = BigInt(block.height);
    if (counts.newest === null || counts.newest.height < height) counts.newest = { height };
    counts.trouble = null;
    counts.waiting = this.#queue.length;
  }

  /** Whether the log lacks blocks before this one, which another relay, or the feed when it begins again, may have. */
  #isBehindGap(block: SentBlock): boolean {
    const { counts, feed, logger } = this.#options;
    if (this.#standingOf(block) !== 'gap') return false;
    counts.trouble = `${feed.name} goes on with block ${block.height}, yet the log ends with block ${this.#height()}`;
    const advice =
      'It waits until another relay publishes them, or its source begins again at an earlier block';
    this.#say('error', { relay: this.#id }, `${counts.trouble}: blocks are missing. ${advice}`);
    let left = 0;
    for (let first = this.#queue.at(0); first; first = this.#queue.at(0)) {
      if (this.#standingOf(first.block) !== 'gap' || !feed.leave(first.block)) break;
      this.#queue.shift();
      left += 1;
    }
    if (left > 0)
      logger.warn(
        { relay: this.#id, from: block.height },
        `passes over what ${feed.name} sent before it began again: blocks are missing before it. Should another relay publish these, and not what follows, a restart of this one looks at what it passed over`,
      );
    return true;
  }

  #describeConflict({ chainId, height }: SentBlock): IngestError {
    const { feed, log } = this.#options;
    const other = this.#end.chunk?.chainId;
    const reason =
      other === chainId
        ? `block ${height} of ${feed.name} is not the one that the ${log.name} holds: not the same chain, or another form of it`
        : `${feed.name} is of chain ${chainId}, the ${log.name} of ${other}: a log has one network (--stream names another)`;
    return new IngestError(reason);
  }

  #height(): number | null {
    const { chunk } = this.#end;
    return chunk && Number(heightOf(chunk.last));
  }

  #changed(): Promise<void> {
    return this.#queue.changed(this.#options.signal).catch(() => undefined);
  }

  #say(level: 'warn' | 'error', figures: Readonly<Record<string, unknown>>, message: string): void {
    if (performance.now() - this.#saidAt < SAY_EVERY_MS) return;
    this.#saidAt = performance.now();
    this.#options.logger[level](figures, message);
  }
}
