/** Times of a simulation, in whole nanoseconds. */
export class Times {
  readonly #values: number[] = [];
  #isSorted = true;

  add(ns: number): void {
    this.#values.push(ns);
    this.#isSorted = false;
  }

  get count(): number {
    return this.#values.length;
  }

  /** The least value that so many of a thousand do not exceed; null where there is none. */
  permille(part: number): number | null {
    if (!this.#isSorted) this.#values.sort((one, other) => one - other);
    this.#isSorted = true;
    const place = Math.ceil((part * this.#values.length) / 1000) - 1;
    return this.#values[Math.max(0, place)] ?? null;
  }
}
