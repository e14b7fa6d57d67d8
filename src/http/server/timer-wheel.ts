/** In how many parts a round is made: what is done for thousands at once would hold the event loop. */
const PARTS = 16;

/** Something that is looked after now and then. */
export interface Tended {
  tend(): void;
  /** Where the wheel has it: the part, and behind it the place there, in one number. The wheel's own. */
  seat?: number | undefined;
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
    // The part that was looked after last.
    const index = (this.#next + PARTS - 1) % PARTS;
    const part = this.#parts[index] as Tended[];
    tended.seat = part.length * PARTS + index;
    part.push(tended);
    this.#count += 1;
    this.#timer ??= setInterval(() => this.#tendNext(), this.#ms / PARTS);
  }

  /** Leaving twice is leaving once. */
  leave(tended: Tended): void {
    const { seat } = tended;
    if (seat === undefined) return;
    tended.seat = undefined;
    const part = this.#parts[seat % PARTS] as Tended[];
    const last = part.pop();
    // The last one of the part takes the seat: many may leave at once, and nobody is looked for.
    if (last !== undefined && last !== tended) {
      part[Math.floor(seat / PARTS)] = last;
      last.seat = seat;
    }
    this.#count -= 1;
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
}
