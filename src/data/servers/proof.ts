const FIRST = 3;
const LONGEST = 256;
/** What was slow now and then among so many is not held against it for good. */
const FORGIVEN_AFTER = 1024;

/**
 * Whether a text is short: it was, so many times in a row, and twice as many after each time that it was not. One that has
 * been short for long begins anew.
 */
export class Proof {
  #wanted = FIRST;
  #shown = 0;

  get isShort(): boolean {
    return this.#shown >= this.#wanted;
  }

  /** It was short once more. */
  add(): void {
    this.#shown += 1;
    if (this.#shown === FORGIVEN_AFTER) this.#wanted = FIRST;
  }

  /** It was not, where nobody waited behind it. */
  restart(): void {
    this.#shown = 0;
  }

  /** It was not, and others waited behind it. */
  fail(): void {
    this.#shown = 0;
    this.#wanted = Math.min(2 * this.#wanted, LONGEST);
  }
}
