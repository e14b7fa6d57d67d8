import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** How long the event loop was busy and idle since the process began, in milliseconds. */
export type LoopTimes = Pick<EventLoopUtilization, 'active' | 'idle'>;

/** How often the limit may change: every few turns of a busy event loop. */
const LOOK_MS = 20;
/** The part of the time for which the event loop may be idle. */
const IDLE_SHARE = 0.05;
/** With fewer, all of them may wait for the database at the same moment. */
const LEAST = 4;

/**
 * How many are under way at once where more is asked for than can be done: as few as keep the event loop busy. More would
 * only wait for each other, and make every turn of the loop longer for all who wait for one, health checks among them. Where
 * the loop is idle meanwhile, the database is what is waited for, and more at once get more done.
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #least: number;
  readonly #readLoop: () => LoopTimes;
  #current: number;
  #last: LoopTimes;

  constructor(most: number, readLoop: () => LoopTimes = performance.eventLoopUtilization) {
    this.#most = most;
    this.#least = Math.min(LEAST, most);
    this.#readLoop = readLoop;
    this.#current = most;
    this.#last = readLoop();
  }

  get current(): number {
    return this.#current;
  }

  /** Looks how busy the loop was since the last time. To be called again and again, while there is enough to do. */
  adjust(): void {
    const times = this.#readLoop();
    const idle = times.idle - this.#last.idle;
    const passed = idle + times.active - this.#last.active;
    if (passed < LOOK_MS) return;
    this.#last = times;
    const next = this.#current + (idle > IDLE_SHARE * passed ? 1 : -1);
    this.#current = Math.min(Math.max(next, this.#least), this.#most);
  }
}
