/**
 * Items that come one after the other, for one reader, which reads what is there and is told when there is more: as
 * Node's streams are read while paused. Nothing is kept for a reader that waits, where a promise would have to be.
 */
export interface Readable<Item> {
  /** The next item; null where there is none yet, or will be none any more. Throws what it fails with, once. */
  read(): Item | null;
  /** Whether there will be none any more. */
  readonly isOver: boolean;
  /** Who is told when there may be something to read, after `read` gave null. */
  reader: Reader | null;
  /** Lets it go: it is over then, and its reader is told. */
  return(): Promise<unknown>;
}

export interface Reader {
  onReadable(): void;
}

/** The next item, waited for, as async iterators give it. */
export async function nextOf<Item>(readable: Readable<Item>): Promise<IteratorResult<Item, undefined>> {
  while (true) {
    const item = readable.read();
    if (item !== null) return { done: false, value: item };
    if (readable.isOver) return { done: true, value: undefined };
    await new Promise<void>((resolve) => {
      readable.reader = { onReadable: resolve };
    });
  }
}

/** Reads an async iterator. It is asked for an item when one is read, and for the next when that was taken. */
export class ReadableIterator<Item> implements Readable<Item> {
  readonly #iterator: AsyncIterator<Item, unknown>;
  reader: Reader | null = null;
  isOver = false;
  #isAsked = false;
  #item: Item | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(iterator: AsyncIterator<Item, unknown>) {
    this.#iterator = iterator;
  }

  read(): Item | null {
    const [item, failure] = [this.#item, this.#failure];
    this.#item = null;
    this.#failure = null;
    if (failure !== null) throw failure.error;
    if (item === null && !this.#isAsked && !this.isOver) void this.#ask();
    return item;
  }

  async return(): Promise<void> {
    this.isOver = true;
    this.#item = null;
    this.reader?.onReadable();
    await this.#iterator.return?.();
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    try {
      const next = await this.#iterator.next();
      if (next.done === true) this.isOver = true;
      else if (!this.isOver) this.#item = next.value;
    } catch (error) {
      if (!this.isOver) this.#failure = { error };
      this.isOver = true;
    }
    this.#isAsked = false;
    this.reader?.onReadable();
  }
}
