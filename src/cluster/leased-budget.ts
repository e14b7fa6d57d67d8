import { LRUCache } from 'lru-cache';
import { Rejection } from '../errors.ts';
import {
  describeState,
  type Lease,
  neededFor,
  type RateBudget,
  type RateLimitState,
  type RateLimits,
} from '../http/limits/rate-limit.ts';
import type { Calls } from './calls.ts';
import type { ToPrimary } from './messages.ts';

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
 * What clients may ask for, in a worker. The primary has the buckets and lends parts of them: so no more is spent on the
 * machine than one process would let pass, and nearly every request is paid from what was lent before.
 */
export class LeasedBudget implements RateBudget {
  readonly #limits: RateLimits;
  readonly #spare: number;
  readonly #calls: Calls;
  readonly #send: (message: ToPrimary) => void;
  readonly #now: () => number;
  readonly #accounts = new LRUCache<string, Account>({
    max: MOST_CLIENTS,
    dispose: (account, client, reason) => {
      if (reason === 'evict') this.#return([[client, account]]);
    },
  });
  readonly #timer: NodeJS.Timeout;

  /** `now` gives milliseconds from any beginning. */
  constructor(options: {
    readonly limits: RateLimits;
    readonly workers: number;
    readonly calls: Calls;
    readonly send: (message: ToPrimary) => void;
    readonly now?: () => number;
  }) {
    this.#limits = options.limits;
    this.#spare = (options.limits.burst * SPARE_PART) / options.workers;
    this.#calls = options.calls;
    this.#send = options.send;
    this.#now = options.now ?? (() => performance.now());
    this.#timer = setInterval(() => this.#returnIdle(), IDLE_MS).unref();
  }

  take(client: string, cost: number): RateLimitState | Promise<RateLimitState> {
    const state = this.takeAtOnce(client, cost);
    return state ?? this.#wait(client, this.#accountOf(client), neededFor(cost, this.#limits));
  }

  takeAtOnce(client: string, cost: number): RateLimitState | null {
    const account = this.#accountOf(client);
    account.usedAt = this.#now();
    return account.waiting.length > 0 ? null : this.#spend(account, neededFor(cost, this.#limits));
  }

  look(client: string): RateLimitState {
    const account = this.#accounts.peek(client);
    const has = account === undefined ? this.#limits.burst : this.#hasAtMost(account);
    return describeState(this.#limits, has, { needed: 0, isAllowed: true });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #accountOf(client: string): Account {
    const known = this.#accounts.get(client);
    if (known !== undefined) return known;
    const account = { left: 0, rest: this.#limits.burst, toldAt: 0, isShort: false, usedAt: 0, waiting: [] };
    this.#accounts.set(client, account);
    return account;
  }

  /** Pays from the lease, or refuses by what the primary said just now; null where it has to be asked. */
  #spend(account: Account, needed: number): RateLimitState | null {
    if (account.left >= needed) {
      account.left -= needed;
      return this.#describe(account, needed, true);
    }
    const isKnown = account.isShort && this.#now() - account.toldAt < KNOWN_MS;
    return isKnown && this.#hasAtMost(account) < needed ? this.#describe(account, needed, false) : null;
  }

  /** One question at a time for each client; whoever comes meanwhile takes turns. */
  #wait(client: string, account: Account, needed: number): Promise<RateLimitState> {
    if (account.waiting.length >= MOST_WAITING)
      return Promise.reject(
        new Rejection('UNAVAILABLE', 'Too much of this client waits. Try again in a second.'),
      );
    return new Promise((resolve, reject) => {
      account.waiting.push({ needed, resolve, reject });
      if (account.waiting.length === 1) void this.#serve(client, account);
    });
  }

  async #serve(client: string, account: Account): Promise<void> {
    for (let first = account.waiting[0]; first !== undefined; first = account.waiting[0]) {
      const state = this.#spend(account, first.needed) ?? (await this.#ask(client, account, first.needed));
      account.waiting.shift();
      if (state instanceof Error) first.reject(state);
      else first.resolve(state);
    }
  }

  async #ask(client: string, account: Account, needed: number): Promise<RateLimitState | Error> {
    const { left } = account;
    const others = account.waiting.slice(1).reduce((sum, waiter) => sum + waiter.needed, 0);
    account.left = 0;
    try {
      const onLate = ({ isAllowed, granted }: Lease) => {
        account.left += isAllowed ? granted - needed : granted;
      };
      const question = { about: 'lease', client, left, needed, spare: this.#spare + others } as const;
      const { isAllowed, granted, rest } = await this.#calls.ask<'lease'>(question, onLate);
      account.left += isAllowed ? granted - needed : granted;
      Object.assign(account, { rest, toldAt: this.#now(), isShort: !isAllowed });
      return this.#describe(account, needed, isAllowed);
    } catch (error) {
      return error as Error;
    }
  }

  /** What others have spent since the primary told is not known. */
  #hasAtMost({ left, rest, toldAt }: Account): number {
    const sinceMs = this.#now() - toldAt;
    const back = sinceMs < BELIEVED_MS ? 0 : (sinceMs * this.#limits.perSecond) / 1000;
    return Math.min(this.#limits.burst, left + rest + back);
  }

  #describe(account: Account, needed: number, isAllowed: boolean): RateLimitState {
    return describeState(this.#limits, this.#hasAtMost(account), { needed, isAllowed });
  }

  #returnIdle(): void {
    const before = this.#now() - IDLE_MS;
    const idle: [string, Account][] = [];
    // The longest unused come first.
    for (const client of this.#accounts.rkeys()) {
      const account = this.#accounts.peek(client);
      if (account === undefined || account.usedAt > before) break;
      if (account.waiting.length === 0) idle.push([client, account]);
    }
    for (const [client] of idle) this.#accounts.delete(client);
    this.#return(idle);
  }

  #return(accounts: readonly (readonly [client: string, account: Account])[]): void {
    const left = accounts.flatMap(([client, account]) =>
      account.left > 0 ? [[client, account.left] as const] : [],
    );
    for (const [, account] of accounts) account.left = 0;
    if (left.length > 0) this.#send({ kind: 'leases', left });
  }
}

/** What a worker has of a client's, and knows of it. */
interface Account {
  left: number;
  /** What the primary had besides when it told so, and whether that was too little. */
  rest: number;
  toldAt: number;
  isShort: boolean;
  usedAt: number;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly needed: number;
  readonly resolve: (state: RateLimitState) => void;
  readonly reject: (error: Error) => void;
}
