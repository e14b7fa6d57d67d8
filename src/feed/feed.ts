import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import type { CacheTag } from '../cache/cache-tags.ts';
import type { Block } from '../data/generated/prisma/client.ts';
import type { Positioned } from '../data/noun.ts';
import { findLatestBlock } from '../data/queries/blocks.ts';
import type { Statements } from '../data/servers/statements.ts';
import { max } from '../domain/bigints.ts';
import type { StreamCursor } from '../domain/cursors.ts';
import { GatewayError, unavailable } from '../errors.ts';
import { BlockFeed, type BlockFeedOptions, type BlockObserver } from './block-feed.ts';
import type { BlockAsker } from './block-waiters.ts';
import { type ChangedBlocks, type ChangesRequest, readChangedBlocks } from './changed-blocks.ts';
import { ahead, readCursor, readCursorOfBlock } from './cursors.ts';
import { type FeedBlock, NO_BLOCK, toBlock } from './events.ts';
import type { Followed } from './followed.ts';
import { type AnyHub, Hub } from './hub.ts';
import type { MailboxLimits } from './mailbox.ts';
import { findReached } from './past.ts';
import { ReadingStream } from './readings.ts';
import { type FeedReads, SharedReadings } from './shared-readings.ts';
import { ChangeStream } from './stream.ts';
import { type AnyTopic, blockTopic, type Topic } from './topics.ts';

interface FeedOptions {
  readonly statements: Statements;
  readonly watch: BlockFeedOptions['watch'];
  readonly logger: Logger;
  readonly pollMs: number;
  /** What may wait for one live reader before it is cut. */
  readonly limits: MailboxLimits;
  /** How long a stream is quiet before it says how far it has come, where its reader wants to know. */
  readonly progressMs: number;
  readonly reads: FeedReads;
}

/** Of whatever topic. */
// biome-ignore lint/suspicious/noExplicitAny: only that each has types of its own counts.
type AnyStream = ChangeStream<any, any>;

/** How long a stream's cursor that is ahead is waited for. */
const AHEAD_LIMIT_MS = 2_000;
/** How long an answer that names a block waits for the feed to have published it, and for a server that has it. */
const PUBLISH_LIMIT_MS = 1_000;
const BEHIND_LOOK_MS = 5;

