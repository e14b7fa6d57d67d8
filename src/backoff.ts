import { setTimeout as sleep } from 'node:timers/promises';

interface BackoffOptions {
  /** The first wait; each later one is twice as long, up to `limitMs`. */
  readonly firstMs: number;
  /** The longest wait; without it every wait is as long as the first. */
  readonly limitMs?: number;
  /** From when on it is no use to try again, in milliseconds from now; without it there is no end. */
  readonly deadlineMs?: number;
  /** Whether each wait is cut by a random part of up to a half: what fails for many at once need not be tried by all at once. */
  readonly jitter?: boolean;
  /** Ends a wait, and there is no other. */
  readonly signal?: AbortSignal;
  /** Whether a wait keeps the process alive; it does unless this is false. */
  readonly ref?: boolean;
}

/**
 * The waits between the attempts at something that fails, ever longer. Our own: the libraries for it call a function
 * again until it succeeds, but some of our loops go on after a success and begin anew with the first wait later.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #deadline: number;
  #nextMs: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#deadline = performance.now() + (options.deadlineMs ?? Number.POSITIVE_INFINITY);
    this.#nextMs = options.firstMs;
  }

  /** How long the next wait takes, jitter apart. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** Waits, and says whether to try again: not once the deadline has passed or the signal is aborted. */
  async wait(): Promise<boolean> {
    const { firstMs, limitMs = firstMs, jitter = false, signal, ref = true } = this.#options;
    if (signal?.aborted || performance.now() > this.#deadline) return false;
    const waitMs = jitter ? this.#nextMs * (0.5 + Math.random() / 2) : this.#nextMs;
    this.#nextMs = Math.min(this.#nextMs * 2, limitMs);
    await sleep(waitMs, undefined, { ref, ...(signal && { signal }) }).catch(() => undefined);
    return !signal?.aborted;
  }

  /** Puts the deadline off by the time in which nothing could be tried. */
  postpone(ms: number): void {
    this.#deadline += ms;
  }

  /** Begins anew with the first wait: something has worked. */
  reset(): void {
    this.#nextMs = this.#options.firstMs;
  }
}
