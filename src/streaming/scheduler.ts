/** How long the event loop is held before others have their turn. */
const TURN_MS = 8;

/** Something that may have work to do. */
export interface Task {
  run(): void;
}

/**
 * Runs tasks one after the other, each once however often it was added, and lets the event loop turn in between: a block
 * that has something for thousands of streams delays nobody else for long.
 */
export class Scheduler {
  #waiting = new Set<Task>();
  #isDue = false;

  add(task: Task): void {
    this.#waiting.add(task);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#take);
  }

  readonly #take = (): void => {
    const end = performance.now() + TURN_MS;
    for (const task of this.#waiting) {
      // It can be added again by its own run, and then comes last.
      this.#waiting.delete(task);
      task.run();
      if (performance.now() >= end) break;
    }
    this.#isDue = this.#waiting.size > 0;
    if (this.#isDue) setImmediate(this.#take);
  };
}
