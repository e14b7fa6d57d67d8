/**
 * Lets so many run at once; the others wait, first come first served. Our own: the libraries for it bring a queue with
 * priorities, time-outs and errors of its own, and these lines are all that is needed.
 */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs a task once there is a permit for it. Throws what the task throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The permit passes to whoever waits, and is not free in between: who comes just then must not overtake them.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
