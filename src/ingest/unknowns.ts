import {
  type NumberOfField,
  type UnknownNumber,
  unknownNameOf,
  unknownNumbersIn,
} from '../data/writing/unknown-numbers.ts';
import { heightOf, positionOf } from '../domain/positions.ts';
import type { SourceBlock } from './blocks.ts';

/** What of a block this version passes over, or keeps without knowing its name. */
export interface BlockUnknowns {
  readonly height: number;
  readonly numbers: readonly UnknownNumber[];
  /** As `Market.25`, each as often as it comes. */
  readonly fields: readonly string[];
  /** The kinds of events that are not kept, by number, each as often as it comes. */
  readonly passedOver: readonly number[];
}

/** Damaged bytes could name any number of things: beyond so many they are counted together. */
const MOST_COUNTED = 500;
/** What those beyond are counted as. */
const OTHERS = 'other';

export function findUnknowns({ height, events, unknownFields, passedOver }: SourceBlock): BlockUnknowns {
  const numbers = events.flatMap(({ index, event }) => {
    const found = unknownNumbersIn(event.type, event.row);
    return found.map((one) => ({ ...one, createdPosition: positionOf(height, index) }));
  });
  return { height, numbers, fields: unknownFields, passedOver };
}

/** Counts what an ingest came by that this version does not know. */
export class UnknownCounts {
  readonly numbers = new Counts<NumberOfField>();
  readonly fields = new Counts<string>();
  readonly passedOver = new Counts<number>();

  /** Counts those of a block that was applied. Gives a sentence for each number and field that is new to this process. */
  add({ height, numbers, fields, passedOver }: BlockUnknowns): readonly string[] {
    for (const kind of passedOver) this.passedOver.add(`${kind}`, kind);
    return [
      ...numbers.filter((one) => this.numbers.add(`${one.field} ${one.number}`, one)).map(describeNumber),
      ...fields.filter((field) => this.fields.add(field, field)).map((field) => describeField(field, height)),
    ];
  }
}

/** How often each of some things came. */
class Counts<Thing> {
  readonly #counted = new Map<string, { readonly thing: Thing | typeof OTHERS; count: number }>();

  /** Whether it is the first of its kind. */
  add(key: string, thing: Thing): boolean {
    const known = this.#counted.get(key) ?? (this.#counted.size < MOST_COUNTED ? undefined : this.#others());
    if (known === undefined) this.#counted.set(key, { thing, count: 1 });
    else known.count += 1;
    return known === undefined;
  }

  [Symbol.iterator]() {
    return this.#counted.values();
  }

  #others() {
    const others = this.#counted.get(OTHERS) ?? { thing: OTHERS, count: 0 };
    this.#counted.set(OTHERS, others);
    return others;
  }
}

function describeNumber({ field, number, createdPosition }: UnknownNumber): string {
  return `Block ${heightOf(createdPosition)} brings number ${number} of ${field}, which this version has no name for: it is kept, and served as ${unknownNameOf({ field, number })}.`;
}

function describeField(field: string, height: number): string {
  return `Block ${height} brings the field ${field}, which this version does not know: it is passed over.`;
}
