import type { Block } from '../messages.ts';
import type { Change, Kept, OpenStorage, Storage } from './storage.ts';

/** What keeps lines of text. Each call is atomic: after a crash all of it is there, or nothing. */
export interface Journal {
  /** Adds a line about what changed between two places. False where what is there may not have all up to the first: it wants all. */
  append(line: string, since: Place, to: Place): Promise<boolean>;
  /** Writes lines in place of all others, as of a place. */
  replace(lines: readonly string[], to: Place): Promise<void>;
  /** From now on what was there is void, whatever its height. */
  renounce(): void;
  close(): Promise<void>;
}

/** How far something goes. The height alone does not say it: one that the network begins again is told as two messages. */
export interface Place {
  readonly height: string;
  readonly cursor: string;
}

/** A line: some rows, and the block that is whole with them, if it is the last line of its block. */
type Line = Pick<Kept, 'rows'> & Partial<Kept>;

/** A line has no more rows: one text need not hold a million. */
const MOST_ROWS = 10_000;
/** A journal is written anew when changes take so much more than all rows do, in characters. */
const MOST_MORE = 1_000_000;

/** Keeps rows as lines of changes behind all rows of one block, which are written anew when changes have become many. */
export function journaled(open: (of: string) => Promise<Opened>): Storage {
  return {
    async open(of, key) {
      const { journal, lines } = await open(of);
      return new OpenJournal(journal, key, lines);
    },
  };
}

interface Opened {
  readonly journal: Journal;
  /** The lines that were there, of the same `of`. */
  readonly lines: readonly string[];
}

class OpenJournal implements OpenStorage {
  readonly #journal: Journal;
  readonly #key: string;
  kept: Kept | null = null;
  stored: { asOf: Block | null; failure: unknown } = { asOf: null, failure: null };
  /** What is not written yet, as one change: of several blocks, where they come faster than they are written. */
  #waiting: { since: Place | null; readonly rows: Map<unknown, object> } | null = null;
  #newest: Change | null = null;
  #writing: Promise<void> | null = null;
  /** What all rows took when they were written, and what changes have taken since. */
  #sizes = { all: 0, more: 0 };

  constructor(journal: Journal, key: string, lines: readonly string[]) {
    this.#journal = journal;
    this.#key = key;
    this.#read(lines);
  }

  renounce(): void {
    this.kept = null;
    this.stored = { asOf: null, failure: null };
    this.#journal.renounce();
  }

  note(change: Change): void {
    if (this.stored.failure !== null) return;
    const cursor = (this.#newest ?? this.kept)?.cursor ?? '';
    this.kept = null; // Its rows are in use, or past.
    this.#newest = change;
    const since = change.since === null ? null : { height: change.since, cursor };
    this.#waiting ??= { since, rows: new Map() };
    if (since === null) this.#waiting.since = null;
    for (const row of change.rows) this.#waiting.rows.set(this.#idOf(row), row);
    this.#writing ??= this.#write();
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#journal.close();
  }

  #idOf(row: object): unknown {
    return row[this.#key as keyof typeof row];
  }

  #read(lines: readonly string[]): void {
    const rows = new Map<unknown, object>();
    let waiting: object[] = [];
    for (const text of lines) {
      const line: Line = JSON.parse(text);
      for (const row of line.rows) waiting.push(row);
      this.#sizes[this.kept === null ? 'all' : 'more'] += text.length;
      if (line.block === undefined || line.cursor === undefined) continue;
      for (const row of waiting) rows.set(this.#idOf(row), row);
      waiting = [];
      this.kept = { block: line.block, cursor: line.cursor, rows: [] };
    }
    if (this.kept === null) return;
    this.kept = { ...this.kept, rows: [...rows.values()] };
    this.stored.asOf = this.kept.block;
  }

  async #write(): Promise<void> {
    try {
      // What else comes in this turn is written with it.
      await null;
      for (let next = this.#waiting; next !== null; next = this.#waiting) {
        this.#waiting = null;
        const { block } = this.#newest as Change;
        if (await this.#put(next.since, next.rows)) this.stored.asOf = block;
        else this.#waiting = { since: null, rows: new Map() };
      }
    } catch (failure) {
      this.stored.failure = failure;
      this.#waiting = null;
    }
    this.#writing = null;
  }

  /** All rows are read before anything is waited for, so that they are of the newest block. */
  async #put(since: Place | null, changed: ReadonlyMap<unknown, object>): Promise<boolean> {
    const { block, cursor, all } = this.#newest as Change;
    const to = { height: block.height, cursor };
    const isLong = this.#sizes.more > this.#sizes.all + MOST_MORE;
    if (since !== null && !isLong) {
      const line = JSON.stringify({ block, cursor, rows: [...changed.values()] } satisfies Line);
      this.#sizes.more += line.length;
      return this.#journal.append(line, since, to);
    }
    const rows = [...all()];
    const lines: string[] = [];
    while (rows.length > MOST_ROWS)
      lines.push(JSON.stringify({ rows: rows.splice(0, MOST_ROWS) } satisfies Line));
    lines.push(JSON.stringify({ block, cursor, rows } satisfies Line));
    this.#sizes = { all: lines.reduce((sum, { length }) => sum + length, 0), more: 0 };
    await this.#journal.replace(lines, to);
    return true;
  }
}
