import type { QuotaName } from '../http/limits/quota.ts';
import type { Lease, LeaseRequest } from '../http/limits/rate-limit.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** What a worker needs to know to begin. */
export interface Beginning {
  readonly databaseUrl: string;
  /** Where each worker has a socket for the others, named by its id. */
  readonly folder: string;
  /** Its place among the workers, from 1 on, which a worker that takes its place has again. */
  readonly place: number;
  /** How many there are. */
  readonly workers: number;
  /** Its share of the connections to the database. */
  readonly poolSize: number;
}

/** What the primary says to a worker. A socket comes with `connection`. */
export type ToWorker =
  | ({ readonly kind: 'begin' } & Beginning)
  | { readonly kind: 'connection'; readonly connection: number }
  | { readonly kind: 'makeRoom'; readonly client: string }
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'running'; readonly workers: number }
  | { readonly kind: 'readMetrics'; readonly reading: number }
  | { readonly kind: 'drain' }
  /** No connection comes any more. */
  | { readonly kind: 'last' };

/** What a worker says to the primary. */
export type ToPrimary =
  | { readonly kind: 'started' }
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** Whether a setting has to be changed. */
      readonly isMistake: boolean;
      /** Whether it may work later, without anybody changing anything here. */
      readonly isPassing: boolean;
    }
  | { readonly kind: 'alive' }
  | { readonly kind: 'taken'; readonly connection: number }
  | { readonly kind: 'closed'; readonly connection: number }
  | { readonly kind: 'noRoom'; readonly client: string }
  | ({ readonly kind: 'ask'; readonly call: number } & Question)
  | { readonly kind: 'giveBack'; readonly grant: number }
  | { readonly kind: 'metrics'; readonly reading: number; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'leases'; readonly left: readonly (readonly [client: string, left: number])[] };

/** What a worker asks the primary, and waits for. */
export type Question =
  | { readonly about: 'quota'; readonly quota: QuotaName; readonly client: string; readonly grant: number }
  | ({ readonly about: 'lease'; readonly client: string } & LeaseRequest)
  | { readonly about: 'metrics' };

/** What the primary says to each question: to that about a quota, why not, or null; of metrics, those of all processes. */
export interface Answers {
  readonly quota: string | null;
  readonly lease: Lease;
  readonly metrics: readonly MetricsSnapshot[];
}
