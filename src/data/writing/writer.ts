import type pg from 'pg';
import type { CacheTag } from '../../cache/cache-tags.ts';
import { GatewayError } from '../../errors.ts';
import type { Block } from '../generated/prisma/client.ts';
import { Histories } from '../history/histories.ts';
import { ALL_OF_IT, type Retention } from '../history/retention.ts';
import { introduceWriter } from '../migrate.ts';
import { refuseHalfIngested } from '../parts/progress-table.ts';
import { createConnection } from '../servers/connect.ts';
import { AppliedBlocks } from './applied-blocks.ts';
import { type BlockChanges, type BlockStatements, createBlockStatements } from './block-changes.ts';
import { forgottenAfter, tagStatements, tagsOfAll, withTags } from './block-tags.ts';
import { type ChainedBlock, chainBlocks, type NewParties, repeatStatements } from './chained-blocks.ts';
import { readColumnTypes } from './column-types.ts';
import { forgetUnbegun } from './forget-unbegun.ts';
import {
  END_HOLD_UP,
  type Hindrance,
  type HoldUp,
  readHoldUp,
  skippedStatements,
  writeHoldUp,
} from './hold-ups.ts';
import { KnownParties } from './known-parties.ts';
import { notifyOf } from './notify-blocks.ts';
import {
  type BlockNotes,
  type NewBlock,
  NO_NOTES,
  type PreparedBlock,
  prepareBlock,
} from './prepared-block.ts';
import { ReadAhead } from './read-ahead.ts';
import { mendCounts } from './row-counts.ts';
import { statementsOf } from './row-sets.ts';
import { runTogether } from './run-together.ts';
import { boundStop } from './stop-bound.ts';
import { isOfOneBlock, refusalOf, UpkeepError } from './write-faults.ts';
import { takeWriterLock } from './writer-lock.ts';

/** A block is bounded by the network; a statement that takes longer than this hangs. */
const STATEMENT_TIMEOUT_MS = 120_000;
/** Longer than the server's own limit: it is for a server that is not there any more. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/**
 * All that a writer sends finds its rows by their keys. Plans made while the tables are empty would read them whole, and
 * are kept as they grow.
 */
const SETTINGS = 'SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan';

