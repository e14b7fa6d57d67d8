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

/** So many clients are remembered; whoever is forgotten begins with all of it again. */
const MOST_CLIENTS = 100_000;

/** So that what was asked for just before does not keep a dear operation waiting for ever. */
const MOST_OF_BURST = 0.9;

/**
 * A token bucket for each client. Our own: the libraries for it count requests in fixed windows, where twice the limit
 * passes around a window's end, and keep every client until its window is over.
 */
export class RateLimit {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MOST_CLIENTS });

  /** `now` gives milliseconds from any beginning; it never falls. */
  constructor(limits: RateLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes the cost from what the client has, where it has as much. What costs more than a burst needs nearly all of it. */
  take(client: string, cost: number): RateLimitState {
    const { perSecond, burst } = this.#limits;
    const bucket = this.#fill(client);
    const needed = Math.min(cost, MOST_OF_BURST * burst);
    const isAllowed = bucket.tokens >= needed;
    if (isAllowed) bucket.tokens -= needed;
    return {
      isAllowed,
      limit: burst,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((burst - bucket.tokens) / perSecond),
      retrySeconds: Math.max(1, Math.ceil((needed - bucket.tokens) / perSecond)),
    };
  }

  #fill(client: string): Bucket {
    const { perSecond, burst } = this.#limits;
    const now = this.#now();
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      const full = { tokens: burst, at: now };
      this.#buckets.set(client, full);
      return full;
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    return bucket;
  }
}

interface Bucket {
  tokens: number;
  at: number;
}
