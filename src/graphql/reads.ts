import type { Noun } from '../data/noun.ts';
import { type Touch, touchOf } from '../data/touches.ts';

/** What one operation has read, as far as it can be named. */
export class Reads {
  #touches: Set<Touch> | null = new Set();

  /** Rows of a noun. */
  noteNoun(noun: Pick<Noun, 'name'>): void {
    this.#touches?.add(touchOf(noun));
  }

  /** Something that has no touch. */
  noteOther(): void {
    this.#touches = null;
  }

  /** What a block has to touch to make the answer another; null where that cannot be named. */
  touches(): readonly Touch[] | null {
    return this.#touches && [...this.#touches];
  }
}
