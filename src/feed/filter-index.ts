/** Which values a filter wants in each dimension of its rows; null where it wants all. */
export type Wanted = readonly (readonly string[] | null)[];

/** Beyond this a filter is refused: it would be more than its stream is worth. */
export const MAX_COMBINATIONS = 10_000;

/** A dimension in which a filter wants not all, and what it wants there. */
type Given = readonly [dimension: number, values: ReadonlySet<string>];

/** A subscriber as it stands under a value of one dimension, with what is to be checked in the others. */
interface Entry<Subscriber> {
  readonly subscriber: Subscriber;
  readonly others: readonly Given[];
}

/** Most filters are of one dimension. */
const NONE: readonly Given[] = [];

/**
 * Finds the subscribers whose filters a row passes. A subscriber stands under its values in one dimension, and those in the others
 * are checked: so a filter takes room for its values, and not for each combination of them. The dimension is the one where fewest
 * stand under these values by then, so that a row is checked against few, however many subscribers there are.
 */
export class FilterIndex<Subscriber> {
  /** By dimension, then by value. */
  readonly #byValue: Map<string, Entry<Subscriber>[]>[] = [];
  /** Those that want all. */
  readonly #open: Entry<Subscriber>[] = [];

  /** Throws a RangeError for a filter with more than MAX_COMBINATIONS combinations of values. */
  add(wanted: Wanted, subscriber: Subscriber): void {
    checkCombinations(wanted);
    const given = givenIn(wanted);
    const chosen = this.#leastCrowded(given);
    const others = given.length < 2 ? NONE : given.filter((one) => one !== chosen);
    const entry = { subscriber, others };
    if (chosen === undefined) this.#open.push(entry);
    const [dimension = 0, values = []] = chosen ?? [];
    for (const value of values) {
      const byValue = this.#of(dimension);
      const entries = byValue.get(value);
      // Most have a value to themselves: a list of one takes an eighth of what a set does.
      if (entries === undefined) byValue.set(value, [entry]);
      else entries.push(entry);
    }
  }

  remove(wanted: Wanted, subscriber: Subscriber): void {
    const given = givenIn(wanted);
    if (given.length === 0) takeOut(this.#open, subscriber);
    // It stands in one of them, which the others that there were by then decided.
    for (const [dimension, values] of given) {
      const byValue = this.#of(dimension);
      for (const value of values) {
        const entries = byValue.get(value) ?? [];
        takeOut(entries, subscriber);
        if (entries.length === 0) byValue.delete(value);
      }
    }
  }

  /** Each subscriber once: a row has one value in each dimension, so a filter holds it under one value at most. */
  *match(row: readonly string[]): Generator<Subscriber> {
    for (const { subscriber } of this.#open) yield subscriber;
    for (let dimension = 0; dimension < this.#byValue.length; dimension++) {
      const entries = this.#byValue[dimension]?.get(row[dimension] ?? '') ?? [];
      for (const { subscriber, others } of entries) if (passes(row, others)) yield subscriber;
    }
  }

  #of(dimension: number): Map<string, Entry<Subscriber>[]> {
    this.#byValue[dimension] ??= new Map();
    return this.#byValue[dimension];
  }

  /** Of equally crowded dimensions that of the fewest values. */
  #leastCrowded(given: readonly Given[]): Given | undefined {
    let [chosen] = given;
    if (given.length < 2) return chosen;
    let fewest = Number.POSITIVE_INFINITY;
    for (const one of given) {
      const crowd = this.#crowdUnder(one);
      if (crowd > fewest || (crowd === fewest && one[1].size >= (chosen?.[1].size ?? 0))) continue;
      [chosen, fewest] = [one, crowd];
    }
    return chosen;
  }

  /** How many stand under one of these values at most. */
  #crowdUnder([dimension, values]: Given): number {
    const byValue = this.#of(dimension);
    let most = 0;
    for (const value of values) most = Math.max(most, byValue.get(value)?.length ?? 0);
    return most;
  }
}

function passes(row: readonly string[], given: readonly Given[]): boolean {
  for (const [dimension, values] of given) if (!values.has(row[dimension] ?? '')) return false;
  return true;
}

function takeOut<Subscriber>(entries: Entry<Subscriber>[], subscriber: Subscriber): void {
  const place = entries.findIndex((entry) => entry.subscriber === subscriber);
  if (place !== -1) entries.splice(place, 1);
}

function givenIn(wanted: Wanted): readonly Given[] {
  return wanted.flatMap((values, dimension) =>
    values === null ? [] : [[dimension, new Set(values)] as const],
  );
}

/** Throws a RangeError for a filter with more than MAX_COMBINATIONS combinations of values. */
export function checkCombinations(wanted: Wanted): void {
  const count = wanted.reduce((product, values) => product * (values === null ? 1 : new Set(values).size), 1);
  if (count > MAX_COMBINATIONS) {
    throw new RangeError(
      `the filter has ${count} combinations of values; a stream takes ${MAX_COMBINATIONS} at most`,
    );
  }
}
