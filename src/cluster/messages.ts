import type { BirpcReturn } from 'birpc';
import type { QuotaName } from '../http/limits/quota.ts';
import type { Lease, LeaseRequest } from '../http/limits/rate-limit.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** What a worker needs to know to begin. */
export interface Beginning {
  readonly databaseUrl: string;
  /** Its place among the workers, from 1 on, which a worker that takes its place has again. */
  readonly place: number;
  /** How many there are. */
  readonly workers: number;
  /** Its share of the connections to the database. */
  readonly poolSize: number;
}

/** Why a worker cannot begin. */
export interface Failure {
  readonly message: string;
  /** Whether a setting has to be changed. */
  readonly isMistake: boolean;
  /** Whether it may work later, without anybody changing anything here. */
  readonly isPassing: boolean;
}

/** What a worker asks the primary for, and tells it. */
export interface PrimaryCalls {
  begin(): Beginning;
  ready(): void;
  fail(failure: Failure): void;
  alive(): void;
  /** The worker has a connection that was handed to it. */
  taken(connection: number): void;
  closed(connection: number): void;
  /** Takes one for a client, which the worker gives back by the name that it gives it here; says why not, or null. */
  takeQuota(quota: QuotaName, client: string, grant: string): string | null;
  giveBack(grant: string): void;
  lend(client: string, request: LeaseRequest): Lease;
  spend(client: string, cost: number): void;
  takeBack(left: readonly (readonly [client: string, left: number])[]): void;
  /** Reads what is measured in all processes. */
  readMetrics(): Promise<readonly MetricsSnapshot[]>;
}

/** What the primary asks a worker for, and tells it. */
export interface WorkerCalls {
  /** Closes a connection of a client that is idle; false where there is none. */
  makeRoom(client: string): boolean;
  setRunning(workers: number): void;
  readMetrics(): Promise<MetricsSnapshot>;
  drain(): void;
  /** No connection comes any more. */
  endConnections(): void;
}

/** The channel of a worker to the primary, and of the primary to a worker. */
export type PrimaryChannel = BirpcReturn<PrimaryCalls, WorkerCalls>;
export type WorkerChannel = BirpcReturn<WorkerCalls, PrimaryCalls>;

/** What comes with the socket of a connection. */
export interface Handover {
  readonly connection: number;
}
