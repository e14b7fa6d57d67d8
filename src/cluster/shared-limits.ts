import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError, Rejection } from '../errors.ts';
import {
  createQuotas,
  type GiveBack,
  type QuotaLimits,
  type QuotaName,
  type Quotas,
} from '../http/limits/quota.ts';
import {
  describeState,
  neededFor,
  type RateBudget,
  RateLimit,
  type RateLimitState,
  type RateLimits,
} from '../http/limits/rate-limit.ts';
import type { PrimaryCalls, PrimaryChannel } from './messages.ts';

/*
 * Limits that hold for all workers together, exactly: the primary counts. A stream or a socket is asked for one by one. What
 * a client may ask for over time is lent in parts, so that nearly every request is paid without asking.
 */

/** What the primary is asked and told about limits. */
type LimitCalls = Pick<PrimaryCalls, 'takeQuota' | 'giveBack' | 'lend' | 'spend' | 'takeBack'>;
type Primary = Pick<PrimaryChannel, keyof LimitCalls>;

/** What all workers together have and have asked for, in the primary. */
export class SharedLimits {
  readonly #quotas: ReturnType<typeof createQuotas>;
  readonly #rates: RateLimit | null;
  readonly #taken = new Map<number, Map<string, GiveBack>>();

  constructor(quotas: QuotaLimits, rates: RateLimits | null) {
    this.#quotas = createQuotas(quotas);
    this.#rates = rates && new RateLimit(rates);
  }