/** What is happening now. One per process; whoever starts it closes it. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #blocks: BlockFeed;
  readonly #hubs: Map<AnyTopic, AnyHub>;
  readonly #streams = new Set<AnyStream>();
  /** Those whose readers want to know how far they have come. */
  readonly #quiet = new Set<AnyStream>();
  /** What equal streams of readings share, while there are any. */
  readonly #readings = new Map<string, SharedReadings<unknown>>();
  readonly #forget = (stream: AnyStream) => {
    this.#streams.delete(stream);
    this.#quiet.delete(stream);
  };
  /** Of blocks that are about to be told of; of others nobody knows what they changed. */
  readonly #tags = new WeakMap<FeedBlock, readonly CacheTag[]>();
  /** Of the last block a stream tells later where it had something to say just before, also when no other block comes. */
  readonly #progress: NodeJS.Timeout;
  /** The newest block of the database, while it is asked for. */
  #newest: Promise<Block | null> | null = null;
  /** Aborted when streams are to end, with why. */
  readonly #ending = new AbortController();

  private constructor(options: FeedOptions, blocks: BlockFeed, hubs: Map<AnyTopic, AnyHub>) {
    this.#options = options;
    this.#blocks = blocks;
    this.#hubs = hubs;
    // As many listen as wait for the database.
    setMaxListeners(0, this.#ending.signal);
    blocks.onBlock((block, cacheTags) => {
      if (cacheTags !== null) this.#tags.set(block, cacheTags);
      const reached = { kind: 'reached', block, position: block.position, rows: [] } as const;
      for (const stream of this.#quiet) stream.onReached(reached);
    });
    this.#progress = setInterval(() => {
      for (const stream of this.#quiet) stream.tellReached();
    }, options.progressMs);
  }

  static async start(options: FeedOptions): Promise<Feed> {
    const hubs = new Map<AnyTopic, AnyHub>();
    const blocks = await BlockFeed.start({ ...options, hubs: () => [...hubs.values()] });
    return new Feed(options, blocks, hubs);
  }

  /** The newest block that the feed has published. The database holds it, and perhaps newer ones. */
  get latest(): FeedBlock {
    return this.#blocks.latest;
  }

  /** Whether `latest` is the newest block there is, but for the moment that a new one takes to be read. */
  get isFollowing(): boolean {
    return this.#blocks.isFollowing;
  }

  /** Tells of every block from now on, before it is the latest, and of what it changed; null where that is not known. */
  onBlock(observer: BlockObserver): void {
    this.#blocks.onBlock(observer);
  }

  /** Waits until a block is the latest, or an older one, for so long; resolves with whether it is. */
  reach(height: bigint, limitMs: number, asker?: BlockAsker): Promise<boolean> {
    return this.#blocks.reach(height, limitMs, asker);
  }

  /**
   * The newest block for an answer to name, given the one that was found. It is published by then, so that nothing the
   * gateway says later, on any transport, is of an older one. Where the feed does not come so far in time, it is the latest
   * that is published: whatever is read from now on is newer. Throws UNAVAILABLE where the block that was found is older than
   * one that was published when it was looked for: the server that has it lacks what was said before.
   */
  async nameNewest(find: () => Promise<Block | null>): Promise<Block | null> {
    const said = this.latest.position;
    const backoff = new Backoff({ firstMs: BEHIND_LOOK_MS, deadlineMs: PUBLISH_LIMIT_MS });
    let found = await find();
    while ((found?.lastPosition ?? 0n) < said) {
      if (!(await backoff.wait())) throw unavailable();
      found = await find();
    }
    if (found === null || (await this.#publish(found))) return found;
    return this.latest === NO_BLOCK ? null : toBlock(this.latest);
  }

  /** The block that was found at a height; null where it is newer than any that is published in time. */
  async nameBlock(found: Block | null): Promise<Block | null> {
    return found !== null && (await this.#publish(found)) ? found : null;
  }

  /** Resolves with whether a block of the database is published; soon, as the feed only has to read it. */
  async #publish({ lastPosition }: Block): Promise<boolean> {
    if (lastPosition <= this.latest.position) return true;
    this.#blocks.wake();
    return this.#blocks.reachPosition(lastPosition, PUBLISH_LIMIT_MS);
  }

  /** Aborted when all streams end. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** How many streams are open. */
  get openStreams(): number {
    // Those that share one of blocks are as many streams.
    return [...this.#readings.values()].reduce((sum, { size }) => sum + size - 1, this.#streams.size);
  }

  /**
   * Opens a stream of a topic: a snapshot and then every change, or every change after a cursor. `stream.ts` says what
   * it promises. With `progress` it says how far it has come when nothing else is to be said. Throws INVALID_ARGUMENT for what cannot be taken, naming `after`, or what the
   * filter was given by.
   */
  async open<Row extends Positioned, Filter>(
    topic: Topic<Row, Filter>,
    filter: Filter,
    after: string | null,
    progress = false,
    givenBy: readonly string[] = ['filter'],
  ): Promise<ChangeStream<Row, Filter>> {
    const hub = this.#hubOf(topic);
    hub.check(filter, givenBy);
    const cursor = after === null ? null : await this.#reachCursor(topic.log.name, after);
    return this.#openStream(hub, filter, cursor, progress);
  }

  #openStream<Row extends Positioned, Filter>(
    hub: Hub<Row, Filter>,
    filter: Filter,
    after: StreamCursor | null,
    progress: boolean,
  ): ChangeStream<Row, Filter> {
    this.#ending.signal.throwIfAborted();
    const { statements, progressMs, reads } = this.#options;
    const source = { statements, feed: this.#blocks, hub, filter, after, reads: reads.all };
    const stream = new ChangeStream(progress ? { ...source, progressMs } : source, this.#forget);
    this.#streams.add(stream);
    if (progress) this.#quiet.add(stream);
    return stream;
  }

  /**
   * Follows what is read as of blocks, from a cursor on or from its begin. With `progress` it says how far it has come when nothing
   * else is to be said. Throws INVALID_ARGUMENT, naming `after`, for a cursor that cannot be taken.
   */
  async follow<Value>(
    followed: Followed<Value>,
    after: string | null,
    progress: boolean,
  ): Promise<ReadingStream<Value>> {
    const { progressMs } = this.#options;
    const cursor = after === null ? null : await this.#reachCursor(followed.name, after);
    const told = cursor && { position: cursor.position, time: await this.#timeAt(cursor) };
    const shared = this.#share(followed);
    return new ReadingStream({ followed, shared, after: told, progressMs: progress ? progressMs : null });
  }

  /** The time of the last block up to a cursor, waited for as what a stream reads while the database is away. */
  async #timeAt({ position }: StreamCursor): Promise<bigint> {
    const { statements, reads } = this.#options;
    const { signal } = this.#ending;
    try {
      return (await findReached({ statements, reads: reads.all }, position, signal)).block.timestamp;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  #share<Value>({ name, key, dependsOn }: Followed<Value>): SharedReadings<Value> {
    const words = `${name} ${key}`;
    const known = this.#readings.get(words);
    // Equal keys are of equal values.
    if (known !== undefined) return known as SharedReadings<Value>;
    const shared = new SharedReadings<Value>({
      ...{ dependsOn, reads: this.#options.reads },
      blocks: this.#openStream(this.#hubOf(blockTopic), {}, null, false),
      latest: () => this.latest,
      tagsOf: (block) => this.#tags.get(block),
      onOver: () => this.#readings.delete(words),
    });
    this.#readings.set(words, shared as SharedReadings<unknown>);
    return shared;
  }

  /**
   * Reads the changes of a topic after a cursor, or from the first that are kept: those of whole blocks, as streams tell them,
   * until there are `most` rows or `upTo` is reached. Throws INVALID_ARGUMENT for a cursor that cannot be taken, and
   * OUT_OF_RANGE for one that the history does not reach back to, or that is ahead: who polls has a place that others wait for.
   */
  async readChanges<Row extends Positioned, Filter>(
    topic: Topic<Row, Filter>,
    filter: Filter,
    { after, ...page }: ChangesRequest,
  ): Promise<ChangedBlocks<Row>> {
    const from = after === null ? null : readCursorOfBlock(topic.log.name, after);
    const { latest } = this;
    if (from !== null && from > max(page.upTo, latest.position))
      throw ahead(latest === NO_BLOCK ? null : latest);
    return readChangedBlocks({ hub: this.#hubOf(topic), filter }, { ...page, from });
  }

  /** Ends every stream with an error that says why; new ones are refused with it. */
  endStreams(reason: GatewayError): void {
    this.#ending.abort(reason);
    for (const stream of this.#streams) stream.fail(this.#ending.signal.reason as GatewayError);
  }

  async close(): Promise<void> {
    clearInterval(this.#progress);
    this.endStreams(
      new GatewayError('UNAVAILABLE', 'The gateway is stopping. Go on from the last cursor elsewhere.'),
    );
    await this.#blocks.close();
  }

  /** One for each topic that was ever followed. */
  #hubOf<Row extends Positioned, Filter>(topic: Topic<Row, Filter>): Hub<Row, Filter> {
    const hub = this.#hubs.get(topic) ?? new Hub(topic, this.#options.limits);
    this.#hubs.set(topic, hub);
    return hub;
  }

  /**
   * Reads a cursor, and waits for its block: the gateway that gave it may be a little ahead of this one, as where this one reads a
   * replica. The feed looks for all who wait.
   */
  async #reachCursor(name: string, text: string): Promise<StreamCursor> {
    const cursor = readCursor(name, text);
    const { position } = cursor;
    if (position <= this.latest.position) return cursor;
    this.#blocks.wake();
    if (await this.#blocks.reachPosition(position, AHEAD_LIMIT_MS, { signal: this.#ending.signal }))
      return cursor;
    this.#ending.signal.throwIfAborted();
    // The feed may have lost the database, or its place.
    const newest = await this.#findNewest();
    if (position > (newest?.lastPosition ?? 0n)) throw ahead(newest);
    return cursor;
  }

  /** Asks once for all who want to know at the same time. */
  #findNewest(): Promise<Block | null> {
    this.#newest ??= findLatestBlock(this.#options.statements).finally(() => {
      this.#newest = null;
    });
    return this.#newest;
  }
}
