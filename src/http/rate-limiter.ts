import { RateLimit, type RateLimits } from './rate-limit.ts';
import type { HeaderList } from './ready-head.ts';
import { Refusal } from './refusals.ts';

/**
 * What a request costs besides its operation, what it costs more where GraphQL goes through all layers, whatever comes of
 * it there, and what a stream costs to open; in the unit of operations.
 */
export const COST_OF_ASKING = { request: 50, layers: 500, stream: 1000 } as const;

/** How many seconds' worth may be asked for at once. */
const BURST_SECONDS = 10;

/** What a second gives where nothing is set, in the cost of operations: 13 pages of 1000 deposits. */
const DEFAULT_PER_SECOND = 200_000;

/** The limiter that is set; without one, none for who serves this machine alone. Null where there is no limit. */
export function createRateLimiter({
  rateLimit,
  host,
}: {
  readonly rateLimit: number | null;
  readonly host: string;
}): RateLimiter | null {
  const perSecond = rateLimit ?? (LOOPBACK.test(host) ? 0 : DEFAULT_PER_SECOND);
  return perSecond === 0 ? null : new RateLimiter(perSecond);
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Limits what a client may ask for over time, and says so in the headers that the field has for it. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #policy: string;

  constructor(perSecond: number, now?: () => number) {
    const limits: RateLimits = { perSecond, burst: perSecond * BURST_SECONDS };
    this.#limit = new RateLimit(limits, now);
    this.#policy = `${limits.burst};w=${BURST_SECONDS}`;
  }

  /** Throws RESOURCE_EXHAUSTED, saying when to try again, where the client has not as much left. */
  charge(client: string, cost: number): void {
    const { isAllowed, limit, retrySeconds } = this.#limit.take(client, cost);
    if (isAllowed) return;
    throw new Refusal(
      'RESOURCE_EXHAUSTED',
      `This client has asked for more than it may: a cost of ${limit} in ${BURST_SECONDS} seconds. Try again in ${retrySeconds} s.`,
      [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retrySeconds}s` }],
    );
  }

  /** Where a client stands (draft-ietf-httpapi-ratelimit-headers-06, and the reference): in cost, and in seconds. */
  headersFor(client: string): HeaderList {
    const { limit, remaining, resetSeconds } = this.#limit.take(client, 0);
    return [
      'RateLimit-Limit',
      `${limit}`,
      'RateLimit-Remaining',
      `${remaining}`,
      'RateLimit-Reset',
      `${resetSeconds}`,
      'RateLimit-Policy',
      this.#policy,
    ];
  }
}
