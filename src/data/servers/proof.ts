import type { Took } from './wait.ts';

/** So often a text is short before it counts as that. */
const FIRST = 3;
/** What each statement counts for: who was late now and then among many is short all the same, who took long is not for a while. */
const CREDIT: Readonly<Record<Took, number>> = { short: 1, late: -16, long: -128 };
const MOST = 256;

/**
 * Whether a text is short: what it took lately says so. On a machine that has others' work to do any statement is late at times, for
 * which PostgreSQL is not to blame; one that keeps a pipe waiting costs all those behind it.
 */
export class Proof {
  #credit = -FIRST;

  get isShort(): boolean {
    return this.#credit >= 0;
  }

  /** Notes what a statement of the text took. */
  add(took: Took): void {
    this.#credit = Math.max(-MOST, Math.min(this.#credit + CREDIT[took], MOST));
  }
}
