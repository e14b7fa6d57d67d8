import type { QueryConfig } from 'pg';

/** So that a text stays far below the longest that there can be, however many events a block has. */
export const ROWS_AT_ONCE = 10_000;

/** Rows of a table, as many as one statement takes at most, made ready to be written. */
export interface RowSet {
  readonly target: Target;
  readonly count: number;
  /** What each is known by, no two the same. None where no other row, in this set or any, can have it. */
  readonly keys: readonly string[];
  /** Of each column the values, as the text of an array has them. */
  readonly columns: readonly (readonly string[])[];
}

/** Where rows go. */
export interface Target {
  readonly write: NamedStatement;
  /** Notes what rows were before they became what is written, where that is kept. */
  readonly noteEarlier: NamedStatement | null;
  /** Which column, of those that there are, keeps its first value; -1 where none does. */
  readonly created: number;
}

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * The statements that write sets of rows, those of blocks in their order. Of a row that several change the last version
 * is written, and those before it are noted in its history: PostgreSQL can remove no version of a row within the
 * transaction that made it, so that writing each would cost more than a transaction for each block.
 */
export function statementsOf(sets: readonly RowSet[]): readonly QueryConfig[] {
  const ofTargets = new Map<Target, LatestRows[]>();
  for (const set of sets) {
    const gathered = ofTargets.get(set.target) ?? [];
    ofTargets.set(set.target, gathered);
    if (!gathered.at(-1)?.take(set)) gathered.push(new LatestRows(set));
  }
  return [...ofTargets.values()].flat().flatMap((gathered) => gathered.toStatements());
}

/** The last version of each row of some sets, and those before it. */
class LatestRows {
  readonly #first: RowSet;
  #count: number;
  #columns: readonly string[][] | null = null;
  readonly #places = new Map<string, number>();
  readonly #earlier: readonly string[][];

  constructor(first: RowSet) {
    this.#first = first;
    this.#count = first.count;
    this.#earlier = first.columns.map(() => []);
  }

  /** Takes another set, unless that would be too many rows. */
  take(set: RowSet): boolean {
    if (this.#count + set.count > ROWS_AT_ONCE) return false;
    this.#count += set.count;
    if (this.#columns === null) {
      this.#columns = this.#first.columns.map((values) => [...values]);
      for (const [row, key] of this.#first.keys.entries()) this.#places.set(key, row);
    }
    for (let row = 0; row < set.count; row += 1) this.#put(this.#columns, set, row);
    return true;
  }

  #put(columns: readonly string[][], { target, keys, columns: given }: RowSet, row: number): void {
    const key = keys[row];
    const place = key === undefined ? undefined : this.#places.get(key);
    const end = columns[0]?.length ?? 0;
    if (key !== undefined && place === undefined) this.#places.set(key, end);
    columns.forEach((values, index) => {
      const value = given[index]?.[row] as string;
      if (place === undefined) {
        values.push(value);
        return;
      }
      this.#earlier[index]?.push(values[place] as string);
      if (index !== target.created) values[place] = value;
    });
  }

  toStatements(): readonly QueryConfig[] {
    const { write, noteEarlier } = this.#first.target;
    const written = { ...write, values: (this.#columns ?? this.#first.columns).map(toArray) };
    if (noteEarlier === null || this.#earlier[0]?.length === 0) return [written];
    return [written, { ...noteEarlier, values: this.#earlier.map(toArray) }];
  }
}

function toArray(values: readonly string[]): string {
  return `{${values.join()}}`;
}