  /** What a worker may ask for. */
  answersFor(worker: number): LimitCalls {
    const grants = new Map<string, GiveBack>();
    this.#taken.set(worker, grants);
    return {
      takeQuota: (quota, client, grant) => {
        try {
          grants.set(grant, this.#quotas[quota].take(client));
          return null;
        } catch (error) {
          if (error instanceof GatewayError) return error.message;
          throw error;
        }
      },
      giveBack(grant) {
        grants.get(grant)?.();
        grants.delete(grant);
      },
      lend: (client, request) => {
        if (this.#rates === null) throw new Error('A worker asks for what is not limited.');
        return this.#rates.lend(client, worker, request);
      },
      spend: (client, cost) => this.#rates?.spend(client, cost),
      takeBack: (left) => {
        for (const [client, amount] of left) this.#rates?.takeBack(client, worker, amount);
      },
    };
  }

  /** A worker is gone, and what it had is free. */
  forget(worker: number): void {
    for (const giveBack of this.#taken.get(worker)?.values() ?? []) giveBack();
    this.#taken.delete(worker);
    this.#rates?.forget(worker);
  }
}

/** The quotas of all workers, as one of them takes from them. */
export function createSharedQuotas(primary: Primary): Quotas {
  const quotaOf = (quota: QuotaName) => ({
    async take(client: string) {
      const grant = randomUUID();
      let isTaken = true;
      const giveBack = () => {
        if (isTaken) void primary.giveBack.asEvent(grant);
        isTaken = false;
      };
      const refusal = await primary.takeQuota(quota, client, grant).catch(() => {
        // It may be granted yet.
        giveBack();
        throw noAnswer();
      });
      if (refusal !== null) throw new GatewayError('RESOURCE_EXHAUSTED', refusal);
      return giveBack;
    },
  });
  return { streams: quotaOf('streams'), sockets: quotaOf('sockets'), eventStreams: quotaOf('eventStreams') };
}

/** So many clients have leases at once, as many as the primary remembers. */
const MOST_CLIENTS = 100_000;
/** What of a burst all workers together may keep for a client that does not use it. */
const SPARE_PART = 1 / 16;
/** How long a lease is kept that is not used. */
const IDLE_MS = 500;
/** How long the primary is believed that there was too little, without being asked again. */
const BELIEVED_MS = 10;
/** How long what it said then, and what has come back since, is enough to refuse by. */
const KNOWN_MS = 1000;
/** What bounds memory: a client that has as many waiting has asked for too much. */
const MOST_WAITING = 1000;

/**
 * What clients may ask for, in a worker. The primary has the buckets and lends parts of them, so that all workers together
 * let no more pass than one process would.
 */
export class LeasedBudget implements RateBudget {
  readonly #limits: RateLimits;
  readonly #spare: number;
  readonly #primary: Primary;
  readonly #now: () => number;
  readonly #leases = new LRUCache<string, ClientLease>({
    max: MOST_CLIENTS,
    dispose: (lease, client, reason) => {
      if (reason === 'evict') this.#return([[client, lease]]);
    },
  });
  readonly #timer: NodeJS.Timeout;

  /** `now` gives milliseconds from any beginning. */
  constructor(options: {
    readonly limits: RateLimits;
    readonly workers: number;
    readonly primary: Primary;
    readonly now?: () => number;
  }) {
    this.#limits = options.limits;
    this.#spare = (options.limits.burst * SPARE_PART) / options.workers;
    this.#primary = options.primary;
    this.#now = options.now ?? (() => performance.now());
    this.#timer = setInterval(() => this.#returnIdle(), IDLE_MS).unref();
  }

  take(client: string, cost: number): RateLimitState | Promise<RateLimitState> {
    const lease = this.#leaseOf(client);
    const needed = neededFor(cost, this.#limits);
    lease.usedAt = this.#now();
    const state = lease.waiting > 0 ? null : this.#spend(lease, needed);
    return state ?? this.#takeTurn(client, lease, needed);
  }

  spend(client: string, cost: number): void {
    const lease = this.#leaseOf(client);
    const paid = Math.min(lease.left, cost);
    lease.left -= paid;
    if (paid < cost) void this.#primary.spend.asEvent(client, cost - paid);
  }

  look(client: string): RateLimitState {
    const lease = this.#leases.peek(client);
    const has = lease === undefined ? this.#limits.burst : this.#hasAtMost(lease);
    return describeState(this.#limits, has, { needed: 0, isAllowed: true });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #leaseOf(client: string): ClientLease {
    const known = this.#leases.get(client);
    if (known !== undefined) return known;
    const lease = {
      ...{ left: 0, rest: this.#limits.burst, toldAt: 0, isShort: false, isLent: false, usedAt: 0 },
      ...{ waiting: 0, wanted: 0, turn: Promise.resolve() },
    };
    this.#leases.set(client, lease);
    return lease;
  }

  /** Pays from the lease, or refuses by what the primary said just now; null where it has to be asked. */
  #spend(lease: ClientLease, needed: number): RateLimitState | null {
    if (lease.left >= needed) {
      lease.left -= needed;
      return this.#describe(lease, needed, true);
    }
    const isKnown = lease.isShort && this.#now() - lease.toldAt < KNOWN_MS;
    return isKnown && this.#hasAtMost(lease) < needed ? this.#describe(lease, needed, false) : null;
  }

  /** One question at a time for each client; whoever comes meanwhile takes turns. */
  async #takeTurn(client: string, lease: ClientLease, needed: number): Promise<RateLimitState> {
    if (lease.waiting >= MOST_WAITING)
      throw new Rejection('UNAVAILABLE', 'Too much of this client waits. Try again in a second.');
    lease.waiting += 1;
    lease.wanted += needed;
    const state = lease.turn.then(() => this.#spend(lease, needed) ?? this.#ask(client, lease, needed));
    const end = () => {
      lease.waiting -= 1;
      lease.wanted -= needed;
    };
    lease.turn = state.then(end, end);
    return state;
  }

  async #ask(client: string, lease: ClientLease, needed: number): Promise<RateLimitState> {
    const request = { left: lease.left, needed, spare: this.#spare + lease.wanted - needed };
    Object.assign(lease, { left: 0, isLent: true });
    // What is lent too late counts as spent, until the next question.
    const { isAllowed, granted, rest } = await this.#primary.lend(client, request).catch(() => {
      throw noAnswer();
    });
    lease.left += isAllowed ? granted - needed : granted;
    Object.assign(lease, { rest, toldAt: this.#now(), isShort: !isAllowed, isLent: lease.left > 0 });
    return this.#describe(lease, needed, isAllowed);
  }

  /** What others have spent since the primary told is not known. */
  #hasAtMost({ left, rest, toldAt }: ClientLease): number {
    const sinceMs = this.#now() - toldAt;
    const back = sinceMs < BELIEVED_MS ? 0 : (sinceMs * this.#limits.perSecond) / 1000;
    return Math.min(this.#limits.burst, left + rest + back);
  }

  #describe(lease: ClientLease, needed: number, isAllowed: boolean): RateLimitState {
    return describeState(this.#limits, this.#hasAtMost(lease), { needed, isAllowed });
  }

  #returnIdle(): void {
    const before = this.#now() - IDLE_MS;
    const idle: [string, ClientLease][] = [];
    // The longest unused come first.
    for (const client of this.#leases.rkeys()) {
      const lease = this.#leases.peek(client);
      if (lease === undefined || lease.usedAt > before) break;
      if (lease.waiting === 0) idle.push([client, lease]);
    }
    for (const [client] of idle) this.#leases.delete(client);
    this.#return(idle);
  }

  #return(leases: readonly (readonly [client: string, lease: ClientLease])[]): void {
    // Also where all of it is spent: the primary counts it as lent until then.
    const left = leases.flatMap(([client, lease]) => (lease.isLent ? [[client, lease.left] as const] : []));
    for (const [, lease] of leases) Object.assign(lease, { left: 0, isLent: false });
    if (left.length > 0) void this.#primary.takeBack.asEvent(left);
  }
}

/** What a worker has of a client's, and knows of it. */
interface ClientLease {
  left: number;
  /** Whether the primary may count it as lent. */
  isLent: boolean;
  /** What the primary had besides when it told so, and whether that was too little. */
  rest: number;
  toldAt: number;
  isShort: boolean;
  usedAt: number;
  /** How many wait for their turn, and what they need together. */
  waiting: number;
  wanted: number;
  /** Resolves when the last of them has had its turn. */
  turn: Promise<void>;
}

/** What is not known to be allowed is not. */
function noAnswer(): Rejection {
  return new Rejection(
    'UNAVAILABLE',
    'The gateway cannot find out at the moment whether it may do more for this client. Try again in a second.',
  );
}
