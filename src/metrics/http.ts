import type { Registry } from 'prom-client';
import type { Admission } from '../http/limits/admission.ts';
import type { RateLimiter } from '../http/limits/rate-limiter.ts';
import type { Turns } from '../http/limits/turns.ts';
import type { HttpServer } from '../http/server/listen.ts';
import type { RefusedCounts } from '../http/server/refused-connections.ts';
import type { RequestTimes } from '../http/watch/request-times.ts';
import { defineCounter, defineGauge, defineHistogram } from './define.ts';

/** Defines what is measured of requests and connections. */
export function defineHttpMetrics(
  registry: Registry,
  {
    times,
    limiter,
    connections,
  }: {
    readonly times: RequestTimes;
    readonly limiter: RateLimiter | null;
    readonly connections: () => HttpServer['connections'];
  },
): void {
  defineHistogram(
    registry,
    'periscope_http_request_duration_seconds',
    'Requests by route, method and status, from their head to the end of their answer; of a stream that is its whole life.',
    function* () {
      for (const { route, method, status, durations } of times.series()) {
        yield [{ route, method, status }, durations] as const;
      }
    },
  );
  defineGauge(
    registry,
    'periscope_http_connections',
    'Connections that are open, WebSockets included.',
    () => [[{}, connections().open]],
  );
  defineRefusedConnections(registry, () => connections().refused);
  defineCounter(
    registry,
    'periscope_rate_limited_total',
    'Requests, operations and streams that were refused because their client asked for too much (RATE_LIMIT).',
    () => [[{}, limiter?.refused ?? 0]],
  );
}

/** Defines how many connections were refused: by a server, or by whoever accepts for several. */
export function defineRefusedConnections(registry: Registry, refused: () => RefusedCounts): void {
  defineCounter(
    registry,
    'periscope_http_connections_refused_total',
    'Connections that were refused, by the setting that says how many there may be.',
    () => Object.entries(refused()).map(([limit, count]) => [{ limit }, count] as const),
  );
}

/** Defines what is measured of the work that waits for a turn of the event loop. */
export function defineTurnsMetrics(registry: Registry, turns: Turns): void {
  defineGauge(
    registry,
    'periscope_turns_waiting',
    'Requests, documents and operations that wait for a turn of the event loop.',
    () => [[{}, turns.load.waiting]],
  );
  defineCounter(
    registry,
    'periscope_turns_queued_total',
    'Requests, documents and operations that had to wait for a turn of the event loop.',
    () => [[{}, turns.load.queued]],
  );
  defineCounter(
    registry,
    'periscope_turns_refused_total',
    'Requests, documents and operations that were refused because their turn did not come in time.',
    () => [[{}, turns.load.refused]],
  );
}

/** Defines what is measured of the work that is taken on. Costs are about microseconds. */
export function defineAdmissionMetrics(registry: Registry, admission: Admission): void {
  const byBulkhead = (pick: (load: Admission['load'][keyof Admission['load']]) => number) => () =>
    Object.entries(admission.load).map(([lane, load]) => [{ lane }, pick(load)] as const);
  defineGauge(
    registry,
    'periscope_admission_running',
    'Operations under way, by the bulkhead (lane) of their cost: small or large.',
    byBulkhead(({ running }) => running),
  );
  defineGauge(
    registry,
    'periscope_admission_running_cost',
    'The cost of the operations under way.',
    byBulkhead(({ cost }) => cost),
  );
  defineGauge(
    registry,
    'periscope_admission_waiting',
    'Operations that wait to be taken on.',
    byBulkhead(({ waiting }) => waiting),
  );
  defineCounter(
    registry,
    'periscope_admission_admitted_total',
    'Operations that were taken on.',
    byBulkhead(({ admitted }) => admitted),
  );
  defineCounter(
    registry,
    'periscope_admission_admitted_cost_total',
    'The cost of the operations that were taken on.',
    byBulkhead(({ admittedCost }) => admittedCost),
  );
  defineCounter(
    registry,
    'periscope_admission_queued_total',
    'Operations that had to wait before they were taken on.',
    byBulkhead(({ queued }) => queued),
  );
  defineCounter(
    registry,
    'periscope_admission_wait_seconds_total',
    'How long these waited, together.',
    byBulkhead(({ waitedMs }) => waitedMs / 1000),
  );
  defineCounter(
    registry,
    'periscope_admission_shed_total',
    'Requests and operations that were rejected for want of room. They waited for too long (waited), would have waited in vain (crowded), or had to leave because too much waited (excess).',
    function* () {
      for (const [lane, { refused }] of Object.entries(admission.load))
        for (const [reason, count] of Object.entries(refused)) yield [{ lane, reason }, count] as const;
    },
  );
}