/** The one process that applies blocks to a database. Owns its connection and with it the writer's lock. */
export class Writer implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #stopBound: Disposable;
  /** What is kept of the past, and looked after beside the blocks. */
  readonly histories: Histories;
  readonly #applied: AppliedBlocks;
  readonly #ahead: ReadAhead;
  readonly #parties = new KnownParties();
  readonly #statements: BlockStatements;
  #lastBlock: Block | null = null;
  /** The network that the database is bound to; empty before. */
  #chainId = '';
  #heldUp: HoldUp | null = null;
  #mended: readonly string[] = [];
  /** Up to this height the tags of blocks are forgotten, as far as this writer knows. */
  #forgotten = -1n;
  #failure: Error | null = null;

  private constructor(
    url: string,
    { client, stopBound }: { readonly client: pg.Client; readonly stopBound: Disposable },
    statements: BlockStatements,
    retention: Retention,
  ) {
    this.#client = client;
    this.#stopBound = stopBound;
    this.#statements = statements;
    this.#applied = new AppliedBlocks(client);
    this.#ahead = new ReadAhead(url);
    this.histories = new Histories(url, client, retention, (error) => {
      this.#failure = new UpkeepError(error);
    });
    client.on('error', (error) => {
      this.#failure = error;
    });
  }

  /**
   * Connects and takes the writer's lock. Throws FAILED_PRECONDITION where another process holds it. What `retention` says is
   * kept of the histories. Once `stop` is aborted, what is under way has a few seconds to end: then the connection is lost.
   */
  static async open(url: string, retention: Retention = ALL_OF_IT, stop?: AbortSignal): Promise<Writer> {
    const client = createConnection(url, {
      purpose: 'writer',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      // A block's statements need no answer of one another: together they cost one round trip.
      pipeline: true,
    });
    const stopBound = boundStop(client, stop);
    try {
      await client.connect();
      await takeWriterLock(client);
      await refuseHalfIngested(client);
      const statements = createBlockStatements(await readColumnTypes(client));
      const writer = new Writer(url, { client, stopBound }, statements, retention);
      await introduceWriter(client);
      writer.#mended = await mendCounts(client);
      await client.query(SETTINGS);
      writer.#lastBlock = await writer.#applied.readLast();
      writer.#heldUp = await readHoldUp(client);
      return writer;
    } catch (error) {
      stopBound[Symbol.dispose]();
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** The newest block applied; null before the first. */
  get lastBlock(): Block | null {
    return this.#lastBlock;
  }

  /** What the database says ingest is held up by; null from the next block on that is applied. */
  get heldUp(): HoldUp | null {
    return this.#heldUp;
  }

  /** The nouns whose rows somebody had written without counting them. They are counted now. */
  get mended(): readonly string[] {
    return this.#mended;
  }

  /** Notes that ingest cannot go on, for everybody who reads the database. */
  async holdUp(hindrance: Hindrance, version: string): Promise<void> {
    this.#heldUp = await writeHoldUp(this.#client, hindrance, version);
  }

  /** The block of a height, the last where the height began again; undefined where there is none. */
  findBlock(height: bigint): Promise<Block | undefined> {
    return this.#applied.find(height);
  }

  /** Binds an empty database to a network. Throws FAILED_PRECONDITION where it holds another one's blocks. */
  async claimNetwork(chainId: string): Promise<void> {
    await forgetUnbegun(this.#client);
    await this.#client.query(
      'INSERT INTO networks (chain_id) SELECT $1 WHERE NOT EXISTS (SELECT FROM networks)',
      [chainId],
    );
    const { rows } = await this.#client.query<{ chain_id: string }>('SELECT chain_id FROM networks');
    const held = rows[0]?.chain_id;
    this.#chainId = held ?? '';
    if (held !== chainId) {
      throw new GatewayError(
        'FAILED_PRECONDITION',
        `The database holds the network ${held}; it takes no events of ${chainId}. Use another database or DATA_DIR.`,
      );
    }
  }

  /** Applies a block in one transaction: all of it becomes visible at once, or nothing. Wakes the readers. */
  async write(block: NewBlock, changes: BlockChanges): Promise<void> {
    await this.writePrepared([this.prepare(block, changes)]);
  }

  /** Makes a block ready to be written, with what is to be noted of it. Asks nothing of the database. */
  prepare(block: NewBlock, changes: BlockChanges, notes: BlockNotes = NO_NOTES): PreparedBlock {
    return prepareBlock(this.#statements, block, changes, notes);
  }

  /** Says that a block will be written, but not yet: what it needs of the disk is read meanwhile. */
  announce(block: PreparedBlock): void {
    const unknown = this.#statements.parties(this.#parties.unknownOf(block.parties));
    this.#ahead.announce([...unknown, ...block.rows], block.block.lastPosition);
  }

  /**
   * Applies blocks that are ready, each the next of the one before it, in one transaction: it leaves what as many
   * transactions leave. Where one of them cannot be written those before it are. `onWritten` is called for each that is, in
   * their order, as `lastBlock` comes to it.
   */
  async writePrepared(
    blocks: readonly PreparedBlock[],
    onWritten: (block: PreparedBlock) => void = () => undefined,
  ): Promise<void> {
    try {
      await this.#transact(blocks, onWritten);
    } catch (error) {
      if (blocks.length === 1 || !isOfOneBlock(error)) throw error;
      for (const block of blocks) await this.#transact([block], onWritten);
    }
  }

  async #transact(
    blocks: readonly PreparedBlock[],
    onWritten: (block: PreparedBlock) => void,
  ): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    const client = this.#client;
    const heights = blocks.map(({ block }) => block.height);
    await this.histories.prepare(heights);
    const { forgotten } = this.histories;
    const gone = tagsOfAll([...forgotten.keys()]);
    // Statements that follow one that fails are refused, within a transaction only: that there is one has to be known.
    await client.query('BEGIN');
    let written: readonly Block[];
    try {
      written = await this.#send(blocks, gone, [...this.histories.bound(heights), { text: 'COMMIT' }]);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw refusalOf(error) ?? error;
    }
    for (const { parties } of blocks) this.#parties.add(parties);
    this.#forgotten = forgottenAfter(blocks, this.#forgotten);
    this.histories.told(forgotten);
    this.#heldUp = null;
    this.#applied.forget();
    this.histories.tidy(heights);
    for (const [index, block] of blocks.entries()) {
      this.#lastBlock = written[index] ?? null;
      onWritten(block);
    }
    this.#ahead.written(this.#lastBlock?.lastPosition ?? 0n);
  }

  async close(): Promise<void> {
    await this.#ahead.close();
    await this.histories.close();
    this.#stopBound[Symbol.dispose]();
    await this.#client.end().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Has the statements of blocks under way at once, as far as none needs another's answer, and others behind them. Gives the blocks as they are written. */
  async #send(
    blocks: readonly PreparedBlock[],
    gone: readonly CacheTag[],
    others: readonly pg.QueryConfig[],
  ): Promise<readonly Block[]> {
    const rows = statementsOf(blocks.flatMap(({ rows }) => rows));
    const forgotten = this.#forgotten;
    const isHeldUp = this.#heldUp !== null;
    const writeBlocks = this.#statements.blocks;
    function* end(chained: readonly ChainedBlock[]) {
      yield* statementsOf(chained.flatMap(({ block }) => writeBlocks([block])));
      yield* repeatStatements(chained);
      yield* tagStatements(withTags(chained, gone), forgotten);
      // What they add to a noun is counted in one go, from where the first of them begins.
      yield* firstOfEach(
        blocks.flatMap(({ counts }) => counts),
        ({ name }) => name,
      );
      yield* skippedStatements(blocks.flatMap(({ skipped }) => skipped));
      if (isHeldUp) yield END_HOLD_UP;
      yield notifyOf(blocks.map(({ block }) => block.height));
      yield* others;
    }
    const chain = (newOf: NewParties) =>
      chainBlocks(blocks, { last: this.#lastBlock, chainId: this.#chainId, newOf });
    const named = this.#parties.unknownOf(blocks.flatMap(({ parties }) => parties));
    const unknown = firstOfEach(named, ({ id }) => id);
    if (unknown.length === 0) {
      const chained = chain(() => []);
      await runTogether(this.#client, ANSWER_TIMEOUT_MS, rows, end(chained));
      return chained.map(({ block }) => block);
    }
    const write = [...statementsOf(this.#statements.parties(unknown))];
    const written = await runTogether(this.#client, ANSWER_TIMEOUT_MS, write, rows);
    const added = new Set(written.slice(0, write.length).flatMap(({ rows }) => rows.map(({ id }) => id)));
    // Each is of the block that names it first.
    const chained = chain((parties) => parties.filter(({ id }) => added.delete(id)));
    await runTogether(this.#client, ANSWER_TIMEOUT_MS, end(chained));
    return chained.map(({ block }) => block);
  }
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Item[] {
  const first = new Map<unknown, Item>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
}
