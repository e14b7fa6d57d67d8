import { expect } from 'vitest';
import { type AccountType, accountTypes } from '../../src/domain/enumerations.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import type { StreamRow, StreamStep } from './live-transports.ts';

/** What a stream is asked for. An empty list lets everything through. */
export interface OracleFilter {
  readonly owners: readonly string[];
  readonly markets: readonly string[];
  readonly assets: readonly string[];
  readonly types: readonly string[];
}

/** What a block did to accounts: the last balance of each that it named. */
type BlockChanges = ReadonlyMap<string, StreamRow>;

/**
 * What the accounts of a network are at the end of each block, told by its events alone: no database, and no code of
 * the gateway but the simulation that produces them and the names of their types.
 */
export class Chain {
  readonly #blocks: BlockChanges[] = [];
  readonly #accounts = new Map<string, StreamRow>();
  /** Of the block that has begun and not ended. */
  #changes = new Map<string, StreamRow>();

  /** Reads a source to its end. */
  static async of(source: EventSource): Promise<Chain> {
    const chain = new Chain();
    for await (const { event } of source.events(new AbortController().signal)) chain.take(event);
    return chain;
  }

  /** Goes on with the network's next event. */
  take(event: NetworkEvent): void {
    if (event.type === 'account') {
      const { owner, assetId: asset, marketId, type, balance } = event.row;
      const row = { owner, asset, marketId, type: accountTypes.nameOf(type), balance };
      this.#changes.set(keyOf(row), row);
    } else if (event.type === 'endBlock') {
      this.append(event.height, this.#changes);
      this.#changes = new Map();
    }
  }

  get height(): number {
    return this.#blocks.length;
  }

  /** Each account that ever was, with its newest balance. */
  get accounts(): readonly StreamRow[] {
    return [...this.#accounts.values()];
  }

  /** How many changes the blocks after one height and up to another made. */
  countChanges(after: number, upTo: number): number {
    return this.#blocks.slice(after, upTo).reduce((sum, { size }) => sum + size, 0);
  }

  append(height: number, changes: BlockChanges): void {
    expect(height).toBe(this.height + 1);
    this.#blocks.push(changes);
    for (const [key, row] of changes) this.#accounts.set(key, row);
  }

  /** What a block changed of that which passes a filter. */
  changesOf(height: number, filter: OracleFilter): BlockChanges {
    const all = this.#blocks[height - 1] ?? new Map<string, StreamRow>();
    return new Map([...all].filter(([, row]) => passes(row, filter)));
  }

  /** Whether any account ever passed a filter. */
  hasAny(filter: OracleFilter): boolean {
    return this.accounts.some((row) => passes(row, filter));
  }

  /**
   * A last block that changes every account, so that whoever follows any account has a message to wait for. From
   * then on it belongs to the chain.
   */
  appendLast(): readonly NetworkEvent[] {
    const height = this.height + 1;
    const changes = this.accounts.map((row) => ({ ...row, balance: `${row.balance}1` }));
    this.append(height, new Map(changes.map((row) => [keyOf(row), row])));
    return [
      { type: 'beginBlock', height, timestamp: 2n ** 62n, hash: 'LAST' },
      ...changes.map(toEvent),
      { type: 'endBlock', height },
    ];
  }
}

/**
 * Folds one stream's messages, on however many connections they came, and holds each to the chain: the fold is the
 * state at every block that a message names; nothing is missing, told twice or out of order.
 */
export class Follower {
  readonly #chain: Chain;
  readonly #filter: OracleFilter;
  /** What the messages tell, and what the chain tells, both up to the same block. */
  readonly #fold = new Map<string, string>();
  readonly #expected = new Map<string, string>();
  #height = 0;
  #hasSnapshot = false;
  /** The cursor of the last message; null before the first. */
  cursor: string | null = null;
  /** How many messages came, and how many rows in them. */
  readonly taken = { messages: 0, rows: 0 };

  constructor(chain: Chain, filter: OracleFilter) {
    this.#chain = chain;
    this.#filter = filter;
  }

  /** What was told so far: balances by what accounts are told apart by. */
  get fold(): ReadonlyMap<string, string> {
    return this.#fold;
  }

  get hasSnapshot(): boolean {
    return this.#hasSnapshot;
  }

  /** Whether all was told that will ever be. */
  isAt(last: number): boolean {
    if (!this.#hasSnapshot) return false;
    return this.#height === last || !this.#chain.hasAny(this.#filter);
  }

  take(step: StreamStep): void {
    this.taken.messages += 1;
    this.taken.rows += step.rows.length;
    if (step.kind === 'snapshot') this.#takeSnapshot(step);
    else this.#takeUpdates(step);
    expect(step.cursor).toEqual(expect.any(String));
    this.cursor = step.cursor;
  }

  /** Takes the word that nothing more changed up to a block. */
  reach(height: number): void {
    expect(height, 'heights do not fall').toBeGreaterThanOrEqual(this.#height);
    this.#advance(height);
    this.#compare();
  }

  #takeSnapshot({ height, rows, lastPage }: StreamStep): void {
    expect(this.#hasSnapshot, 'a snapshot comes once').toBe(false);
    if (this.cursor === null) this.#advance(height);
    expect(height, 'all pages of a snapshot are of one block').toBe(this.#height);
    for (const row of rows) {
      const key = keyOf(row);
      expect(this.#fold.has(key), `a snapshot holds ${key} once`).toBe(false);
      this.#fold.set(key, row.balance);
    }
    if (!lastPage) expect(rows.length).toBeGreaterThan(0);
    this.#hasSnapshot = lastPage;
    if (lastPage) this.#compare();
  }

  #takeUpdates({ height, rows }: StreamStep): void {
    expect(this.#hasSnapshot, 'updates come after the snapshot').toBe(true);
    expect(height, 'heights rise').toBeGreaterThan(this.#height);
    for (let missed = this.#height + 1; missed < height; missed++) {
      const lost = [...this.#chain.changesOf(missed, this.#filter).keys()];
      expect(lost, `block ${missed} is told before block ${height}`).toEqual([]);
    }
    const told = rows.map((row) => `${keyOf(row)} ${row.balance}`).sort();
    const changed = this.#chain.changesOf(height, this.#filter);
    const expected = [...changed].map(([key, row]) => `${key} ${row.balance}`).sort();
    expect(told, `block ${height} is told whole, each row once`).toEqual(expected);
    this.#advance(height);
    for (const row of rows) this.#fold.set(keyOf(row), row.balance);
    this.#compare();
  }

  #advance(height: number): void {
    expect(height, 'the block is one of the chain').toBeLessThanOrEqual(this.#chain.height);
    while (this.#height < height) {
      this.#height += 1;
      const changes = this.#chain.changesOf(this.#height, this.#filter);
      for (const [key, row] of changes) this.#expected.set(key, row.balance);
    }
  }

  #compare(): void {
    const [fold, expected] = [this.#fold, this.#expected];
    const isSame =
      fold.size === expected.size && [...expected].every(([key, balance]) => fold.get(key) === balance);
    // Told at length only where it differs.
    if (isSame) return;
    expect(Object.fromEntries(fold), `the fold at block ${this.#height}`).toEqual(
      Object.fromEntries(expected),
    );
  }
}

function toEvent({ owner, asset, marketId, type, balance }: StreamRow): NetworkEvent {
  const number = accountTypes.numbers[type as AccountType];
  return { type: 'account', row: { owner, assetId: asset, marketId, type: number, balance } };
}

export function keyOf({ owner, marketId, asset, type }: StreamRow): string {
  return [owner, marketId, asset, type].join(' ');
}

/** Whether a filter lets an account through. */
export function passes(row: StreamRow, { owners, markets, assets, types }: OracleFilter): boolean {
  return (
    isIn(row.owner, owners) && isIn(row.marketId, markets) && isIn(row.asset, assets) && isIn(row.type, types)
  );
}

function isIn(value: string, list: readonly string[]): boolean {
  return list.length === 0 || list.includes(value);
}
