/** What happens at a time. */
type Act = () => void;

interface Planned {
  readonly at: number;
  /** Of the same time, what was planned first happens first. */
  readonly order: number;
  readonly act: Act;
}

/** The clock of a simulation: whole nanoseconds, and what is due, in the order of its times. */
export class Clock {
  /** Whole nanoseconds since the simulation began. */
  now = 0;
  readonly #heap: Planned[] = [];
  #planned = 0;

  /** Plans something for a time, which is now or later. */
  plan(at: number, act: Act): void {
    if (!Number.isSafeInteger(at) || at < this.now)
      throw new RangeError(`${at} is no time from ${this.now} on.`);
    const one = { at, order: this.#planned++, act };
    const heap = this.#heap;
    let place = heap.push(one) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (isBefore(heap[above] as Planned, one)) break;
      heap[place] = heap[above] as Planned;
      place = above;
    }
    heap[place] = one;
  }

  /** Goes on until nothing is planned any more. */
  run(): void {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      this.now = next.at;
      next.act();
    }
  }

  #take(): Planned | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let place = 0;
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      const right = heap[below + 1];
      if (right !== undefined && isBefore(right, heap[below] as Planned)) below += 1;
      if (isBefore(last, heap[below] as Planned)) break;
      heap[place] = heap[below] as Planned;
      place = below;
    }
    heap[place] = last;
    return first;
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
