import type { Signal } from '../signal.ts';

/** How many may wait at once; one more is told at once that its block is not there. */
const MOST_WAITING = 10_000;

/** Those who wait for a block to be published. */
export class BlockWaiters {
  readonly #waiting = new Set<Waiter>();

  /** Waits for a height, for so long or until nobody waits for it any more; resolves with whether it came. */
  wait(height: bigint, limitMs: number, signal?: Signal): Promise<boolean> {
    if (signal?.aborted || this.#waiting.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isThere: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#waiting.delete(waiter);
        resolve(isThere);
      };
      const leave = () => end(false);
      const timer = setTimeout(leave, limitMs);
      signal?.addEventListener('abort', leave);
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
