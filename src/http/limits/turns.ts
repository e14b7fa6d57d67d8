import { Rejection } from '../../errors.ts';
import { RecentUse } from '../../recent-use.ts';
import { FairQueue } from './fair-queue.ts';

/**
 * When a turn of the event loop has gone on for so long, more work of a kind is begun in the next one. What is read without a
 * price gives way soon. All else has the turns that many small answers make at once: to hold those back gains nobody anything.
 */
const TURN_MS = { unpriced: 5, usual: 25 } as const;
/**
 * Node accepts one connection in a turn. While connections come, all work gives way as soon as this, and what is read
 * without a price waits as long after each piece of it: forty connections are accepted in that time.
 */
const TURN_MS_WHILE_ACCEPTING = 4;
const ACCEPTING_MS = 10;
/**
 * Where the last turn was long of what is not begun here, as of blocks that are told to many, whoever waits has so much of that time in
 * this one: others gain nothing by less, and with one piece a turn they would wait for as long as connections come.
 */
const SHARE_OF_OTHER_WORK = 1 / 4;
/** How many turns stay short after a connection came: behind it others may wait that came with it. */
const TURNS_AFTER_CONNECTION = 2;

/** How soon work gives way. */
export type Kind = keyof typeof TURN_MS;

/** How many bytes of questions may wait. One alone may be larger. */
const MOST_WAITING_BYTES = 16 * 2 ** 20;
/** From so many milliseconds of what was refused of it lately, a client waits behind all others. */
const MUCH_REFUSED_MS = 20;

/** One for all: to make an error, with its stack, costs more than all else of refusing. */
const TOO_MUCH = new Rejection(
  'UNAVAILABLE',
  'More questions come to the gateway than it can read at the moment. Try again in a second.',
);

export interface TurnsLoad {
  readonly waiting: number;
  /** Since the start: how many had to wait, and how many were refused. */
  readonly queued: number;
  readonly refused: number;
}

/**
 * Keeps the turns of the event loop short, whatever is asked, so that health checks and new connections, of which Node
 * accepts one a turn, come soon. What has to be done before anybody knows its price, and the first part of every operation,
 * is begun in turns that have not gone on for long. Where more comes, clients take turns, and those of whom much was
 * refused lately come after all others.
 */
export class Turns {
  readonly #waitMs: number;
  readonly #queues = {
    first: new FairQueue<Waiter>(MOST_WAITING_BYTES),
    last: new FairQueue<Waiter>(MOST_WAITING_BYTES),
  };
  /** How long the gateway read what it refused of a client. */
  readonly #refusedOf = new RecentUse();
  /** Those who go on in the next turn, whatever is done in it. */
  #onNext: (() => void)[] = [];
  /** When this turn began, as far as is known here; null where nothing was done in it. */
  #since: number | null = null;
  /** How long what was begun here took in this turn, and all else in the last one. */
  #workMs = 0;
  #otherMs = 0;
  /** How many more turns have to be short, as connections may wait to be accepted. */
  #hurried = 0;
  /** When the last work ended, as far as that matters while connections come. */
  #workedAt = 0;
  #queued = 0;
  #refused = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  get load(): TurnsLoad {
    const { first, last } = this.#queues;
    return { waiting: first.length + last.length, queued: this.#queued, refused: this.#refused };
  }

  /** Whether this turn has gone on for so long that work of a kind should wait. */
  isOver(kind: Kind): boolean {
    const now = performance.now();
    if (this.#since === null) {
      this.#since = now;
      setImmediate(this.#begin);
    }
    const ms = now - this.#since;
    if (this.#otherMs > TURN_MS.usual && ms < SHARE_OF_OTHER_WORK * this.#otherMs) return false;
    if (this.#hurried === 0) return ms >= TURN_MS[kind];
    if (kind === 'unpriced' && now - this.#workedAt < ACCEPTING_MS) return true;
    return ms >= TURN_MS_WHILE_ACCEPTING;
  }

  /** Shortens this turn and the next: a connection came, and Node accepts the one behind it in the next turn. */
  hurry(): void {
    this.#hurried = TURNS_AFTER_CONNECTION;
    this.isOver('usual');
  }

  /** Calls in the next turn. */
  next(call: () => void): void {
    this.isOver('usual');
    this.#onNext.push(call);
  }

  /**
   * Does work of a client, on so many bytes: at once where this turn has room for it, else in one of the next, and then it
   * gives a promise. Throws, or rejects with, what the work throws, and UNAVAILABLE for what would wait too long.
   */
  do<Result>(
    client: string,
    bytes: number,
    kind: Kind,
    work: () => Result,
    waitMs = this.#waitMs,
  ): Result | Promise<Result> {
    if (!this.isOver(kind) && (kind === 'usual' || this.#isEmpty)) return this.#take(client, work);
    return new Promise((resolve, reject) => {
      const queue = this.#queues[this.#refusedOf.of(client) > MUCH_REFUSED_MS ? 'last' : 'first'];
      const waiter: Waiter = {
        cost: bytes,
        take: () => {
          clearTimeout(timer);
          try {
            resolve(this.#take(client, work));
          } catch (error) {
            reject(error);
          }
        },
        refuse: () => {
          clearTimeout(timer);
          queue.remove(client, waiter);
          this.#refused += 1;
          reject(TOO_MUCH);
        },
      };
      const timer = setTimeout(waiter.refuse, waitMs);
      this.#queued += 1;
      queue.add(client, waiter);
      for (let excess = queue.excess; excess; excess = queue.excess) excess.refuse();
    });
  }

  #take<Result>(client: string, work: () => Result): Result {
    const start = performance.now();
    let result: Result | undefined;
    let isRefused = true;
    try {
      result = work();
      isRefused = false;
      return result;
    } finally {
      const now = performance.now();
      this.#workMs += now - start;
      if (this.#hurried > 0) this.#workedAt = now;
      const note = () => this.#refusedOf.add(client, now - start);
      if (isRefused) note();
      // What goes on later is work of other turns.
      else if (result instanceof Promise) result.catch(note);
    }
  }

  readonly #begin = (): void => {
    this.#otherMs = this.#since === null ? 0 : performance.now() - this.#since - this.#workMs;
    this.#workMs = 0;
    this.#since = null;
    if (this.#hurried > 0) this.#hurried -= 1;
    const calls = this.#onNext;
    this.#onNext = [];
    for (const call of calls) call();
    const { first, last } = this.#queues;
    while (!this.#isEmpty && !this.isOver('unpriced')) (first.shift() ?? last.shift())?.take();
  };

  get #isEmpty(): boolean {
    return this.#queues.first.length === 0 && this.#queues.last.length === 0;
  }
}

interface Waiter {
  readonly cost: number;
  /** To be called when it is out of the queue. */
  readonly take: () => void;
  readonly refuse: () => void;
}
