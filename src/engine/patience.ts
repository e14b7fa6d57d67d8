import { Backoff } from '../backoff.ts';
import { Rejection } from '../errors.ts';
import type { RequestScope } from '../http/request-scope.ts';

/** How long an answer that has begun waits for its client's rate, or for room among others. */
const PATIENCE = { firstMs: 250, limitMs: 4000, deadlineMs: 30_000, jitter: true } as const;

/** Asks again while the gateway has too much to do, and as long as somebody waits: an answer that has begun can say no error. */
export class Patience {
  /** Aborted when nobody waits any more. */
  readonly #left = new AbortController();

  constructor(scope: RequestScope) {
    scope.whenLeft(() => this.#left.abort());
  }

  /** Rejects with what `ask` rejects with, where that is no matter of waiting. */
  async ask<Result>(ask: () => Promise<Result>): Promise<Result> {
    const backoff = new Backoff({ ...PATIENCE, signal: this.#left.signal });
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Rejection && (await backoff.wait()))) throw error;
      }
    }
  }
}
