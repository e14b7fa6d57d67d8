/**
 * The event loop's turn: it reads what has come on every connection before it begins again, so that what is read late
 * in a turn has waited for as long as that takes, unseen by any queue of ours.
 */
export class LoopTurn {
  #since: number | null = null;

  /** How long ago this turn read its first request. To be called for every request. */
  ageAt(now: number): number {
    if (this.#since === null) {
      this.#since = now;
      setImmediate(() => {
        this.#since = null;
      });
    }
    return now - this.#since;
  }
}
