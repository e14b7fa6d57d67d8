import { Backoff } from '../../backoff.ts';
import { Rejection } from '../../errors.ts';
import type { HeaderList } from '../write/ready-head.ts';
import { type RateBudget, RateLimit, type RateLimitState, type RateLimits } from './rate-limit.ts';

/**
 * What a request costs besides its operation, what it costs more where it comes to the application, and where GraphQL goes
 * through all layers of that, whatever comes of it there, and what a stream costs to open; in the unit of operations.
 */
export const COST_OF_ASKING = { request: 50, application: 150, layers: 500, stream: 1000 } as const;

/** How often a client's rate is looked at again by what waits for it. */
const WAITS = { firstMs: 250, limitMs: 4000, jitter: true, ref: false } as const;

/** How many seconds' worth may be asked for at once. */
const BURST_SECONDS = 10;

/** What a second gives where nothing is set, in the cost of operations: 13 pages of 1000 deposits. */
const DEFAULT_PER_SECOND = 200_000;

/** What is set; without it, no limit for who serves this machine alone. Null where there is none. */
export function readRateLimits({
  rateLimit,
  host,
}: {
  readonly rateLimit: number | null;
  readonly host: string;
}): RateLimits | null {
  const perSecond = rateLimit ?? (isOnlyThisMachine(host) ? 0 : DEFAULT_PER_SECOND);
  return perSecond === 0 ? null : { perSecond, burst: perSecond * BURST_SECONDS };
}

/** The limiter that is set; null where there is no limit. */
export function createRateLimiter(settings: Parameters<typeof readRateLimits>[0]): RateLimiter | null {
  const limits = readRateLimits(settings);
  return limits && new RateLimiter(limits, new RateLimit(limits));
}

/** Whether an address that one listens on lets nobody in but this machine. */
export function isOnlyThisMachine(host: string): boolean {
  return LOOPBACK.test(host);
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Limits what a client may ask for over time, and says so in the headers that the field has for it. */
export class RateLimiter {
  readonly #budget: RateBudget;
  readonly #policy: string;
  /** How often it has refused. */
  refused = 0;

  constructor({ burst }: RateLimits, budget: RateBudget) {
    this.#budget = budget;
    this.#policy = `${burst};w=${BURST_SECONDS}`;
  }

  /** Throws, or rejects with, RESOURCE_EXHAUSTED, saying when to try again, where the client has not as much left. */
  charge(client: string, cost: number): void | Promise<void> {
    const state = this.#budget.take(client, cost);
    return state instanceof Promise ? state.then((told) => this.#check(told)) : this.#check(state);
  }

  /**
   * Charges a client as soon as it has as much; null where it has. Never rejects; over, too, when the signal is aborted, and where its rate
   * cannot be found out.
   */
  chargeInTime(client: string, cost: number, signal: AbortSignal): Promise<void> | null {
    const state = this.#budget.take(client, cost);
    if (!(state instanceof Promise) && state.isAllowed) return null;
    return this.#waitFor(state, () => this.#budget.take(client, cost), signal).catch(() => {});
  }

  /** Charges what is done already, as far as the client has it. */
  spend(client: string, cost: number): void {
    this.#budget.spend(client, cost);
  }

  /** Where a client stands (draft-ietf-httpapi-ratelimit-headers-06, and the reference): in cost, and in seconds. */
  headersFor(client: string): HeaderList {
    const { limit, remaining, resetSeconds } = this.#budget.look(client);
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

  async #waitFor(
    first: RateLimitState | Promise<RateLimitState>,
    take: () => RateLimitState | Promise<RateLimitState>,
    signal: AbortSignal,
  ): Promise<void> {
    const backoff = new Backoff({ ...WAITS, signal });
    for (let state = await first; !state.isAllowed; state = await take()) if (!(await backoff.wait())) return;
  }

  #check({ isAllowed, limit, retrySeconds }: RateLimitState): void {
    if (isAllowed) return;
    this.refused += 1;
    throw new Rejection(
      'RESOURCE_EXHAUSTED',
      `This client has asked for more than it may: a cost of ${limit} in ${BURST_SECONDS} seconds. Try again in ${retrySeconds} s.`,
      [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retrySeconds}s` }],
    );
  }
}
