import type { Registry } from 'prom-client';
import type { KeptCounts } from '../cache/kept-values.ts';
import type { Standing } from '../data/queries/standing.ts';
import type { Database } from '../data/servers/client.ts';
import type { OperationTimes } from '../engine/operation-times.ts';
import type { Feed } from '../feed/feed.ts';
import type { Admission } from '../http/limits/admission.ts';
import type { RateLimiter } from '../http/limits/rate-limiter.ts';
import type { Turns } from '../http/limits/turns.ts';
import type { HttpServer } from '../http/server/listen.ts';
import type { RequestTimes } from '../http/watch/request-times.ts';
import type { StreamCounts } from '../streaming/stream-counts.ts';
import { defineDatabaseMetrics, defineFeedMetrics } from './blocks.ts';
import { define, gauge } from './define.ts';
import { defineHttpMetrics, defineStreamMetrics } from './http.ts';
import { defineHoldUp } from './ingest.ts';
import {
  defineAdmissionMetrics,
  defineKeptMetrics,
  defineOperationMetrics,
  defineTurnsMetrics,
} from './operations.ts';

/** What of a gateway is measured: each part counts by itself, and is read when metrics are asked for. */
export interface MeasuredGateway {
  readonly database: Pick<Database, 'load'>;
  /** Asks the database how it stands. */
  readonly readStanding: (signal: AbortSignal) => Promise<Standing>;
  readonly readTableBytes: (signal: AbortSignal) => Promise<ReadonlyMap<string, number>>;
  readonly feed: Pick<Feed, 'latest' | 'isFollowing'>;
  readonly server: Pick<HttpServer, 'connections'>;
  readonly admission: Admission;
  readonly turns: Turns;
  readonly limiter: RateLimiter | null;
  readonly requestTimes: RequestTimes;
  readonly operationTimes: OperationTimes;
  readonly streamCounts: StreamCounts;
  readonly kept: Parameters<typeof defineKeptMetrics>[1] & {
    readonly answers: { readonly size: number; readonly counts: KeptCounts };
  };
  /** How many bytes the kept answers may take. */
  readonly keptBytes: number;
}

/** Defines the metrics of a gateway. */
export function defineGatewayMetrics(registry: Registry, gateway: MeasuredGateway): void {
  const { kept } = gateway;
  defineHttpMetrics(registry, gateway.requestTimes, gateway.limiter, gateway.server);
  defineAdmissionMetrics(registry, gateway.admission);
  defineTurnsMetrics(registry, gateway.turns);
  defineOperationMetrics(registry, gateway.operationTimes);
  defineKeptMetrics(registry, kept, { kept: () => kept.answers.size, most: gateway.keptBytes });
  defineStreamMetrics(registry, gateway.streamCounts);
  const look = askTogether(gateway.readStanding);
  defineFeedMetrics(registry, gateway.feed, look);
  defineHoldUp(registry, async () => {
    const standing = await look();
    return standing && { isHeldUp: standing.holdUp !== null, block: standing.holdUp?.height ?? null };
  });
  defineDatabaseMetrics(registry, gateway.database);
  define(registry, [
    gauge(
      'periscope_table_bytes',
      'How much of the disk each table takes, with its partitions and indexes; absent while the database does not answer.',
      async () => {
        const bytes = await inTime(gateway.readTableBytes);
        return [...(bytes ?? [])].map(([table, size]) => [{ table }, size] as const);
      },
      'max',
    ),
  ]);
}

/** How long the database may take to say how it stands, before metrics do without. */
const ANSWER_LIMIT_MS = 1_000;

/** One question for all metrics that follow from it; undefined where there is no answer in time. */
function askTogether(read: MeasuredGateway['readStanding']): () => Promise<Standing | undefined> {
  let asked: Promise<Standing | undefined> | undefined;
  return () => {
    asked ??= inTime(read).finally(() => {
      asked = undefined;
    });
    return asked;
  };
}

/** Undefined where there is no answer in time: a statement that waits for a connection does not heed its signal before it has one. */
function inTime<Answer>(read: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined> {
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const late = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([read(signal).catch(() => undefined), late]);
}
