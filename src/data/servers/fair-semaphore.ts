import { Rejection } from '../../errors.ts';
import { RecentUse } from '../../recent-use.ts';

/** Of a task that waits: whose it is, and how it goes on. */
interface Waiter {
  readonly client: string;
  begin(): void;
}

/**
 * Lets so many tasks run at once. Of those that wait, the next is one of the client whose tasks have taken least time lately:
 * so many small tasks have their turn before another client's next large one. A task waits no longer than a bound.
 */
export class FairSemaphore {
  #free: number;
  readonly #waitMs: number;
  readonly #used = new RecentUse();
  readonly #waiting = new Set<Waiter>();

  constructor(permits: number, waitMs: number) {
    this.#free = permits;
    this.#waitMs = waitMs;
  }

  /** Runs a client's task once there is a permit. Throws what the task throws, and UNAVAILABLE where it waited too long. */
  async run<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(client);
    const start = performance.now();
    try {
      return await task();
    } finally {
      this.#used.add(client, performance.now() - start);
      // The permit passes to whoever waits, and is not free in between: who comes just then must not overtake them.
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else next.begin();
    }
  }

  #wait(client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        settle();
      };
      const waiter = { client, begin: () => end(resolve) };
      const timer = setTimeout(() => end(() => reject(TOO_MUCH)), this.#waitMs);
      this.#waiting.add(waiter);
    });
  }

  #next(): Waiter | undefined {
    let next: Waiter | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiting) {
      const used = this.#used.of(waiter.client);
      if (used < least) [next, least] = [waiter, used];
    }
    return next;
  }
}

const TOO_MUCH = new Rejection(
  'UNAVAILABLE',
  'More lists are being counted than the database can count at the moment. Try again in a second.',
);
