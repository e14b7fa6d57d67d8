/** How long others wait for their turn, but for the garbage that is collected in it and for what cannot be divided. */
const SLICE_MS = 4;
/** Looking at the clock costs as much as writing a field. */
const STEPS_BETWEEN_LOOKS = 32;
/** What so many rows come to takes a slice of its own where it is done in one piece. */
const MANY_ROWS = 1500;

/** Divides the work of an answer into slices of time, so that a long one does not keep all others waiting. */
export class TimeSlice {
  #since = performance.now();
  #steps = 0;
  #turn: Promise<void> | null = null;

  /** Called at each step, or after several: whether it is the others' turn. */
  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < STEPS_BETWEEN_LOOKS) return false;
    this.#steps = 0;
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Lets the others go first, before something is done at once with all of these rows; null where there are few. */
  before(rows: number): Promise<void> | null {
    return rows > MANY_ROWS ? this.next() : null;
  }

  /** Called before a step of many that are begun at once: what it waits for, with all that come after it; null where it may be done. */
  whenNext(): Promise<void> | null {
    if (this.#turn === null && this.isOver())
      this.#turn = this.next().then(() => {
        this.#turn = null;
      });
    return this.#turn;
  }

  /** Lets the others go first. */
  async next(): Promise<void> {
    await takeTurn();
    this.#since = performance.now();
  }
}

/** Those who wait for a turn of the event loop. */
const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop that nobody else goes on in: however many wait, no turn is longer than a slice. */
function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
