/** Says that nobody waits for something any more. An AbortSignal is one. */
export interface Signal {
  readonly aborted: boolean;
  /** Why; what whoever still asks is refused with. */
  readonly reason: unknown;
  addEventListener(type: 'abort', call: () => void): void;
  removeEventListener(type: 'abort', call: () => void): void;
}

/** The signal of what is asked often: to make and to collect an AbortSignal costs a request as much as reading its parameters. */
export class LightSignal implements Signal {
  #aborted = false;
  #reason: unknown;
  readonly #calls: (() => void)[] = [];

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(_type: 'abort', call: () => void): void {
    this.#calls.push(call);
  }

  removeEventListener(_type: 'abort', call: () => void): void {
    const place = this.#calls.indexOf(call);
    if (place !== -1) this.#calls.splice(place, 1);
  }

  /** Calls all that listen, once. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    for (const call of this.#calls.splice(0)) call();
  }
}
