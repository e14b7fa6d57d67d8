import { performance } from 'node:perf_hooks';

/** What keeps an event loop waiting that has nothing else to do for longer is not short. */
const SHORT_IDLE_MS = 5;
/** Nor is what takes longer than this, whatever else there was to do. */
const SHORT_MS = 20;
/** For so long nobody is to wait behind it. */
const LONG_IDLE_MS = 20;

/** What a statement took: it was `late` where that may have been the machine's fault. */
export type Took = 'short' | 'late' | 'long';

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

  get took(): Took {
    const idleMs = nodeTiming.idleTime - this.#idleSince;
    if (idleMs > LONG_IDLE_MS) return 'long';
    return this.ms > SHORT_MS || idleMs > SHORT_IDLE_MS ? 'late' : 'short';
  }

  restart(): void {
    this.#since = performance.now();
    this.#idleSince = nodeTiming.idleTime;
  }
}
