import type { BlockChanges } from '../data/block-changes.ts';
import { type NounName, nounNames, nouns } from '../data/nouns/index.ts';
import { positionOf } from '../domain/positions.ts';
import type { SourceBlock } from './blocks.ts';

/**
 * Reduces a block's events to the rows that it leaves behind: for each key the last event, created at the
 * position of its first. The network names a party wherever it acts, so every party named is a row too.
 */
export function collectChanges({ height, timestamp, events }: SourceBlock): BlockChanges {
  const rows = new Map(nounNames.map((name) => [name, new LatestRows(name)]));
  for (const { index, event } of events) {
    const position = positionOf(height, index);
    const { party } = nouns[event.type];
    const row: Row = event.row;
    if (party !== null) rows.get('party')?.put({ id: row[party] }, position, timestamp);
    if (event.type !== 'party') rows.get(event.type)?.put(row, position, timestamp);
  }
  return Object.fromEntries([...rows].map(([name, latest]) => [name, latest.list()])) as never;
}

type Row = Readonly<Record<string, unknown>>;

/** The last row of each key, in the order of the keys' first mention. */
class LatestRows {
  readonly #key: readonly string[];
  readonly #fields: readonly string[];
  readonly #rows = new Map<string, Row>();

  constructor(name: NounName) {
    const { key, table } = nouns[name];
    this.#key = key;
    this.#fields = table.fields.filter((field) => field in PLACES);
  }

  put(values: Row, position: bigint, timestamp: bigint): void {
    const row: Record<string, unknown> = { ...values };
    for (const field of this.#fields) row[field] = PLACES[field as keyof typeof PLACES](position, timestamp);
    const key = keyOf(this.#key.map((field) => row[field]));
    const first = this.#rows.get(key);
    // A row that comes later keeps the position that the first was created at.
    if (first !== undefined && 'createdPosition' in row) row['createdPosition'] = first['createdPosition'];
    this.#rows.set(key, row);
  }

  list(): readonly Row[] {
    return [...this.#rows.values()];
  }
}

/** What a row has of its place in the network's life, as far as its table keeps it. */
const PLACES = {
  createdPosition: (position: bigint) => position,
  updatedPosition: (position: bigint) => position,
  updatedTimestamp: (_: bigint, timestamp: bigint) => timestamp,
} as const;

/** Ids hold any character but U+0000. */
function keyOf(values: readonly unknown[]): string {
  return values.join('\0');
}
