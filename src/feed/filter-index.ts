/** Which values a filter wants in each dimension of its rows; null where it wants all. */
export type Wanted = readonly (readonly string[] | null)[];

/** Beyond this a filter is refused: it would take more room in the index than its stream is worth. */
export const MAX_COMBINATIONS = 10_000;

/**
 * Finds the subscribers whose filters a row passes, by look-ups alone: as many as there are patterns of given and
 * open dimensions among the filters (16 at most with four), however many subscribers there are.
 */
export class FilterIndex<Subscriber> {
  /** By pattern, as in `1010` for the first and third dimension given, then by the values of those. */
  readonly #patterns = new Map<string, Map<string, Subscriber[]>>();

  /** Throws a RangeError for a filter with more than MAX_COMBINATIONS combinations of values. */
  add(wanted: Wanted, subscriber: Subscriber): void {
    const combinations = combine(wanted);
    const pattern = patternOf(wanted);
    const byKey = this.#patterns.get(pattern) ?? new Map<string, Subscriber[]>();
    this.#patterns.set(pattern, byKey);
    for (const values of combinations) {
      const key = keyOf(values);
      const subscribers = byKey.get(key);
      // Most have a key to themselves: a list of one takes an eighth of what a set does.
      if (subscribers === undefined) byKey.set(key, [subscriber]);
      else subscribers.push(subscriber);
    }
  }

  remove(wanted: Wanted, subscriber: Subscriber): void {
    const pattern = patternOf(wanted);
    const byKey = this.#patterns.get(pattern);
    if (byKey === undefined) return;
    for (const values of combine(wanted)) {
      const key = keyOf(values);
      const subscribers = byKey.get(key) ?? [];
      const place = subscribers.indexOf(subscriber);
      if (place !== -1) subscribers.splice(place, 1);
      if (subscribers.length === 0) byKey.delete(key);
    }
    if (byKey.size === 0) this.#patterns.delete(pattern);
  }

  /** Each subscriber once: a row has one value in each dimension, so a filter holds it under one key at most. */
  *match(row: readonly string[]): Generator<Subscriber> {
    for (const [pattern, byKey] of this.#patterns) {
      const values = row.filter((_, dimension) => pattern[dimension] === '1');
      yield* byKey.get(keyOf(values)) ?? [];
    }
  }
}

/** Differs for each combination of values of one pattern, where all have the same number. */
function keyOf(values: readonly string[]): string {
  const [value] = values;
  return value !== undefined && values.length === 1 ? value : JSON.stringify(values);
}

function patternOf(wanted: Wanted): string {
  return wanted.map((values) => (values === null ? '0' : '1')).join('');
}

/** Throws a RangeError for a filter with more than MAX_COMBINATIONS combinations of values. */
export function checkCombinations(wanted: Wanted): void {
  const count = distinct(wanted).reduce((product, { length }) => product * length, 1);
  if (count > MAX_COMBINATIONS) {
    throw new RangeError(
      `the filter has ${count} combinations of values; a stream takes ${MAX_COMBINATIONS} at most`,
    );
  }
}

/** Every way to take one value of each given dimension. */
function combine(wanted: Wanted): readonly (readonly string[])[] {
  checkCombinations(wanted);
  return distinct(wanted).reduce<readonly (readonly string[])[]>(
    (heads, values) => heads.flatMap((head) => values.map((value) => [...head, value])),
    [[]],
  );
}

function distinct(wanted: Wanted): readonly (readonly string[])[] {
  return wanted.filter((values) => values !== null).map((values) => [...new Set(values)]);
}
