/** What was opened one after the other, to be closed together: of `AsyncDisposableStack`, which Node 20 has not, what we need. */
export class DisposableStack {
  readonly #closes: (() => PromiseLike<unknown>)[] = [];

  /** Closes this, too; gives it back. */
  use<Resource extends AsyncDisposable | null>(resource: Resource): Resource {
    if (resource !== null) this.defer(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  defer(close: () => PromiseLike<unknown>): void {
    this.#closes.push(close);
  }

  /** Closes what was opened last first, and all of it where some cannot be closed. */
  async close(): Promise<void> {
    const close = this.#closes.pop();
    if (close === undefined) return;
    try {
      await close();
    } finally {
      await this.close();
    }
  }
}
