import type { ClientBase, DatabaseError, QueryConfig } from 'pg';
import { min } from '../../domain/bigints.ts';
import { GatewayError } from '../../errors.ts';
import { coverHeight, spanOf } from './coverage.ts';
import { HistoryKeeper } from './keeper.ts';
import { HISTORIES, ROWS_BY_POSITION } from './partitions.ts';
import { moveBoundaries, type Retention } from './retention.ts';
import { reachOfRows, spanOfRows } from './row-retention.ts';

/** How often, in blocks, what is forgotten is looked after. */
const KEEP_EVERY = 64n;

const INSUFFICIENT_PRIVILEGE = '42501';

function refusal({ message }: DatabaseError): GatewayError {
  return new GatewayError(
    'FAILED_PRECONDITION',
    `The role that writes may not make the partitions of histories (${message}). Let it: GRANT the role that owns the tables TO it.`,
  );
}

/**
 * Of rows the next partition is made so many blocks before it is needed. It is empty until then, which has the planner read it whole and
 * sort, where all others are walked in order.
 */
const ROWS_AHEAD = 1_024n;

/** So often it is tried to make a partition before it is needed: each attempt may wait for others' locks, and a block waits for it. */
const TRIES_AHEAD = 16n;
const ONCE = 0;

/** Tables whose partitions span as many blocks, and the blocks that they are made ahead. */
interface Covered {
  readonly tables: readonly string[];
  readonly span: bigint;
  readonly ahead: bigint;
  /** Below this height there are partitions. */
  upTo: bigint;
  /** From this height on the next one is tried again. */
  aheadFrom: bigint;
}

/** What a writer does for the tables in partitions that its blocks add to. */
export class Histories {
  readonly #client: ClientBase;
  readonly #retention: Retention;
  readonly #keeper: HistoryKeeper;
  #covered: readonly Covered[] | null = null;
  /** The tables of which rows went since a block told so, with the number of the drop. What went before this process began may not have been told. */
  readonly #forgotten: Map<string, number>;
  #drops = 0;

  constructor(url: string, client: ClientBase, retention: Retention, onFailure: (error: Error) => void) {
    this.#client = client;
    this.#retention = retention;
    const dropped = ROWS_BY_POSITION.filter((table) => reachOfRows(retention, table) !== null);
    this.#forgotten = new Map(dropped.map((table) => [table, this.#drops]));
    this.#keeper = new HistoryKeeper(url, retention, {
      onFailure,
      onForgotten: (table) => {
        this.#drops += 1;
        this.#forgotten.set(table, this.#drops);
      },
    });
  }

  /** Has the next partition made before it is needed: where that cannot be now, as long as it is not. Stands before a transaction. */
  async prepare(heights: readonly bigint[]): Promise<void> {
    this.#covered ??= await this.#readSpans();
    for (const covered of this.#covered) for (const height of heights) await this.#cover(covered, height);
  }

  async #readSpans(): Promise<readonly Covered[]> {
    const ofHistories = spanOf('changes', this.#retention.historyBlocks);
    const covered: Covered[] = [
      { tables: HISTORIES, span: ofHistories, ahead: ofHistories, upTo: 0n, aheadFrom: 0n },
    ];
    for (const table of ROWS_BY_POSITION) {
      const span = await spanOfRows(this.#client, reachOfRows(this.#retention, table));
      covered.push({ tables: [table], span, ahead: min(span, ROWS_AHEAD), upTo: 0n, aheadFrom: 0n });
    }
    return covered;
  }

  async #cover(covered: Covered, height: bigint): Promise<void> {
    const { ahead } = covered;
    if (height >= covered.upTo) await this.#make(covered, height, 0n);
    if (height + ahead < covered.upTo || height < covered.aheadFrom) return;
    covered.aheadFrom = height + ahead / TRIES_AHEAD + 1n;
    await this.#make(covered, height, ahead, ONCE).catch((error: unknown) => {
      if (error instanceof GatewayError) throw error;
    });
  }

  async #make(covered: Covered, height: bigint, ahead: bigint, tryForMs?: number): Promise<void> {
    const { tables, span } = covered;
    try {
      covered.upTo = await coverHeight(this.#client, tables, height, span, ahead, tryForMs);
    } catch (error) {
      if ((error as DatabaseError).code === INSUFFICIENT_PRIVILEGE) throw refusal(error as DatabaseError);
      throw error;
    }
  }

  /** Moves the boundaries behind blocks, within their transaction. */
  bound(heights: readonly bigint[]): readonly QueryConfig[] {
    return moveBoundaries(heights, this.#retention);
  }

  /** The tables of which rows went, with the drop of each: what was answered from them before is to be read anew. */
  get forgotten(): ReadonlyMap<string, number> {
    return new Map(this.#forgotten);
  }

  /** Takes note that a block has told of them, and not of what went while it was written. */
  told(forgotten: ReadonlyMap<string, number>): void {
    for (const [table, drop] of forgotten)
      if (this.#forgotten.get(table) === drop) this.#forgotten.delete(table);
  }

  /** Has what is settled rolled up, and what is behind the boundaries moved and dropped, once blocks are there; nobody waits for that. */
  tidy(heights: readonly bigint[]): void {
    if (heights.some((height) => height % KEEP_EVERY === 0n)) this.#keeper.wake();
  }

  /** Resolves when nothing of that is under way. */
  settled(): Promise<void> {
    return this.#keeper.settled();
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }
}
