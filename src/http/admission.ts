import { FairQueue } from './fair-queue.ts';
import { Refusal } from './refusals.ts';

/** Returns the room that something admitted has taken. Calling it twice is calling it once. */
export type Release = () => void;

/** What may be under way at once, and what may wait for it. */
export interface LaneLimits {
  /** The sum of the costs under way. One alone may cost more. */
  readonly cost: number;
  /** How many may be under way, however little they cost. */
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
}

/**
 * Admits work by what it may cost, so that what is under way ends soon however much is asked for. The rest waits shortly,
 * the clients taking turns: a greedy one waits behind itself. What is not admitted then is refused, which costs next to
 * nothing. Large operations have a lane of their own and never fill the other's.
 */
export class Admission {
  readonly #small: Lane;
  readonly #large: Lane;
  readonly #largeFrom: number;

  constructor({ small, large, largeFrom }: AdmissionLimits) {
    this.#small = new Lane(small);
    this.#large = new Lane(large);
    this.#largeFrom = largeFrom;
  }

  /**
   * Gives the release at once where there is room, or promises it. Throws, or rejects with, UNAVAILABLE where there is
   * none in time; rejects with the signal's reason when that is aborted first.
   */
  admit(client: string, cost: number, signal?: AbortSignal): Release | Promise<Release> {
    return (cost < this.#largeFrom ? this.#small : this.#large).admit(client, cost, signal);
  }

  /**
   * Throws UNAVAILABLE where every place to wait is taken, before it is known what is asked: whatever is done for a request
   * then is taken from those that are under way.
   */
  checkRoom(): void {
    this.#small.checkRoom();
  }

  /** What is under way and waits, for metrics. */
  get load(): Readonly<Record<'small' | 'large', LaneLoad>> {
    return { small: this.#small.load, large: this.#large.load };
  }
}

export interface AdmissionLimits {
  readonly small: LaneLimits;
  readonly large: LaneLimits;
  /** The cost from which an operation is large. */
  readonly largeFrom: number;
}

/**
 * What a gateway takes on where so much cost may be under way in the lane of small operations: as many large ones as cost
 * twice that, since these let the others go in between, and four at once. There is no use in more small ones at once than
 * keep the database's connections busy.
 */
export function admissionLimits(options: {
  readonly admittedCost: number;
  readonly admissionWaitMs: number;
}): AdmissionLimits {
  const { admittedCost: maxCost, admissionWaitMs: waitMs } = options;
  return {
    small: { cost: maxCost, atOnce: 40, waiting: 100, waitMs },
    large: { cost: 2 * maxCost, atOnce: 4, waiting: 50, waitMs },
    largeFrom: maxCost / 2,
  };
}

export interface LaneLoad {
  readonly running: number;
  readonly cost: number;
  readonly waiting: number;
  /** How many were refused since the start. */
  readonly refused: number;
}

/** One for all: to make an error, with its stack, costs more than all else of refusing. */
const TOO_MUCH = new Refusal(
  'UNAVAILABLE',
  'The gateway has more to do than it can at the moment. Try again in a second.',
);

class Lane {
  readonly #limits: LaneLimits;
  readonly #queue: FairQueue<Waiter>;
  #running = 0;
  #cost = 0;
  #refused = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#queue = new FairQueue(limits.waiting);
  }

  get load(): LaneLoad {
    return { running: this.#running, cost: this.#cost, waiting: this.#queue.length, refused: this.#refused };
  }

  checkRoom(): void {
    if (this.#queue.length >= this.#limits.waiting) throw this.#refuse();
  }

  admit(client: string, cost: number, signal?: AbortSignal): Release | Promise<Release> {
    if (this.#queue.length === 0 && this.#hasRoom(cost)) return this.#start(cost);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        cost,
        admit: () => settle(() => resolve(this.#start(cost))),
        refuse: () => settle(() => reject(this.#refuse())),
      };
      const leave = () => settle(() => reject(signal?.reason));
      const timer = setTimeout(() => {
        this.#queue.remove(client, waiter);
        waiter.refuse();
      }, this.#limits.waitMs);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#queue.remove(client, waiter);
        end();
      };
      signal?.addEventListener('abort', leave);
      // Where all places are taken, whoever has most of them gives one up.
      this.#queue.add(client, waiter)?.refuse();
      if (signal?.aborted) leave();
    });
  }

  #hasRoom(cost: number): boolean {
    const { atOnce, cost: most } = this.#limits;
    return this.#running === 0 || (this.#running < atOnce && this.#cost + cost <= most);
  }

  #start(cost: number): Release {
    this.#running += 1;
    this.#cost += cost;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      this.#cost -= cost;
      for (let next = this.#queue.first; next && this.#hasRoom(next.cost); next = this.#queue.first)
        this.#queue.shift()?.admit();
    };
  }

  #refuse(): Refusal {
    this.#refused += 1;
    return TOO_MUCH;
  }
}

interface Waiter {
  readonly cost: number;
  readonly admit: () => void;
  readonly refuse: () => void;
}
