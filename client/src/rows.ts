import { MOST_BEHIND } from './errors.ts';
import { type Following, type FollowOptions, follow } from './follow.ts';
import { ageOf, type Block } from './messages.ts';
import { isOfNetwork, nameOf } from './storage/network.ts';
import type { Kept, OpenStorage, Storage, Stored } from './storage/storage.ts';
import type { Subscription } from './subscription.ts';
import { Table } from './table.ts';
import { type Verification, verifyRows } from './verify.ts';

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
  readonly subscribe: (listener: () => void, id?: string) => () => void;
  /** Another one after each block that changed a row, and the same in between: as React's `useSyncExternalStore` wants it. */
  readonly getSnapshot: () => Snapshot<Row>;
  /** The block that rows are as of; null before the first snapshot. */
  readonly asOf: Block | null;
  /** Whether a connection tells what comes; until it does again, rows stay as they were. */
  readonly isLive: boolean;
  readonly behindMs: number | null;
  /** Where the next follower goes on. */
  readonly cursor: string | null;
  /** How the storage goes; null without one. */
  readonly stored: Stored | null;
  /** Resolves with the first snapshot, or with the rows that were stored. Rejects with a `RefusedError` where the gateway refuses. */
  readonly ready: Promise<void>;
  /** Resolves at the end. Rejects with a `RefusedError` where the gateway refuses. */
  readonly done: Promise<void>;
  /** Asks the gateway for the same rows as of the block that they are of, and compares. Takes them from the first on. */
  verify(signal?: AbortSignal): Promise<Verification<Row>>;
  close(): void;
}

export interface Snapshot<Row> {
  readonly asOf: Block | null;
  /** Another object in each snapshot, and the rows as they are now in every one of them. */
  readonly rows: ReadonlyMap<string, Row>;
}

export type RowsOptions<Arguments> = FollowOptions<Arguments> & {
  /** Where rows are kept until the next run: it begins with them, and goes on from their block. */
  readonly storage?: Storage;
};

/** Keeps the rows of a subscription as they are, block by block, until it is closed. */
export function rows<Arguments, Row extends object>(
  subscription: OneKind<Arguments, Row>,
  { storage, ...options }: RowsOptions<Arguments>,
): LiveRows<Row> {
  return keep(subscription, follow(subscription, options as FollowOptions<Arguments>), storage);
}

/** The same of what is followed already: `keep(accounts, followOver([serverSentEvents], accounts, options))`. */
export function keep<Row extends object>(
  { lists }: Pick<OneKind<never, Row>, 'lists'>,
  following: Following<{ readonly [list: string]: readonly Row[] }>,
  storage?: Storage,
): LiveRows<Row> {
  const [list = '', ...others] = Object.keys(lists);
  // Types say so, which JavaScript does not hear: one kind would be kept, and the others dropped unsaid.
  if (others.length > 0)
    throw new TypeError('Rows are of one kind: follow these, or keep each kind by itself.');
  return new Live(following, list, lists[list]?.key as keyof Row & string, storage);
}

class Live<Row extends object> implements LiveRows<Row> {
  readonly #following: Following<Readonly<Record<string, readonly Row[]>>>;
  readonly #table: Table<Row>;
  readonly #key: keyof Row & string;
  #asOf: Block | null = null;
  #cursor: string | null = null;
  #snapshot: Snapshot<Row>;
  readonly ready: Promise<void>;
  readonly done: Promise<void>;
  #becomeReady = () => {};
  readonly #closing = new AbortController();
  #store: Pick<OpenStorage, 'stored'> | null = null;

  constructor(
    following: Following<Readonly<Record<string, readonly Row[]>>>,
    list: string,
    key: keyof Row & string,
    storage: Storage | undefined,
  ) {
    this.#following = following;
    this.#key = key;
    this.#table = new Table(key);
    this.#snapshot = { asOf: null, rows: this.#table.view() };
    const first = new Promise<void>((resolve) => {
      this.#becomeReady = resolve;
    });
    this.done = storage === undefined ? this.#run(list, null) : this.#runFrom(storage, list, key);
    this.ready = Promise.race([first, this.done]);
    // Whoever asks hears of it; a program that does not is not ended by it.
    this.done.catch(() => {});
    this.ready.catch(() => {});
  }

