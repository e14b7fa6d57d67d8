import type pg from 'pg';
import { Backoff } from '../backoff.ts';
import { GatewayError } from '../errors.ts';
import { AppliedBlocks } from './applied-blocks.ts';
import { type BlockChanges, type BlockStatements, createBlockStatements } from './block-changes.ts';
import { touchesOf, touchStatements } from './block-touches.ts';
import { readColumnTypes } from './column-types.ts';
import { createConnection } from './connect.ts';
import type { Block } from './generated/prisma/client.ts';
import { boundHistory } from './history.ts';
import { KnownParties } from './known-parties.ts';
import { type PreparedBlock, prepareBlock } from './prepared-block.ts';
import type { Touch } from './touches.ts';

/** The channel on which the writer names the height of each block it has applied. A wake-up only. */
export const BLOCK_CHANNEL = 'periscope_block';

/** One writer per database holds this advisory lock, so that positions are committed in their order. */
const WRITER_LOCK = 0x70657269; // 'peri'

/** A block is bounded by the network; a statement that takes longer than this hangs. */
const STATEMENT_TIMEOUT_MS = 120_000;
/** Longer than the server's own limit: it is for a server that is not there any more. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/**
 * All that a writer sends finds its rows by their keys. Plans made while the tables are empty would read them whole, and
 * are kept as they grow.
 */
const SETTINGS = 'SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan';
/** The server notices a little late that a writer was killed, and holds its lock so long. */
const LOCK_WAIT_MS = 3_000;
const LOCK_RETRY_MS = 25;

/** The one process that applies blocks to a database. Owns its connection and with it the writer's lock. */
export class Writer {
  readonly #client: pg.Client;
  readonly #historyBlocks: number | null;
  readonly #applied: AppliedBlocks;
  readonly #parties = new KnownParties();
  readonly #statements: BlockStatements;
  #lastBlock: Block | null = null;
  #failure: Error | null = null;

  private constructor(client: pg.Client, statements: BlockStatements, historyBlocks: number | null) {
    this.#client = client;
    this.#statements = statements;
    this.#applied = new AppliedBlocks(client);
    this.#historyBlocks = historyBlocks;
    client.on('error', (error) => {
      this.#failure = error;
    });
  }

  /**
   * Connects and takes the writer's lock. Throws FAILED_PRECONDITION where another process holds it. Of the changes,
   * those of the last `historyBlocks` blocks are kept; all where that is null.
   */
  static async open(url: string, historyBlocks: number | null = null): Promise<Writer> {
    const client = createConnection(url, {
      purpose: 'writer',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      // A block's statements need no answer of one another: together they cost one round trip.
      pipeline: true,
    });
    try {
      await client.connect();
      const statements = createBlockStatements(await readColumnTypes(client));
      const writer = new Writer(client, statements, historyBlocks);
      await writer.#lock();
      await client.query(SETTINGS);
      writer.#lastBlock = await writer.#applied.readLast();
      return writer;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** The newest block applied; null before the first. */
  get lastBlock(): Block | null {
    return this.#lastBlock;
  }

  /** The block of a height, the last where the height began again; undefined where there is none. */
  findBlock(height: bigint): Promise<Block | undefined> {
    return this.#applied.find(height);
  }

  /** Binds an empty database to a network. Throws FAILED_PRECONDITION where it holds another one's blocks. */
  async claimNetwork(chainId: string): Promise<void> {
    // A network that named itself and then sent no block has left nothing to keep.
    await this.#client.query('DELETE FROM networks WHERE NOT EXISTS (SELECT FROM blocks)');
    await this.#client.query(
      'INSERT INTO networks (chain_id) SELECT $1 WHERE NOT EXISTS (SELECT FROM networks)',
      [chainId],
    );
    const { rows } = await this.#client.query<{ chain_id: string }>('SELECT chain_id FROM networks');
    const held = rows[0]?.chain_id;
    if (held !== chainId) {
      throw new GatewayError(
        'FAILED_PRECONDITION',
        `The database holds the network ${held}; it takes no events of ${chainId}. Use another database or DATA_DIR.`,
      );
    }
  }

  /** Applies a block in one transaction: all of it becomes visible at once, or nothing. Wakes the readers. */
  async write(block: Block, changes: BlockChanges): Promise<void> {
    await this.writePrepared(this.prepare(block, changes));
  }

  /** Makes a block ready to be written. Asks nothing of the database. */
  prepare(block: Block, changes: BlockChanges): PreparedBlock {
    return prepareBlock(this.#statements, block, changes);
  }

  /** As `write`, of a block that is ready. */
  async writePrepared(prepared: PreparedBlock): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    const { block, parties } = prepared;
    const client = this.#client;
    // Statements that follow one that fails are refused, within a transaction only: that there is one has to be known.
    await client.query('BEGIN');
    try {
      if (this.#historyBlocks === null) {
        await this.#send(prepared, [{ text: 'COMMIT' }]);
      } else {
        await this.#send(prepared, []);
        await boundHistory(client, block.height, this.#historyBlocks);
        await client.query('COMMIT');
      }
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
    this.#lastBlock = block;
    this.#parties.add(parties);
    this.#applied.forget();
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Has a block's statements under way at once, as far as none needs another's answer, and others behind them. */
  async #send(prepared: PreparedBlock, others: readonly pg.QueryConfig[]): Promise<void> {
    const { block, rows, counts, touched } = prepared;
    const unknown = this.#parties.unknownOf(prepared.parties);
    const end = (touches: readonly Touch[]) => {
      const notify = {
        name: 'notify',
        text: 'SELECT pg_notify($1, $2)',
        values: [BLOCK_CHANNEL, `${block.height}`],
      };
      return [...touchStatements(block, touches), ...counts, notify, ...others];
    };
    if (unknown.length === 0) {
      await this.#runTogether([...rows, ...end(touched)]);
      return;
    }
    const named = this.#statements.parties(unknown);
    const written = await this.#runTogether([...named, ...rows]);
    const added = new Set(written.slice(0, named.length).flatMap(({ rows }) => rows.map(({ id }) => id)));
    const party = unknown.filter(({ id }) => added.has(id));
    await this.#runTogether(end([...touchesOf({ party }), ...touched]));
  }

  /** Has statements under way at once, and waits for all of them. Throws the first failure: the others follow from it. */
  async #runTogether(statements: readonly pg.QueryConfig[]): Promise<readonly pg.QueryResult[]> {
    const results = await Promise.allSettled(statements.map((statement) => this.#client.query(statement)));
    const failure = results.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  async #lock(): Promise<void> {
    const backoff = new Backoff({ firstMs: LOCK_RETRY_MS, deadlineMs: LOCK_WAIT_MS });
    do {
      const { rows } = await this.#client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock($1) AS locked',
        [WRITER_LOCK],
      );
      if (rows[0]?.locked === true) return;
    } while (await backoff.wait());
    throw new GatewayError(
      'FAILED_PRECONDITION',
      'Another process is ingesting into this database. There can be one at a time.',
    );
  }
}
