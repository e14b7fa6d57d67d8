import type { QueryConfig } from 'pg';
import { groupBy } from '../../domain/groups.ts';
import { encodeIntegers } from './binary-arrays.ts';

/** So that what is sent stays far below the longest that there can be, however many events a block has. */
export const ROWS_AT_ONCE = 10_000;

export type Row = Readonly<Record<string, unknown>>;

/** Rows of a table, as many as one statement takes at most, no two with one key. */
export interface RowSet {
  readonly target: Target;
  readonly rows: readonly Row[];
}

/** Where rows go. */
export interface Target {
  readonly write: NamedStatement;
  /** Writes what rows were before they became what is written into their history too, where that is kept. */
  readonly writeWithEarlier: NamedStatement | null;
  /** What a row is known by; null where no other row, of whatever set, can have the same. */
  readonly keyOf: ((row: Row) => string) | null;
  /** What a row keeps for ever besides: one that comes with other values there is left out. Null where nothing. */
  readonly fixedOf: ((row: Row) => string) | null;
  /**
   * By what rows are put side by side; null where they stay in their order. New rows go into indexes of long texts faster
   * when those of one party follow each other, in pages that are at hand, and are read faster as they lie there.
   */
  readonly groupOf: ((row: Row) => unknown) | null;
  /** What reads the pages that rows will be written to; null where these are at hand anyway. */
  readonly pages: PageRead | null;
  /** The values of each column. */
  encode(rows: readonly Row[]): readonly Buffer[];
  /** The values of those columns that a history takes of what rows were before. */
  encodeEarlier(rows: readonly Row[]): readonly Buffer[];
}

/**
 * Reads the pages that rows will be written to, and changes nothing: those of the rows that are there, and of the indexes in which
 * new ones go to another place each. Its last parameter is a position before all that are written.
 */
export interface PageRead extends NamedStatement {
  encode(rows: readonly Row[]): readonly Buffer[];
}

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * The statements that write sets of rows, those of blocks in their order; each is made when it is asked for. Of a row that
 * several change the last version is written, and those before it go into its history: PostgreSQL can remove no version of
 * a row within the transaction that made it, so that writing each would cost more than a transaction for each block.
 */
export function* statementsOf(sets: readonly RowSet[]): Generator<QueryConfig> {
  for (const some of groupBy(sets, ({ target }) => target).values()) {
    for (const rows of gather(some)) yield rows.toStatement();
  }
}

/** The rows of one target's sets in as few statements as they fit in. */
function* gather(sets: readonly RowSet[]): Generator<LatestRows> {
  let latest: LatestRows | null = null;
  for (const set of sets) {
    if (latest?.take(set)) continue;
    if (latest !== null) yield latest;
    latest = new LatestRows(set);
  }
  if (latest !== null) yield latest;
}

/** The last version of each row of some sets, and those before it. */
class LatestRows {
  readonly #target: Target;
  readonly #rows: Row[];
  /** Where each row is, by its key; null until a second set comes. */
  #places: Map<string, number> | null = null;
  readonly #earlier: Row[] = [];
  /** Where each of these is now what it became. */
  readonly #became: number[] = [];

  constructor({ target, rows }: RowSet) {
    this.#target = target;
    this.#rows = [...rows];
  }

  /** Takes another set, unless that would be too many rows, or one is not of those here for ever. */
  take({ rows }: RowSet): boolean {
    if (this.#rows.length + this.#earlier.length + rows.length > ROWS_AT_ONCE) return false;
    const { keyOf } = this.#target;
    if (keyOf === null) {
      for (const row of rows) this.#rows.push(row);
      return true;
    }
    this.#places ??= new Map(this.#rows.map((row, place) => [keyOf(row), place]));
    const places = this.#places;
    if (rows.some((row) => this.#isAnother(row, places.get(keyOf(row))))) return false;
    for (const row of rows) this.#put(row, keyOf(row), places);
    return true;
  }

  toStatement(): QueryConfig {
    const { write, writeWithEarlier, groupOf, encode, encodeEarlier } = this.#target;
    const values = [
      ...encode(groupOf === null ? this.#rows : [...groupBy(this.#rows, groupOf).values()].flat()),
    ];
    if (writeWithEarlier === null || this.#earlier.length === 0) return { ...write, values };
    const became = this.#became.map((place) => this.#rows[place]?.['updatedPosition'] as bigint);
    return {
      ...writeWithEarlier,
      values: [...values, ...encodeEarlier(this.#earlier), encodeIntegers(became)],
    };
  }

  /** Whether a row has the key of one here, and yet not what that keeps for ever. */
  #isAnother(row: Row, place: number | undefined): boolean {
    const { fixedOf } = this.#target;
    return place !== undefined && fixedOf !== null && fixedOf(row) !== fixedOf(this.#rows[place] as Row);
  }

  #put(row: Row, key: string, places: Map<string, number>): void {
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, this.#rows.push(row) - 1);
      return;
    }
    const before = this.#rows[place] as Row;
    this.#earlier.push(before);
    this.#became.push(place);
    const { createdPosition } = before;
    this.#rows[place] = createdPosition === undefined ? row : { ...row, createdPosition };
  }
}