  async #runFrom(storage: Storage, list: string, key: string): Promise<void> {
    const { asked } = this.#following;
    if (asked.signal?.aborted) this.close();
    asked.signal?.addEventListener('abort', () => this.close(), { signal: this.#closing.signal });
    const open = await storage.open(nameOf(asked), key).catch((failure: unknown) => {
      this.#store = { stored: { asOf: null, failure } };
      return null;
    });
    if (open !== null) this.#store = open;
    try {
      if (open?.kept != null) await this.#restore(open, open.kept);
      await this.#run(list, open);
    } finally {
      this.#closing.abort();
      await open?.close();
    }
  }

  /** Begins with what is kept, unless the gateway says that it is of another network. Where none answers it is better than nothing. */
  async #restore(open: OpenStorage, kept: Kept): Promise<void> {
    const { asked } = this.#following;
    let isOurs: boolean | null = null;
    let behind = 0;
    for (let attempt = 0; isOurs === null && !this.#closing.signal.aborted; attempt++) {
      const found = await isOfNetwork(kept.block, asked, this.#closing.signal, attempt);
      // Only answers count: an outage, however long, says nothing of the network.
      if (found !== 'behind') isOurs = found;
      else if (++behind > MOST_BEHIND) isOurs = false;
      if (attempt === 0 && isOurs !== false) this.#show(kept);
    }
    if (isOurs) this.#following.goOnAfter(kept.cursor);
    if (isOurs !== false) return;
    open.renounce();
    this.#show({ block: null, cursor: null, rows: [] });
  }

  #show({ block, cursor, rows }: Kept | Readonly<Record<keyof Kept, null | []>>): void {
    this.#asOf = block as Block | null;
    this.#cursor = cursor as string | null;
    const changed = this.#table.replace(rows as readonly Row[]);
    this.#snapshot = { asOf: this.#asOf, rows: this.#table.view() };
    if (this.#asOf !== null) this.#becomeReady();
    if (changed.length > 0) this.#table.tell(changed);
  }

  async #run(list: string, store: OpenStorage | null): Promise<void> {
    for await (const { kind, block, cursor, rows } of this.#following) {
      // Whoever goes on after a cursor has no rows from before it, and would pass what changed since for all there is.
      if (this.#asOf === null && kind !== 'snapshot')
        throw new Error('Rows begin with a snapshot: `after` is not for them.');
      const told = rows[list] ?? [];
      // Heights began again: what is kept up to a later one is of another network, and no tab may go on behind it.
      const isAgain = kind === 'snapshot' && BigInt(block.height) < BigInt(this.#asOf?.height ?? 0);
      if (isAgain && store?.stored.failure === null) store.renounce();
      const since = kind === 'snapshot' ? null : (this.#asOf?.height ?? null);
      this.#asOf = block;
      this.#cursor = cursor;
      const changed = kind === 'snapshot' ? this.#table.replace(told) : this.#table.change(told);
      store?.note({ since, block, cursor, rows: told, all: () => this.#table.rows.values() });
      if (kind !== 'reached') this.#snapshot = { asOf: block, rows: this.#table.view() };
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
    const { behindMs, asked } = this.#following;
    return behindMs ?? (this.#asOf === null ? null : ageOf(this.#asOf, asked));
  }

  get stored() {
    return this.#store?.stored ?? null;
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

  // Libraries of user interfaces call these two by themselves.
  readonly subscribe = (listener: () => void, id?: string) => this.#table.subscribe(listener, id);
  readonly getSnapshot = () => this.#snapshot;

  async verify(signal?: AbortSignal) {
    await this.ready;
    if (this.#asOf === null) throw new Error('These rows were closed before the first came.');
    const held = { block: this.#asOf, rows: this.#table.rows };
    return verifyRows(this.#following.asked, this.#key, held, signal);
  }

  close() {
    this.#closing.abort();
    void this.#following.return?.();
  }
}
