import { GatewayError } from '../../errors.ts';

/** Gives one back; may be called twice. */
export type GiveBack = () => void;

/** A thing that there is a limited number of, for all clients together and for each. */
export interface Quota {
  /** Takes one; gives what returns it. Throws, or rejects with, RESOURCE_EXHAUSTED. */
  take(client: string): GiveBack | Promise<GiveBack>;
}

/** What a gateway limits: streams, WebSockets, and event streams of many operations. */
export type Quotas = Readonly<Record<QuotaName, Quota>>;
export type QuotaName = 'streams' | 'sockets' | 'eventStreams';

export interface QuotaLimits {
  readonly maxStreams: number;
  readonly maxStreamsPerClient: number;
  readonly maxSockets: number;
  readonly maxSocketsPerClient: number;
}

/** The quotas of the settings, each counted here. */
export function createQuotas(limits: QuotaLimits): Readonly<Record<QuotaName, CountedQuota>> {
  const sockets = { total: limits.maxSockets, perClient: limits.maxSocketsPerClient };
  return {
    streams: new CountedQuota('streams', { total: limits.maxStreams, perClient: limits.maxStreamsPerClient }),
    sockets: new CountedQuota('WebSockets', sockets),
    eventStreams: new CountedQuota('event streams', sockets),
  };
}

/** A quota that is counted where it is taken. */
export class CountedQuota implements Quota {
  readonly #noun: string;
  readonly #total: number;
  readonly #perClient: number;
  readonly #taken = new Map<string, number>();
  #sum = 0;

  /** `noun` is what an error calls several of them: `streams`. */
  constructor(noun: string, limits: { readonly total: number; readonly perClient: number }) {
    this.#noun = noun;
    this.#total = limits.total;
    this.#perClient = limits.perClient;
  }

  take(client: string): GiveBack {
    const own = this.#taken.get(client) ?? 0;
    if (own >= this.#perClient) {
      throw new GatewayError(
        'RESOURCE_EXHAUSTED',
        `This address has ${own} ${this.#noun} open, and may have ${this.#perClient}. Close one before opening another.`,
      );
    }
    if (this.#sum >= this.#total) {
      throw new GatewayError(
        'RESOURCE_EXHAUSTED',
        `The gateway has ${this.#sum} ${this.#noun} open, as many as it takes. Try again later, or elsewhere.`,
      );
    }
    this.#taken.set(client, own + 1);
    this.#sum += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#sum -= 1;
      const left = (this.#taken.get(client) ?? 0) - 1;
      if (left > 0) this.#taken.set(client, left);
      else this.#taken.delete(client);
    };
  }
}
