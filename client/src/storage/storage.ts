import type { Block } from '../messages.ts';

/** Where rows are kept from one run of a program to the next: `file(path)`, `indexedDb(name)`, or one of your own. */
export interface Storage {
  /**
   * Opens what is kept of something that is followed. `of` is the subscription with all that it takes, and `key` the field that
   * rows are told apart by. What is kept of something else is not given, and written over.
   */
  open(of: string, key: string): Promise<OpenStorage>;
}

export interface OpenStorage {
  readonly kept: Kept | null;
  readonly stored: Stored;
  /** What is kept is of another network, or from before heights began again: it is written over by the next snapshot. */
  renounce(): void;
  /** Takes what is at the end of a block and is written when what came before is. Nobody waits for it. */
  note(change: Change): void;
  /** Resolves once all is written that was noted. */
  close(): Promise<void>;
}

/** Rows as they were at the end of one block, and where a follower goes on. */
export interface Kept {
  readonly block: Block;
  readonly cursor: string;
  readonly rows: readonly object[];
}

export interface Change {
  /** The height that rows were as of before; null where all are new. */
  readonly since: string | null;
  readonly block: Block;
  readonly cursor: string;
  /** The rows that changed. */
  readonly rows: readonly object[];
  /** All rows as of the newest block that was noted. */
  readonly all: () => Iterable<object>;
}

/** How it goes. */
export interface Stored {
  /** The block that is written; null where there is none. */
  readonly asOf: Block | null;
  /** Why nothing more is written, as for a disk that is full; null while all is well. Rows are followed all the same. */
  readonly failure: unknown;
}
