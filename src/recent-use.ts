import { LRUCache } from 'lru-cache';

/** So many clients are known. Whoever is forgotten has used nothing. */
const MOST_CLIENTS = 10_000;
/** Half of what was used is forgotten in this time. */
const HALF_LIFE_MS = 2000;

/** How many milliseconds of something each client has used lately. What is used fades from the moment on that it is noted. */
export class RecentUse {
  readonly #used = new LRUCache<string, { readonly ms: number; readonly at: number }>({ max: MOST_CLIENTS });

  of(client: string): number {
    const used = this.#used.get(client);
    return used === undefined ? 0 : used.ms * 2 ** ((used.at - performance.now()) / HALF_LIFE_MS);
  }

  add(client: string, ms: number): void {
    this.#used.set(client, { ms: this.of(client) + ms, at: performance.now() });
  }
}
