/** Rows by what they are told apart by, with indexes by other fields, and those who listen to them. */
export class Table<Row extends object> {
  readonly #key: keyof Row & string;
  readonly #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, Map<unknown, Set<string>>>();
  readonly #listeners = new Set<() => void>();
  readonly #listenersOf = new Map<string, Set<() => void>>();

  constructor(key: keyof Row & string) {
    this.#key = key;
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  /** The same rows as another object each time, by which whoever memoises sees that something changed. They are not copied. */
  view(): ReadonlyMap<string, Row> {
    const rows = this.#rows;
    const view: ReadonlyMap<string, Row> = {
      get size() {
        return rows.size;
      },
      get: (id) => rows.get(id),
      has: (id) => rows.has(id),
      keys: () => rows.keys(),
      values: () => rows.values(),
      entries: () => rows.entries(),
      [Symbol.iterator]: () => rows.entries(),
      // Not the rows themselves, which could be changed.
      forEach: (call, of) => {
        for (const [id, row] of rows) call.call(of, row, id, view);
      },
    };
    return view;
  }

  /** Takes all rows anew; one that is as before stays the same object. Gives the ids of those that changed. */
  replace(rows: readonly Row[]): readonly string[] {
    const told = new Set(rows.map((row) => this.#idOf(row)));
    const gone = [...this.#rows.keys()].filter((id) => !told.has(id));
    for (const id of gone) this.#put(id, undefined);
    return [...gone, ...this.change(rows.filter((row) => !isSame(row, this.#rows.get(this.#idOf(row)))))];
  }

  /** Takes rows that changed; gives their ids. */
  change(rows: readonly Row[]): readonly string[] {
    return rows.map((row) => {
      const id = this.#idOf(row);
      this.#put(id, row);
      return id;
    });
  }

  where(field: keyof Row & string, value: unknown): readonly Row[] {
    const index = this.#indexes.get(field) ?? this.#makeIndex(field);
    return Array.from(index.get(value) ?? [], (id) => this.#rows.get(id) as Row);
  }

  subscribe(listener: () => void, id?: string): () => void {
    const listeners = id === undefined ? this.#listeners : (this.#listenersOf.get(id) ?? new Set());
    if (id !== undefined) this.#listenersOf.set(id, listeners);
    // Who listens twice is told twice.
    const own = () => listener();
    listeners.add(own);
    return () => {
      // Called again, it ends nobody else's: by then others may listen to the same row.
      if (listeners.delete(own) && id !== undefined && listeners.size === 0) this.#listenersOf.delete(id);
    };
  }

  /** Tells those who listen which rows changed, once all have. */
  tell(ids: readonly string[]): void {
    if (this.#listenersOf.size > 0) {
      for (const id of ids) for (const listener of [...(this.#listenersOf.get(id) ?? [])]) call(listener);
    }
    for (const listener of [...this.#listeners]) call(listener);
  }

  #idOf(row: Row): string {
    return row[this.#key] as string;
  }

  #put(id: string, row: Row | undefined): void {
    for (const [field, index] of this.#indexes) {
      const [before, after] = [this.#rows.get(id), row].map((one) => one?.[field as keyof Row]);
      if (before === after && row !== undefined && this.#rows.has(id)) continue;
      if (this.#rows.has(id)) index.get(before)?.delete(id);
      if (row !== undefined) addTo(index, after, id);
    }
    if (row === undefined) this.#rows.delete(id);
    else this.#rows.set(id, row);
  }

  #makeIndex(field: keyof Row & string): Map<unknown, Set<string>> {
    const index = new Map<unknown, Set<string>>();
    for (const [id, row] of this.#rows) addTo(index, row[field], id);
    this.#indexes.set(field, index);
    return index;
  }
}

/** What a listener throws is an error of the program, which is told of it as of that of an event; rows and other listeners go on. */
function call(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function addTo(index: Map<unknown, Set<string>>, value: unknown, id: string): void {
  const ids = index.get(value) ?? new Set<string>();
  ids.add(id);
  index.set(value, ids);
}

/** Whether two rows have the same fields; those that are lists are looked at as text. */
function isSame<Row extends object>(one: Row, other: Row | undefined): boolean {
  if (other === undefined) return false;
  return Object.entries(one).every(([field, value]) => {
    const held = other[field as keyof Row];
    return value === held || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(held));
  });
}
