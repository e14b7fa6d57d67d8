import type { PendingResult } from './pending-result.ts';

type ResultsOfEvent<Result> = Map<string, Result | PendingResult<Result>>;

/** How many bytes of JSON are made until what was made before the last as many is let go. */
const KEPT_BYTES = 16 * 2 ** 20;

/**
 * What operations made of each event, for all that are equal: for as long as the event is kept, and at least KEPT_BYTES more were not
 * made. An event that waits for a slow reader would keep what everybody else had made of it.
 */
export class ResultsOfEvents<Result> {
  #newer = new WeakMap<object, ResultsOfEvent<Result>>();
  #older = new WeakMap<object, ResultsOfEvent<Result>>();
  #bytes = 0;

  /** The results of an event, by the keys of operations. */
  of(event: object): ResultsOfEvent<Result> {
    const known = this.find(event);
    if (known !== undefined) return known;
    const made: ResultsOfEvent<Result> = new Map();
    this.#newer.set(event, made);
    return made;
  }

  find(event: object): ResultsOfEvent<Result> | undefined {
    return this.#newer.get(event) ?? this.#older.get(event);
  }

  /** Counts what a result takes, once its bytes are made. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < KEPT_BYTES) return;
    this.#bytes = 0;
    this.#older = this.#newer;
    this.#newer = new WeakMap();
  }
}
