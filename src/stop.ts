import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { StopRequest } from './data/embedded/postgres.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * A Ctrl-C reaches every process of the terminal's job, and npm, which is one of them, passes it on besides; `timeout`
 * does the like with SIGTERM. So the same signal again, so soon, is the same stop.
 */
const SAME_STOP_MS = 2_000;
/** How often one looks whether npm still runs. */
const LOOK_MS = 1_000;
/** More than a hurried stop of the database takes. */
const END_LIMIT_MS = 15_000;

/**
 * The stop of this process. The first signal asks for one in good order; a second one, which is another signal or comes
 * later, ends the process at once, and takes along what is held until then.
 */
export class Stop implements StopRequest {
  readonly #asked = new AbortController();
  readonly #hurried = new AbortController();
  readonly #held = new Set<() => Promise<void>>();
  #first: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;

  /** Listens for the signals of the process from now on. `now` gives milliseconds from any beginning. */
  static listen(source: EventEmitter = process, now: () => number = () => performance.now()): Stop {
    const stop = new Stop();
    for (const signal of SIGNALS) source.on(signal, () => stop.#take(signal, now()));
    return stop;
  }

  /**
   * Stops as SIGTERM does when npm, which started this process, is gone: it passes on every signal but SIGKILL, and nobody
   * would look for what it has started. No second signal: npm ends by what stops this process, and sooner.
   */
  withNpm(parentOf: () => number = () => process.ppid): this {
    const npm = parentOf();
    const looking = setInterval(() => {
      if (parentOf() === npm) return;
      clearInterval(looking);
      if (!this.signal.aborted) this.#take('SIGTERM', performance.now());
    }, LOOK_MS).unref();
    return this;
  }

  get signal(): AbortSignal {
    return this.#asked.signal;
  }

  get hurry(): AbortSignal {
    return this.#hurried.signal;
  }

  hold(close: () => Promise<void>): () => void {
    this.#held.add(close);
    return () => this.#held.delete(close);
  }

  #take(signal: NodeJS.Signals, now: number): void {
    this.#first ??= { signal, at: now };
    this.#asked.abort();
    if (this.hurry.aborted || this.#isSameStop(signal, now)) return;
    this.#hurried.abort();
    void this.#endAtOnce(128 + constants.signals[signal]);
  }

  /** A terminal that is closed, or a session that ends, says so besides: nobody means anything by it. */
  #isSameStop(signal: NodeJS.Signals, now: number): boolean {
    if (signal === 'SIGHUP' || this.#first === null) return true;
    const isWithFirst = signal === this.#first.signal || this.#first.signal === 'SIGHUP';
    return isWithFirst && now - this.#first.at < SAME_STOP_MS;
  }

  async #endAtOnce(code: number): Promise<void> {
    process.exitCode = code;
    setTimeout(() => process.exit(code), END_LIMIT_MS);
    process.stderr.write('periscope: asked again to stop; ending at once.\n');
    await Promise.allSettled([...this.#held].map((close) => close()));
    process.exit(code);
  }
}
