import { fieldsIn } from '../data/noun.ts';
import { fixedFieldsOf } from '../data/noun-tags.ts';
import { type NounName, type NounRow, nounNames, nouns } from '../data/nouns/index.ts';
import type { BlockChanges } from '../data/writing/block-changes.ts';
import { positionOf } from '../domain/positions.ts';
import type { SourceBlock } from './blocks.ts';

/**
 * Reduces a block's events to the rows that it leaves behind: for each key the last event, created at the
 * position of its first. The network names a party wherever it acts, so every party named is a row too.
 */
export function collectChanges({
  height,
  timestamp,
  firstIndex,
  lastIndex,
  events,
}: Omit<SourceBlock, 'skipped'>): BlockChanges {
  const rows = new Map<NounName, LatestRows>();
  const parties = new NamedParties();
  for (const { index, event } of events) {
    const position = positionOf(height, index);
    const row: Row = event.row;
    for (const field of kinds[event.type].parties) parties.put(row[field] as string, position);
    if (event.type === 'party') continue;
    let latest = rows.get(event.type);
    if (latest === undefined) {
      latest = new LatestRows(event.type);
      rows.set(event.type, latest);
    }
    latest.put(row, position, timestamp);
  }
  const party = parties.place(positionOf(height, firstIndex), positionOf(height, lastIndex));
  const rowsOf = (name: NounName) => (name === 'party' ? party : (rows.get(name)?.rows ?? []));
  return Object.fromEntries(nounNames.map((name) => [name, rowsOf(name)])) as never;
}

type Row = Readonly<Record<string, unknown>>;

/** The last row of each key, in the order of the keys' first mention. */
class LatestRows {
  readonly rows: Row[] = [];
  readonly #noun: RowKind;
  /** Where each of them is, by its key. */
  readonly #places = new Map<string, number>();

  constructor(name: NounName) {
    this.#noun = kinds[name];
  }

  put(values: Row, position: bigint, timestamp: bigint): void {
    const { keyOf, place } = this.#noun;
    const key = keyOf?.(values);
    const known = key === undefined ? undefined : this.#places.get(key);
    if (known === undefined) {
      if (key !== undefined) this.#places.set(key, this.rows.length);
      this.rows.push(place(values, position, position, timestamp));
      return;
    }
    // A row that comes later keeps the position that the first was created at.
    const created = this.rows[known]?.['createdPosition'] as bigint;
    this.rows[known] = place(values, created, position, timestamp);
  }
}

/**
 * The parties that a block names, each at the position of the event that names it first. No two have one position: the second that an
 * event is the first to name, as a trade can be where ingest begins in the middle, has the nearest free one of the block before
 * that, or else after it. Where a block names more parties than it has positions, the rest have its last: that is written as long
 * as no more than one of those is new.
 */
class NamedParties {
  /** By their ids, in the order of their first mention. */
  readonly #positions = new Map<string, bigint>();
  readonly #taken = new Set<bigint>();
  readonly #moved: string[] = [];

  put(id: string, position: bigint): void {
    if (this.#positions.has(id)) return;
    this.#positions.set(id, position);
    if (this.#taken.has(position)) this.#moved.push(id);
    else this.#taken.add(position);
  }

  /** Their rows, of a block with these positions. */
  place(first: bigint, last: bigint): BlockChanges['party'] {
    /** Those up to `seen` that are free, the nearest last. */
    const free: bigint[] = [];
    let seen = first - 1n;
    // They come in the order of their positions.
    for (const id of this.#moved) {
      const named = this.#positions.get(id) as bigint;
      while (seen < named || (free.length === 0 && seen < last)) {
        seen += 1n;
        if (!this.#taken.has(seen)) free.push(seen);
      }
      this.#positions.set(id, free.pop() ?? last);
    }
    const rows = Array.from(this.#positions, ([id, createdPosition]) => ({ id, createdPosition }));
    // Those that were moved stand behind the ones that they have come before.
    return this.#moved.length === 0 ? rows : rows.sort(byPosition);
  }
}

/** Positions of one block are near each other. */
const byPosition = (a: NounRow<'party'>, b: NounRow<'party'>) =>
  Number(a.createdPosition - b.createdPosition);

/** How the rows of a noun are told apart and placed. */
interface RowKind {
  /** Null where every event is a row of its own. */
  readonly keyOf: ((values: Row) => string) | null;
  /** The fields that name parties. */
  readonly parties: readonly string[];
  /** A row with what its table keeps of its place in the network's life. */
  place(values: Row, created: bigint, updated: bigint, timestamp: bigint): Row;
}

const kinds = Object.fromEntries(nounNames.map((name) => [name, describeRows(name)])) as Readonly<
  Record<NounName, RowKind>
>;

function describeRows(name: NounName): RowKind {
  const { key, table, party } = nouns[name];
  // What comes with another value in a field that never changes is another row: whose it is, the database knows.
  const [first, ...others] = [...key, ...fixedFieldsOf(nouns[name])] as [string, ...string[]];
  const has = (field: string) => table.fields.includes(field);
  const [isCreated, isUpdated, isTimed] = [
    has('createdPosition'),
    has('updatedPosition'),
    has('updatedTimestamp'),
  ];
  return {
    parties: party === null ? [] : fieldsIn(nouns[name], party),
    keyOf: first === 'createdPosition' ? null : (values) => joined(values, first, others),
    place(values, created, updated, timestamp) {
      const row: Record<string, unknown> = { ...values };
      if (isCreated) row['createdPosition'] = created;
      if (isUpdated) row['updatedPosition'] = updated;
      if (isTimed) row['updatedTimestamp'] = timestamp;
      return row;
    },
  };
}

/** Ids hold any character but U+0000. */
function joined(values: Row, first: string, others: readonly string[]): string {
  let text = values[first] as string;
  for (const field of others) text += `\0${values[field]}`;
  return text;
}
