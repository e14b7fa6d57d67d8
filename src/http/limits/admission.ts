import type { Rejection } from '../../errors.ts';
import type { Signal } from '../../signal.ts';
import { Bulkhead, type BulkheadLimits, type BulkheadLoad, type Release } from './bulkhead.ts';

/**
 * Admits work by what it may cost, so that what is under way ends soon however much is asked for. The rest waits shortly,
 * the clients taking turns: a greedy one waits behind itself. What is not admitted then is refused, which costs next to
 * nothing. Small operations have a bulkhead of their own, so that large ones never fill their room.
 */
export class Admission {
  readonly #small: Bulkhead;
  readonly #large: Bulkhead;
  readonly #largeFrom: number;

  constructor({ small, large, largeFrom }: AdmissionLimits) {
    this.#small = new Bulkhead(small);
    this.#large = new Bulkhead(large);
    this.#largeFrom = largeFrom;
  }

  /**
   * Gives the release at once where there is room, or promises it. Rejects with UNAVAILABLE where there is none in time,
   * and with the signal's reason when that is aborted first.
   */
  admit(client: string, cost: number, signal?: Signal): Release | Promise<Release> {
    return (cost < this.#largeFrom ? this.#small : this.#large).admit(client, cost, signal);
  }

  /**
   * The refusal of a client's request that would wait in vain, before it is known what is asked: whatever is done for it
   * then is taken from those that are under way. Null where it may wait. To be called for every request as it is read.
   */
  rejectionFor(client: string): Rejection | null {
    return this.#small.rejectionFor(client);
  }

  /** What is under way and waits. */
  get load(): Readonly<Record<'small' | 'large', BulkheadLoad>> {
    return { small: this.#small.load, large: this.#large.load };
  }
}

export interface AdmissionLimits {
  readonly small: BulkheadLimits;
  readonly large: BulkheadLimits;
  /** The cost from which an operation is large. */
  readonly largeFrom: number;
}

/** About eight milliseconds: a unit of cost is about a microsecond. */
const LARGE_FROM = 8_000;

/** As many requests as one client may well have on their way at once: they are no overload, however few are under way at once. */
const LEAST_CROWD = 20;

/**
 * What a gateway takes on. There is no use in more small operations at once than there are database connections, which
 * would only wait for these. Large ones have a third of the connections, since the event loop and PostgreSQL's processors
 * are shared, too, and wait for as long as one may wait for a connection.
 */
export function admissionLimits(options: {
  readonly admittedCost: number;
  readonly admissionWaitMs: number;
  readonly poolSize: number;
  readonly poolWaitMs: number;
}): AdmissionLimits {
  const { admittedCost, admissionWaitMs, poolSize, poolWaitMs } = options;
  const twice = 2 * admittedCost;
  const largeAtOnce = Math.max(2, Math.floor(poolSize / 3));
  return {
    small: {
      atOnce: poolSize,
      crowd: Math.max(LEAST_CROWD, 2 * poolSize),
      cost: admittedCost,
      waitingCost: twice,
      waitMs: admissionWaitMs,
    },
    large: {
      atOnce: largeAtOnce,
      crowd: Number.POSITIVE_INFINITY,
      cost: twice,
      waitingCost: twice,
      waitMs: poolWaitMs,
    },
    largeFrom: Math.min(LARGE_FROM, admittedCost / 2),
  };
}
