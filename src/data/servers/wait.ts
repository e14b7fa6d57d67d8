import { performance } from 'node:perf_hooks';

/** What keeps an event loop waiting that has nothing else to do for longer is not short. */
const SHORT_IDLE_MS = 5;
/** Nor is what takes longer than this, whatever else there was to do. */
const SHORT_MS = 20;

const { nodeTiming } = performance;

/**
 * How long PostgreSQL is waited for. A busy event loop sees answers late, which does not make a statement slow: what counts
 * is for how long the loop had nothing else to do.
 */
export class Wait {
  #since = performance.now();
  #idleSince = nodeTiming.idleTime;

  get ms(): number {
    return performance.now() - this.#since;
  }

  get isShort(): boolean {
    return this.ms <= SHORT_MS && nodeTiming.idleTime - this.#idleSince <= SHORT_IDLE_MS;
  }

  restart(): void {
    this.#since = performance.now();
    this.#idleSince = nodeTiming.idleTime;
  }
}
