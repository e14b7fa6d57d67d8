/** A clock that a test turns: what waits for a time is called when it comes, in order. */
export class VirtualClock {
  #now = 1_700_000_000_000;
  #count = 0;
  readonly #waiting: { readonly at: number; readonly order: number; readonly call: () => void }[] = [];

  get now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const entry = { at: this.#now + Math.ceil(milliseconds), order: this.#count++, call };
    const place = this.#waiting.findIndex(({ at }) => at > entry.at);
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, entry);
    return () => {
      const index = this.#waiting.indexOf(entry);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
  }

  /** Goes on to the next time that something waits for, and lets all promises settle; false where nothing waits. */
  async step(): Promise<boolean> {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#now = Math.max(this.#now, next.at);
      next.call();
    }
    await this.settle();
    return next !== undefined;
  }

  /** Lets all promises settle, at the same time: reading a block takes some turns of them. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 12; turn++) await null;
  }
}
