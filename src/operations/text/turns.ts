import { setImmediate } from 'node:timers/promises';

/** How long others wait for a turn at most. */
const TURN_MS = 10;
/** Looking at the clock costs as much as writing a field. */
const STEPS_BETWEEN_LOOKS = 32;

/** Divides the work of an answer into turns, so that a long one does not keep all others waiting. */
export class Turns {
  #since = performance.now();
  #steps = 0;

  /** Called at each step: whether it is the others' turn. */
  isOver(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS_BETWEEN_LOOKS === 0 && performance.now() - this.#since > TURN_MS;
  }

  /** Lets the others go first. */
  async next(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
