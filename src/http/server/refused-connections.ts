import type { Logger } from 'pino';

export type RefusedCounts = Record<'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_CLIENT', number>;

/** Logs now and then how many connections were refused: a line for each would be what a flood wants. */
export class RefusedConnections {
  /** Since the start, by the limit. */
  readonly counts: RefusedCounts = { MAX_CONNECTIONS: 0, MAX_CONNECTIONS_PER_CLIENT: 0 };
  readonly #logger: Logger;
  #count = 0;
  #latest: { readonly client: string; readonly limit: string } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** `limit` is the setting that a connection of the client would have gone beyond. */
  add(client: string, limit: keyof RefusedCounts): void {
    this.counts[limit] += 1;
    this.#count += 1;
    this.#latest = { client, limit };
    if (this.#timer === null) this.#log();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #log(): void {
    this.#timer = null;
    if (this.#count === 0) return;
    this.#logger.warn({ refused: this.#count, ...this.#latest }, 'connections refused');
    this.#count = 0;
    this.#timer = setTimeout(() => this.#log(), INTERVAL_MS).unref();
  }
}

const INTERVAL_MS = 10_000;
