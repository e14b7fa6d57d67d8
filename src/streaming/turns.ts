/** How long the event loop is held before others have their turn. */
const TURN_MS = 8;

/** Something that may have work to do. */
export interface Worker {
  work(): void;
}

/**
 * Lets workers work one after the other, each once however often it was added, and the event loop turn in between: a
 * block that has something for thousands of streams delays nobody else for long.
 */
export class Turns {
  #waiting = new Set<Worker>();
  #isDue = false;

  add(worker: Worker): void {
    this.#waiting.add(worker);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#take);
  }

  readonly #take = (): void => {
    const end = performance.now() + TURN_MS;
    for (const worker of this.#waiting) {
      // It can be added again by its own work, and then comes last.
      this.#waiting.delete(worker);
      worker.work();
      if (performance.now() >= end) break;
    }
    this.#isDue = this.#waiting.size > 0;
    if (this.#isDue) setImmediate(this.#take);
  };
}
