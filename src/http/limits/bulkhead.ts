import { Rejection } from '../../errors.ts';
import type { Signal } from '../../signal.ts';
import { ConcurrencyLimit, type LoopTimes } from './concurrency-limit.ts';
import { FairQueue } from './fair-queue.ts';

/** Returns the room that something admitted has taken. Calling it twice is calling it once. */
export type Release = () => void;

/** What may be under way at once, and what may wait for it. */
export interface BulkheadLimits {
  /** How many may be under way, however little they cost. */
  readonly atOnce: number;
  /** How many may be under way and wait, together, before more is asked for than can be done. */
  readonly crowd: number;
  /** The sum of the costs under way. One alone may cost more. */
  readonly cost: number;
  /** The sum of the costs that wait. One alone may cost more. */
  readonly waitingCost: number;
  readonly waitMs: number;
}

export interface BulkheadLoad {
  readonly running: number;
  readonly cost: number;
  readonly waiting: number;
  /** Since the start: how many were admitted, with what cost together, how many of them had to wait, and for how long. */
  readonly admitted: number;
  readonly admittedCost: number;
  readonly queued: number;
  readonly waitedMs: number;
  /** Since the start: how many were refused, and why. */
  readonly refused: Readonly<Record<RejectionReason, number>>;
}

/** It waited as long as one may; it would have waited in vain; more waited than may. */
export type RejectionReason = 'waited' | 'crowded' | 'excess';

/** One for all: to make an error, with its stack, costs more than all else of refusing. */
const TOO_MUCH = new Rejection(
  'UNAVAILABLE',
  'The gateway has more to do than it can at the moment. Try again in a second.',
);

/** Where work is under way within limits, and other work waits for it in a fair queue. */
export class Bulkhead {
  readonly #limits: BulkheadLimits;
  readonly #queue: FairQueue<Waiter>;
  readonly #overloadLimit: ConcurrencyLimit;
  #running = 0;
  #cost = 0;
  #admitted = 0;
  #admittedCost = 0;
  #queued = 0;
  #waitedMs = 0;
  readonly #refused = { waited: 0, crowded: 0, excess: 0 };
  /** Since when some wait all the time. */
  #waitingSince = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** When one was refused because of the crowd last. */
  #overloadedAt = Number.NEGATIVE_INFINITY;

  constructor(limits: BulkheadLimits, readLoop?: () => LoopTimes) {
    this.#limits = limits;
    this.#overloadLimit = new ConcurrencyLimit(limits.atOnce, readLoop);
    this.#queue = new FairQueue(limits.waitingCost);
  }

  get load(): BulkheadLoad {
    return {
      running: this.#running,
      cost: this.#cost,
      waiting: this.#queue.length,
      admitted: this.#admitted,
      admittedCost: this.#admittedCost,
      queued: this.#queued,
      waitedMs: this.#waitedMs,
      refused: { ...this.#refused },
    };
  }

  /**
   * Null where a client may wait. While it is crowded, no more than `crowd` may be under way and ahead of it; from the
   * first that is refused for that on, until none is for a while, as many may wait as be under way: more only wait longer.
   */
  rejectionFor(client: string): Rejection | null {
    const most = this.#isOverloaded() ? 2 * this.#overloadLimit.current : this.#limits.crowd;
    const room = most - this.#running;
    const mayWait = this.#queue.length < room || this.#queue.aheadOf(client) < room;
    if (mayWait || !this.#isCrowded()) return null;
    this.#overloadedAt = performance.now();
    return this.#refuse('crowded');
  }

  /**
   * A burst may wait for `waitMs`, and is over then. Where some wait for longer than that, or were refused just now, more
   * is asked for than can be done: who waits then only makes those wait who come later (CoDel, RFC 8289).
   */
  #isCrowded(): boolean {
    const { waitMs } = this.#limits;
    const now = performance.now();
    const isQueueStanding = this.#queue.length > 0 && now - this.#waitingSince >= waitMs;
    return isQueueStanding || now - this.#refusedAt < waitMs;
  }

  /** Whether more is asked for than may wait. */
  #isOverloaded(): boolean {
    return performance.now() - this.#overloadedAt < this.#limits.waitMs;
  }

  /** As `Admission` has it. */
  admit(client: string, cost: number, signal?: Signal): Release | Promise<Release> {
    if (this.#queue.length > 0) return this.#wait(client, cost, signal);
    if (this.#hasRoom(cost)) return this.#start(cost);
    this.#waitingSince = performance.now();
    return this.#wait(client, cost, signal);
  }

  #wait(client: string, cost: number, signal?: Signal): Promise<Release> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        cost,
        admit: () => {
          settle();
          resolve(this.#startAfter(since, cost));
        },
        refuse: (reason) => giveUp(() => this.#refuse(reason)),
      };
      const leave = () => giveUp(() => signal?.reason);
      const timer = setTimeout(() => waiter.refuse('waited'), this.#limits.waitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const giveUp = (reasonFor: () => unknown) => {
        settle();
        this.#queue.remove(client, waiter);
        reject(reasonFor());
      };
      signal?.addEventListener('abort', leave);
      this.#queue.add(client, waiter);
      // Where too much waits, whoever has most of it gives some up.
      for (let excess = this.#queue.excess; excess; excess = this.#queue.excess) excess.refuse('excess');
      if (signal?.aborted) leave();
    });
  }

  #hasRoom(cost: number): boolean {
    const { cost: most } = this.#limits;
    const atOnce = this.#isOverloaded() ? this.#overloadLimit.current : this.#limits.atOnce;
    return this.#running === 0 || (this.#running < atOnce && this.#cost + cost <= most);
  }

  #startAfter(since: number, cost: number): Release {
    this.#queued += 1;
    this.#waitedMs += performance.now() - since;
    return this.#start(cost);
  }

  #start(cost: number): Release {
    this.#admitted += 1;
    this.#admittedCost += cost;
    this.#running += 1;
    this.#cost += cost;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      this.#cost -= cost;
      if (this.#isOverloaded()) this.#overloadLimit.adjust();
      for (let next = this.#queue.first; next && this.#hasRoom(next.cost); next = this.#queue.first)
        this.#queue.shift()?.admit();
    };
  }

  #refuse(reason: RejectionReason): Rejection {
    this.#refusedAt = performance.now();
    this.#refused[reason] += 1;
    return TOO_MUCH;
  }
}

interface Waiter {
  readonly cost: number;
  /** To be called when it is out of the queue. */
  readonly admit: () => void;
  readonly refuse: (reason: RejectionReason) => void;
}
