import type { Signal } from '../../signal.ts';

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

  /** Runs a task once there is a permit for it; not for who has left by then. Throws what the task throws, or why they left. */
  async run<T>(task: () => Promise<T>, signal?: Signal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      if (signal?.aborted) throw signal.reason;
      return await task();
    } finally {
      // The permit passes to whoever waits, and is not free in between: who comes just then must not overtake them.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
