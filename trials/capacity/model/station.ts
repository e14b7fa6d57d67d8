import type { Clock } from './clock.ts';

interface Job {
  readonly ns: number;
  readonly asked: number;
  readonly done: () => void;
}

/** What a station did, in whole nanoseconds. */
export interface StationReport {
  readonly busyNs: number;
  readonly jobs: number;
  /** How long jobs waited, together, and how many waited at once at most. */
  readonly waitedNs: number;
  readonly mostWaiting: number;
}

/** So many servers with one queue: an event loop (one), or a database server (its processors). Who comes first is served first. */
export class Station {
  readonly #clock: Clock;
  readonly #queue: Job[] = [];
  #head = 0;
  #free: number;
  #report = { busyNs: 0, jobs: 0, waitedNs: 0, mostWaiting: 0 };

  constructor(clock: Clock, servers: number) {
    this.#clock = clock;
    this.#free = servers;
  }

  /** Asks for so many nanoseconds of a server; `done` is called when it has given them. */
  ask(ns: number, done: () => void): void {
    const job = { ns, asked: this.#clock.now, done };
    if (this.#free > 0) {
      this.#free -= 1;
      this.#begin(job);
      return;
    }
    this.#queue.push(job);
    this.#report.mostWaiting = Math.max(this.#report.mostWaiting, this.#queue.length - this.#head);
  }

  get report(): StationReport {
    return { ...this.#report };
  }

  #begin({ ns, asked, done }: Job): void {
    const { now } = this.#clock;
    this.#report.busyNs += ns;
    this.#report.jobs += 1;
    this.#report.waitedNs += now - asked;
    this.#clock.plan(now + ns, () => {
      // What is done may ask again, and then comes last.
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else this.#begin(next);
      done();
    });
  }

  #next(): Job | undefined {
    const next = this.#queue[this.#head];
    if (next === undefined) return undefined;
    this.#head += 1;
    if (this.#head === this.#queue.length) {
      this.#queue.length = 0;
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue.splice(0, this.#head);
      this.#head = 0;
    }
    return next;
  }
}
