import { type Following, type FollowOptions, follow } from './follow.ts';
import type { Block } from './follower.ts';
import type { Subscription } from './subscription.ts';
import { Table } from './table.ts';

/** A subscription of one kind of rows. */
export type OneKind<Arguments, Row> = Subscription<Arguments, { readonly [list: string]: readonly Row[] }>;

/** What is followed as it is at the end of one block, never between two. */
export interface LiveRows<Row> {
  readonly size: number;
  get(id: string): Row | undefined;
  values(): IterableIterator<Row>;
  /** The rows with a value in a field. The first question about a field makes an index of it. */
  where(field: keyof Row & string, value: Row[keyof Row]): readonly Row[];
  /** Calls back after each block that changed a row, or this row; gives what ends that. */
  subscribe(listener: () => void, id?: string): () => void;
  /** Another one after each block that changed a row, and the same in between: as React's `useSyncExternalStore` wants it. */
  readonly getSnapshot: () => Snapshot<Row>;
  /** The block that rows are as of; null before the first snapshot. */
  readonly asOf: Block | null;
  /** Whether a connection tells what comes; until it does again, rows stay as they were. */
  readonly isLive: boolean;
  readonly behindMs: number | null;
  /** Where the next follower goes on. */
  readonly cursor: string | null;
  /** Resolves with the first snapshot. Rejects with a `RefusedError` where the gateway refuses. */
  readonly ready: Promise<void>;
  /** Resolves at the end. Rejects with a `RefusedError` where the gateway refuses. */
  readonly done: Promise<void>;
  close(): void;
}

export interface Snapshot<Row> {
  readonly asOf: Block | null;
  readonly rows: ReadonlyMap<string, Row>;
}

/** Keeps the rows of a subscription as they are, block by block, until it is closed. */
export function rows<Arguments, Row extends object>(
  subscription: OneKind<Arguments, Row>,
  options: FollowOptions<Arguments>,
): LiveRows<Row> {
  return keep(subscription, follow(subscription, options));
}

/** The same of what is followed already: `keep(accounts, followOver([serverSentEvents], accounts, options))`. */
export function keep<Row extends object>(
  { name, lists }: Pick<OneKind<never, Row>, 'name' | 'lists'>,
  following: Following<{ readonly [list: string]: readonly Row[] }>,
): LiveRows<Row> {
  return new Live(following, name, lists[name]?.key as keyof Row & string);
}

class Live<Row extends object> implements LiveRows<Row> {
  readonly #following: Following<Readonly<Record<string, readonly Row[]>>>;
  readonly #table: Table<Row>;
  #asOf: Block | null = null;
  #cursor: string | null = null;
  #snapshot: Snapshot<Row>;
  readonly ready: Promise<void>;
  readonly done: Promise<void>;
  #becomeReady = () => {};

  constructor(
    following: Following<Readonly<Record<string, readonly Row[]>>>,
    list: string,
    key: keyof Row & string,
  ) {
    this.#following = following;
    this.#table = new Table(key);
    this.#snapshot = { asOf: null, rows: this.#table.rows };
    const first = new Promise<void>((resolve) => {
      this.#becomeReady = resolve;
    });
    this.done = this.#run(list);
    this.ready = Promise.race([first, this.done]);
    // Whoever asks hears of it; a program that does not is not ended by it.
    this.done.catch(() => {});
    this.ready.catch(() => {});
  }

  async #run(list: string): Promise<void> {
    for await (const { kind, block, cursor, rows } of this.#following) {
      // Whoever goes on after a cursor has no rows from before it, and would pass what changed since for all there is.
      if (this.#asOf === null && kind !== 'snapshot')
        throw new Error('Rows begin with a snapshot: `after` is not for them.');
      const told = rows[list] ?? [];
      this.#asOf = block;
      this.#cursor = cursor;
      const changed = kind === 'snapshot' ? this.#table.replace(told) : this.#table.change(told);
      if (kind !== 'reached') this.#snapshot = { asOf: block, rows: this.#table.rows };
      this.#becomeReady();
      if (kind !== 'reached') this.#table.tell(changed);
    }
  }

  get size() {
    return this.#table.rows.size;
  }

  get asOf() {
    return this.#asOf;
  }

  get cursor() {
    return this.#cursor;
  }

  get isLive() {
    return this.#following.state === 'live';
  }

  get behindMs() {
    return this.#following.behindMs;
  }

  get(id: string) {
    return this.#table.rows.get(id);
  }

  values() {
    return this.#table.rows.values();
  }

  where(field: keyof Row & string, value: Row[keyof Row]) {
    return this.#table.where(field, value);
  }

  subscribe(listener: () => void, id?: string) {
    return this.#table.subscribe(listener, id);
  }

  readonly getSnapshot = () => this.#snapshot;

  close() {
    void this.#following.return?.();
  }
}
