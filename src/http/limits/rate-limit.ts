import { LRUCache } from 'lru-cache';

/** What a client may ask for over time, in cost. */
export interface RateLimits {
  /** How much comes back each second. */
  readonly perSecond: number;
  /** How much may be asked for at once. */
  readonly burst: number;
}

/** Where a client stands, as the RateLimit headers say it. */
export interface RateLimitState {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until all of it is back. */
  readonly resetSeconds: number;
  /** Whole seconds until what was asked for now would be there; at least 1. */
  readonly retrySeconds: number;
}

/** Something that says whether a client may ask. */
export interface RateBudget {
  /** Takes the cost from what a client has, where it has as much. Rejects where that cannot be found out. */
  take(client: string, cost: number): RateLimitState | Promise<RateLimitState>;
  /** Takes the cost of what is done already, or as much of it as is there. */
  spend(client: string, cost: number): void;
  /** Where a client stands, as far as is known here. */
  look(client: string): RateLimitState;
}

/** What of a client's is asked for at once: to be spent now if there is as much, or later. */
export interface LeaseRequest {
  /** What the holder has left, and gives back with this. */
  readonly left: number;
  readonly needed: number;
  /** As much besides is kept for what comes. */
  readonly spare: number;
}

export interface Lease {
  readonly isAllowed: boolean;
  readonly granted: number;
  /** What the client has besides, that nobody holds. */
  readonly rest: number;
}

/** So many clients are remembered; whoever is forgotten begins with all of it again. */
const MOST_CLIENTS = 100_000;

/** So that what was asked for just before does not keep a dear operation waiting for ever. */
const MOST_OF_BURST = 0.9;

/** What a client needs to have for an operation of a cost. */
export function neededFor(cost: number, { burst }: RateLimits): number {
  return Math.min(cost, MOST_OF_BURST * burst);
}

/** What to say of a client that has so much, after it needed this. */
export function describeState(
  { perSecond, burst }: RateLimits,
  has: number,
  asked: { readonly needed: number; readonly isAllowed: boolean },
): RateLimitState {
  return {
    isAllowed: asked.isAllowed,
    limit: burst,
    remaining: Math.floor(has),
    resetSeconds: Math.ceil((burst - has) / perSecond),
    retrySeconds: Math.max(1, Math.ceil((asked.needed - has) / perSecond)),
  };
}

/**
 * A token bucket for each client. Our own: the libraries for it count requests in fixed windows, where twice the limit
 * passes around a window's end, and keep every client until its window is over. Parts of a bucket can be lent out.
 */
export class RateLimit implements RateBudget {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MOST_CLIENTS });

  /** `now` gives milliseconds from any beginning; it never falls. */
  constructor(limits: RateLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** What costs more than a burst needs nearly all of it. */
  take(client: string, cost: number): RateLimitState {
    const bucket = this.#fill(client);
    const needed = neededFor(cost, this.#limits);
    const isAllowed = bucket.tokens >= needed;
    if (isAllowed) bucket.tokens -= needed;
    return describeState(this.#limits, bucket.tokens, { needed, isAllowed });
  }

  spend(client: string, cost: number): void {
    const bucket = this.#fill(client);
    bucket.tokens = Math.max(0, bucket.tokens - cost);
  }

  look(client: string): RateLimitState {
    return this.take(client, 0);
  }

  /** Lends a holder what it asks for. Where there is less than needed, only as much as it may keep. */
  lend(client: string, holder: number, { left, needed, spare }: LeaseRequest): Lease {
    const bucket = this.#takeBack(client, holder, left);
    const isAllowed = bucket.tokens >= needed;
    const granted = Math.min(bucket.tokens, isAllowed ? needed + spare : spare);
    bucket.tokens -= granted;
    const held = isAllowed ? granted - needed : granted;
    if (held > 0) {
      bucket.held ??= new Map();
      bucket.held.set(holder, held);
    }
    return { isAllowed, granted, rest: bucket.tokens };
  }

  /** Takes back what a holder has left of what it was lent. */
  takeBack(client: string, holder: number, left: number): void {
    this.#takeBack(client, holder, left);
  }

  /** A holder is gone. Nobody knows what it had left, so that counts as spent. */
  forget(holder: number): void {
    for (const bucket of this.#buckets.values()) bucket.held?.delete(holder);
  }

  #takeBack(client: string, holder: number, left: number): Bucket {
    const bucket = this.#fill(client);
    bucket.held?.delete(holder);
    bucket.tokens = Math.min(this.#room(bucket), bucket.tokens + left);
    return bucket;
  }

  #fill(client: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      const full = { tokens: this.#limits.burst, at: now, held: null };
      this.#buckets.set(client, full);
      return full;
    }
    const back = ((now - bucket.at) * this.#limits.perSecond) / 1000;
    bucket.tokens = Math.min(this.#room(bucket), bucket.tokens + back);
    bucket.at = now;
    return bucket;
  }

  /** What is lent may be spent yet: with that, too, there is never more than a burst. */
  #room({ held }: Bucket): number {
    let room = this.#limits.burst;
    if (held !== null) for (const lent of held.values()) room -= lent;
    return Math.max(0, room);
  }
}

interface Bucket {
  tokens: number;
  at: number;
  /** What was lent, by holder. */
  held: Map<number, number> | null;
}
