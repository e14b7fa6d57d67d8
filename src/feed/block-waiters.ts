/** How many may wait at once; one more is told at once that its block is not there. */
const MOST_WAITING = 10_000;

/** Those who wait for a block to be published. */
export class BlockWaiters {
  readonly #waiting = new Set<Waiter>();

  /** Waits for a height, for so long; resolves with whether it came. */
  wait(height: bigint, limitMs: number): Promise<boolean> {
    if (this.#waiting.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isThere: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(isThere);
      };
      const timer = setTimeout(end, limitMs, false);
      const waiter = { height, end };
      this.#waiting.add(waiter);
    });
  }

  /** Lets those go who wait for a height or a lower one. */
  reach(height: bigint): void {
    for (const waiter of this.#waiting) if (waiter.height <= height) waiter.end(true);
  }

  /** Lets everybody go. */
  close(): void {
    for (const { end } of this.#waiting) end(false);
  }
}

interface Waiter {
  readonly height: bigint;
  readonly end: (isThere: boolean) => void;
}
