import { FairQueue } from './fair-queue.ts';
import { LoopTurn } from './loop-turn.ts';
import { Refusal } from './refusals.ts';

/** Returns the room that something admitted has taken. Calling it twice is calling it once. */
export type Release = () => void;

/** What may be under way at once, and what may wait for it. */
export interface LaneLimits {
  /** The sum of the costs under way. One alone may cost more. */
  readonly cost: number;
  /** How many may be under way, however little they cost. */
  readonly atOnce: number;
  /** What bounds memory: time bounds what waits long before that. */
  readonly waiting: number;
  readonly waitMs: number;
  /** How long one may wait while some have to all the time; as long as `waitMs` where nothing is said. */
  readonly standingWaitMs?: number;
}

/**
 * Admits work by what it may cost, so that what is under way ends soon however much is asked for. The rest waits shortly,
 * the clients taking turns: a greedy one waits behind itself. What is not admitted then is refused, which costs next to
 * nothing. There are lanes for small, medium and large operations, so that none fills another's room. What is medium or
 * large is taken on first, or refused, and then takes turns at the few places that the small ones leave to it.
 */
export class Admission {
  readonly #small: Lane;
  readonly #medium: Lane;
  readonly #large: Lane;
  readonly #turns: Lane;
  readonly #limits: AdmissionLimits;
  readonly #loopTurn = new LoopTurn();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#small = new Lane(limits.small);
    this.#medium = new Lane(limits.medium);
    this.#large = new Lane(limits.large);
    this.#turns = new Lane(limits.turns);
  }

  /**
   * Gives the release at once where there is room, or promises it. Throws, or rejects with, UNAVAILABLE where there is
   * none in time; rejects with the signal's reason when that is aborted first.
   */
  admit(client: string, cost: number, signal?: AbortSignal): Release | Promise<Release> {
    const { mediumFrom, largeFrom } = this.#limits;
    if (cost < mediumFrom) return this.#small.admit(client, cost, signal);
    return this.#takeOn(cost < largeFrom ? this.#medium : this.#large, client, cost, signal);
  }

  async #takeOn(lane: Lane, client: string, cost: number, signal?: AbortSignal): Promise<Release> {
    const leave = await lane.admit(client, cost, signal);
    try {
      const endTurn = await this.#turns.admit(client, cost, signal);
      return () => {
        endTurn();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Throws UNAVAILABLE where a client's request would wait too long, before it is known what is asked: whatever is done
   * for it then is taken from those that are under way. To be called for every request as it is read.
   */
  checkRoom(client: string): void {
    const now = performance.now();
    this.#small.checkRoom(client, now, this.#loopTurn.ageAt(now));
  }

  /** What is under way and waits, for metrics. */
  get load(): Readonly<Record<'small' | 'medium' | 'large' | 'turns', LaneLoad>> {
    return {
      small: this.#small.load,
      medium: this.#medium.load,
      large: this.#large.load,
      turns: this.#turns.load,
    };
  }
}

export interface AdmissionLimits {
  readonly small: LaneLimits;
  readonly medium: LaneLimits;
  readonly large: LaneLimits;
  /** For what the lanes of medium and large ones have taken on. */
  readonly turns: LaneLimits;
  /** The costs from which an operation is medium, and large. */
  readonly mediumFrom: number;
  readonly largeFrom: number;
}

/** Far more than get their turn in the time that one may wait, and little memory. */
const MOST_WAITING = 1000;
/** CoDel keeps a standing queue at a twentieth to a tenth of the time in which a burst may pass (RFC 8289, 4.3). */
const STANDING_PART = 1 / 10;
/** A unit of cost is about a microsecond. */
const COST_PER_MS = 1000;

/**
 * What a gateway takes on. Small operations are those that take no longer than one may wait for; there is no use in more
 * of them at once than there are database connections, which would only wait for these. The others have a third of the
 * connections at once, since the event loop and PostgreSQL's processors are shared, too; one of these is never a large one's.
 */
export function admissionLimits(options: {
  readonly admittedCost: number;
  readonly admissionWaitMs: number;
  readonly poolSize: number;
  readonly poolWaitMs: number;
}): AdmissionLimits {
  const { admittedCost, admissionWaitMs: waitMs, poolSize, poolWaitMs } = options;
  const standingWaitMs = waitMs * STANDING_PART;
  const waiting = MOST_WAITING;
  const many = Number.POSITIVE_INFINITY;
  const turns = Math.max(2, Math.floor(poolSize / 3));
  return {
    small: { cost: admittedCost, atOnce: poolSize, waiting, waitMs, standingWaitMs },
    medium: { cost: admittedCost, atOnce: many, waiting, waitMs },
    large: { cost: 2 * admittedCost, atOnce: turns - 1, waiting, waitMs },
    turns: { cost: many, atOnce: turns, waiting: many, waitMs: poolWaitMs },
    mediumFrom: Math.min(standingWaitMs * COST_PER_MS, admittedCost / 2),
    largeFrom: admittedCost / 2,
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

/** How much the newest counts in the mean time that work takes, as in TCP's mean of its round trips (RFC 6298). */
const NEWEST_PART = 1 / 8;

class Lane {
  readonly #limits: LaneLimits;
  readonly #queue: FairQueue<Waiter>;
  /** When each of those that are under way began, the oldest first. */
  readonly #running = new Set<{ readonly start: number }>();
  #cost = 0;
  #refused = 0;
  /** How long one is under way, on average. */
  #workMs = 0;
  /** Since when some wait all the time. */
  #waitingSince = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#queue = new FairQueue(limits.waiting);
  }

  get load(): LaneLoad {
    return {
      running: this.#running.size,
      cost: this.#cost,
      waiting: this.#queue.length,
      refused: this.#refused,
    };
  }

  /** `lateMs` is for how long the event loop is at what came together with the request. */
  checkRoom(client: string, now: number, lateMs: number): void {
    const maxWaitMs = this.#maxWaitMs(now);
    if (this.#expectedWaitMs(client, now) > maxWaitMs) throw this.#refuse();
    // What makes the loop late may be something else: it is no reason to take what comes later for too much as well.
    if (this.#isStanding(now) && lateMs > maxWaitMs) throw this.#refuseLate();
  }

  admit(client: string, cost: number, signal?: AbortSignal): Release | Promise<Release> {
    if (this.#queue.length === 0 && this.#hasRoom(cost)) return this.#start(cost);
    const now = performance.now();
    if (this.#queue.length === 0) this.#waitingSince = now;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        cost,
        admit: () => settle(() => resolve(this.#start(cost))),
        refuse: () => settle(() => reject(this.#refuse())),
      };
      const leave = () => settle(() => reject(signal?.reason));
      const timer = setTimeout(() => waiter.refuse(), this.#maxWaitMs(now));
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

  /**
   * A burst may wait for `waitMs`, and is over then. Where some have to wait for longer than that, or had to be refused
   * just now, more is asked for than can be done: who waits only makes those wait who come later (CoDel, RFC 8289). Then
   * one may wait for the short time, or for as long as the work itself takes.
   */
  #maxWaitMs(now: number): number {
    const { waitMs, standingWaitMs = waitMs } = this.#limits;
    return this.#isStanding(now) ? Math.min(waitMs, Math.max(standingWaitMs, this.#workMs)) : waitMs;
  }

  #isStanding(now: number): boolean {
    const { waitMs } = this.#limits;
    const isQueueStanding = this.#queue.length > 0 && now - this.#waitingSince >= waitMs;
    return isQueueStanding || now - this.#refusedAt < waitMs;
  }

  /** Work takes as long as it has lately, or as the oldest that is under way has taken by now: the database may stand still. */
  #expectedWaitMs(client: string, now: number): number {
    const { atOnce } = this.#limits;
    if (this.#queue.length === 0 && this.#running.size < atOnce) return 0;
    const [oldest] = this.#running;
    const workMs = Math.max(this.#workMs, oldest === undefined ? 0 : now - oldest.start);
    return ((this.#queue.aheadOf(client) + 1) * workMs) / atOnce;
  }

  #hasRoom(cost: number): boolean {
    const { atOnce, cost: most } = this.#limits;
    return this.#running.size === 0 || (this.#running.size < atOnce && this.#cost + cost <= most);
  }

  #start(cost: number): Release {
    const work = { start: performance.now() };
    this.#running.add(work);
    this.#cost += cost;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#workMs += (performance.now() - work.start - this.#workMs) * NEWEST_PART;
      this.#running.delete(work);
      this.#cost -= cost;
      for (let next = this.#queue.first; next && this.#hasRoom(next.cost); next = this.#queue.first)
        this.#queue.shift()?.admit();
    };
  }

  #refuse(): Refusal {
    this.#refusedAt = performance.now();
    return this.#refuseLate();
  }

  #refuseLate(): Refusal {
    this.#refused += 1;
    return TOO_MUCH;
  }
}

interface Waiter {
  readonly cost: number;
  readonly admit: () => void;
  readonly refuse: () => void;
}
