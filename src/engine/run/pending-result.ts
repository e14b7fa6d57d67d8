import { ClientLeft } from '../../http/request-scope.ts';

/** A result that has to be read, for all who wait for it: it is read no further when the last of them has left. */
export class PendingResult<Result> {
  readonly made: Promise<Result>;
  readonly #leaving: AbortController;
  #waiting = 0;

  /** `leaving` ends what is read for it. */
  constructor(made: Promise<Result>, leaving: AbortController = new AbortController()) {
    this.made = made;
    this.#leaving = leaving;
  }

  /** Whether all have left, so that it comes to nothing. */
  get isLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Waits with the others. Who does not wait to the end leaves, once. */
  join(): Promise<Result> {
    this.#waiting += 1;
    return this.made;
  }

  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#leaving.abort(new ClientLeft());
  }
}
