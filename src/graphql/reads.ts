import type { Read } from '../data/queries/reads.ts';
import { BLOCKS, type Touch, touchOf, touchOfEveryValue, touchOfValue } from '../data/touches.ts';
import { nounOfType } from './node-ids.ts';

/** Collects what an answer was read from, so that who keeps it knows when it may no longer be true. */
export class Reads {
  readonly #touches = new Set<Touch>();
  #isEverything = false;

  add({ noun, field, value }: Read): void {
    if (field === undefined || value === undefined) {
      this.#touches.add(touchOf(noun));
    } else {
      this.#touches.add(touchOfValue(noun, field, value));
      this.#touches.add(touchOfEveryValue(noun));
    }
    if (this.#touches.size > MOST_TOUCHES) this.everything();
  }

  /** Adds a model that Prisma read rows of, whichever; null for one that is not known. */
  addModel(model: string | null): void {
    const noun = model === 'Block' ? BLOCKS : nounOfType(model ?? '');
    if (noun === undefined) this.everything();
    else this.add({ noun });
  }

  /** Adds what something that was read before depends on, as `touches` gives it. */
  addTouches(touches: readonly Touch[] | null): void {
    for (const touch of touches ?? []) this.#touches.add(touch);
    if (touches === null || this.#touches.size > MOST_TOUCHES) this.everything();
  }

  /** Says that something was read that has no name here: any block may make it another. */
  everything(): void {
    this.#isEverything = true;
    this.#touches.clear();
  }

  /** What a block that makes the answer untrue touches; null where any block may. */
  touches(): readonly Touch[] | null {
    return this.#isEverything ? null : [...this.#touches];
  }
}

/** An answer that depends on more is seldom true for longer than a block. */
const MOST_TOUCHES = 1000;
