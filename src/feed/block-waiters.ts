import type { Signal } from '../signal.ts';

/** How many may wait at once, and how many of one client; one more is told at once that its block is not there. */
const MOST_WAITING = 10_000;
const MOST_OF_CLIENT = 1_000;

/** Who asks for a block. */
export interface BlockAsker {
  /** Absent where others have counted what it may have open, and where it is the gateway itself. */
  readonly client?: string;
  /** Aborted when nobody waits any more. */
  readonly signal: Signal;
}

/** Those who wait for a block to be published. */
export class BlockWaiters {
  readonly #waiting = new Set<Waiter>();
  readonly #ofClient = new Map<string, number>();

  /**
   * Waits for a position, for so long or until its asker has left; resolves with whether it came. Without a client it is
   * the gateway itself, which no client may keep from it, or what is counted elsewhere.
   */
  wait(position: bigint, limitMs: number, asker?: BlockAsker): Promise<boolean> {
    const { signal, client } = asker ?? {};
    if (signal?.aborted || !this.#hasRoom(client)) return Promise.resolve(false);
    this.#count(client, 1);
    return new Promise((resolve) => {
      const end = (isThere: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#waiting.delete(waiter);
        this.#count(client, -1);
        resolve(isThere);
      };
      const leave = () => end(false);
      const timer = setTimeout(leave, limitMs);
      signal?.addEventListener('abort', leave);
      const waiter = { position, end };
      this.#waiting.add(waiter);
    });
  }

  /** Lets those go who wait for a position or a lower one. */
  reach(position: bigint): void {
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.end(true);
  }

  /** Lets everybody go. */
  close(): void {
    for (const { end } of this.#waiting) end(false);
  }

  #hasRoom(client: string | undefined): boolean {
    if (client === undefined) return true;
    return this.#waiting.size < MOST_WAITING && (this.#ofClient.get(client) ?? 0) < MOST_OF_CLIENT;
  }

  #count(client: string | undefined, change: 1 | -1): void {
    if (client === undefined) return;
    const count = (this.#ofClient.get(client) ?? 0) + change;
    if (count === 0) this.#ofClient.delete(client);
    else this.#ofClient.set(client, count);
  }
}

interface Waiter {
  readonly position: bigint;
  readonly end: (isThere: boolean) => void;
}
