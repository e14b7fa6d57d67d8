/** In how many parts a round is made: what is done for thousands at once would hold the event loop. */
const PARTS = 16;

/** Something that is looked after now and then. */
export interface Tended {
  tend(): void;
}

/**
 * Looks after many things, each once in so many milliseconds, with one timer for all of them: of an idle stream, a timer of
 * its own would be a good part. The first time comes after a whole round, or up to a sixteenth of one earlier.
 */
export class TimerWheel {
  readonly #ms: number;
  /** Lists: of a set that many come to and go from, some are held for long. */
  readonly #parts: readonly Tended[][] = Array.from({ length: PARTS }, () => []);
  #next = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  join(tended: Tended): void {
    this.#partBefore(0).push(tended);
    this.#count += 1;
    this.#timer ??= setInterval(() => this.#tendNext(), this.#ms / PARTS);
  }

  /** Leaving twice is leaving once. */
  leave(tended: Tended): void {
    // Most who leave have come just before.
    for (let back = 0; back < PARTS; back += 1) {
      const part = this.#partBefore(back);
      const place = part.lastIndexOf(tended);
      if (place === -1) continue;
      part.splice(place, 1);
      this.#count -= 1;
      break;
    }
    if (this.#count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tendNext(): void {
    const part = this.#parts[this.#next] as readonly Tended[];
    this.#next = (this.#next + 1) % PARTS;
    // Some leave meanwhile.
    for (const tended of [...part]) tended.tend();
  }

  /** The part that was looked after last, or so many before it. */
  #partBefore(back: number): Tended[] {
    return this.#parts[(this.#next + 2 * PARTS - 1 - back) % PARTS] as Tended[];
  }
}
