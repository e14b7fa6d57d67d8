import { type EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';

export const DISK_FULL = 'the disk of the spool is full';
export const SPOOL_FULL = 'the spool is full (SPOOL_LIMIT)';
const RETRY_MS = 1_000;
/** A wait that is longer makes the core wait: that is logged, and its end too. */
const LOG_AFTER_MS = 1_000;
const WARN_EVERY_MS = 60_000;

export interface RoomOptions {
  /** Has a `change` whenever there may be room again. */
  readonly changes: EventEmitter;
  readonly logger: Logger;
  /** How full the spool is, for the log. */
  readonly figures: () => object;
}

/** The wait for room in a spool, and what the log says of it. */
export class RoomWait {
  readonly #options: RoomOptions;
  /** Null while nothing is waited for. */
  #current: { readonly reason: string; readonly since: number; logged: boolean } | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** Why there is no room, if the wait is a longer one. */
  get trouble(): string | null {
    return this.#current?.logged ? this.#current.reason : null;
  }

  /** Waits for a change, or a while, since a disk does not say when it has room. Rejects when the signal is aborted. */
  async waitOnce(reason: string, signal: AbortSignal): Promise<void> {
    const { changes, logger, figures } = this.#options;
    this.#current ??= { reason, since: performance.now(), logged: false };
    if (!this.#current.logged && performance.now() - this.#current.since >= LOG_AFTER_MS) {
      this.#current.logged = true;
      logger.error(figures(), `${reason}: the core waits until there is room`);
    }
    const timer = setTimeout(() => changes.emit('change'), RETRY_MS);
    try {
      await once(changes, 'change', { signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the wait, if there is one: there is room. */
  end(): void {
    const { logger, figures } = this.#options;
    if (this.#current?.logged) logger.info(figures(), 'the spool has room again: events are taken in');
    this.#current = null;
  }

  /** Logs that room is getting short, now and then. */
  warn(message: string): void {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    this.#options.logger.warn(this.#options.figures(), message);
  }
}
