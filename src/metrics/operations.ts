import type { Registry } from 'prom-client';
import type { KeptCounts } from '../cache/kept-values.ts';
import type { OperationTimes } from '../engine/operation-times.ts';
import type { Admission } from '../http/limits/admission.ts';
import type { Turns } from '../http/limits/turns.ts';
import { counter, define, gauge, histogram, readEach } from './define.ts';

/** Defines what is measured of the operations of GraphQL. */
export function defineOperationMetrics(registry: Registry, times: OperationTimes): void {
  define(registry, [
    histogram(
      'periscope_graphql_operation_duration_seconds',
      'Operations that were executed, by kind, name, protocol and outcome, their wait to be taken on included; of a subscription until it began.',
      function* () {
        for (const { type, name, protocol, status, durations } of times.series) {
          yield [{ type, operation: name, protocol, status }, durations] as const;
        }
      },
    ),
    counter(
      'periscope_graphql_operations_kept_total',
      'Queries that were answered with an answer that was kept, by name: none of them was executed.',
      () => [...times.kept].map(({ name, count }) => [{ operation: name }, count]),
    ),
  ]);
}

/** What is kept, and how it is used. */
interface Kept {
  readonly counts: KeptCounts;
}

/** Defines what is measured of kept answers, and of what else is kept until a block changes it. */
export function defineKeptMetrics(
  registry: Registry,
  kept: Readonly<Record<'answers' | 'list_tags' | 'estimate_terms', Kept>>,
  bytes: { readonly kept: () => number; readonly most: number },
): void {
  const byCache = readEach('cache', () => kept);
  define(registry, [
    gauge(
      'periscope_kept_values',
      'How many values are kept until a block changes what they read.',
      byCache(({ counts }) => counts.values),
    ),
    counter(
      'periscope_kept_hits_total',
      'How often what was asked for was kept.',
      byCache(({ counts }) => counts.hits),
    ),
    counter(
      'periscope_kept_misses_total',
      'How often what was asked for had to be made.',
      byCache(({ counts }) => counts.misses),
    ),
    counter(
      'periscope_kept_shared_total',
      'How often it was just being made for another.',
      byCache(({ counts }) => counts.shared),
    ),
    counter(
      'periscope_kept_evictions_total',
      'Values that were let go of: a block changed what they read (touched), or there was no room (crowded).',
      byCache(({ counts }) => counts.dropped),
    ),
    gauge('periscope_kept_answers_bytes', 'What the kept answers take of memory.', bytes.kept),
    gauge('periscope_kept_answers_limit_bytes', 'What they may take (KEPT_ANSWERS_MB).', () => bytes.most),
  ]);
}

/** Defines what is measured of the work that waits for a turn of the event loop. */
export function defineTurnsMetrics(registry: Registry, turns: Turns): void {
  define(registry, [
    gauge(
      'periscope_turns_waiting',
      'Requests, documents and operations that wait for a turn of the event loop.',
      () => turns.load.waiting,
    ),
    counter(
      'periscope_turns_queued_total',
      'Requests, documents and operations that had to wait for a turn of the event loop.',
      () => turns.load.queued,
    ),
    counter(
      'periscope_turns_refused_total',
      'Requests, documents and operations that were refused because their turn did not come in time.',
      () => turns.load.refused,
    ),
  ]);
}

/** Defines what is measured of the work that is taken on. Costs are about microseconds. */
export function defineAdmissionMetrics(registry: Registry, admission: Admission): void {
  const byBulkhead = readEach('lane', () => admission.load);
  define(registry, [
    gauge(
      'periscope_admission_running',
      'Operations under way, by the bulkhead (lane) of their cost: small or large.',
      byBulkhead(({ running }) => running),
    ),
    gauge(
      'periscope_admission_running_cost',
      'The cost of the operations under way.',
      byBulkhead(({ cost }) => cost),
    ),
    gauge(
      'periscope_admission_waiting',
      'Operations that wait to be taken on.',
      byBulkhead(({ waiting }) => waiting),
    ),
    counter(
      'periscope_admission_admitted_total',
      'Operations that were taken on.',
      byBulkhead(({ admitted }) => admitted),
    ),
    counter(
      'periscope_admission_admitted_cost_total',
      'The cost of the operations that were taken on.',
      byBulkhead(({ admittedCost }) => admittedCost),
    ),
    counter(
      'periscope_admission_queued_total',
      'Operations that had to wait before they were taken on.',
      byBulkhead(({ queued }) => queued),
    ),
    counter(
      'periscope_admission_wait_seconds_total',
      'How long these waited, together.',
      byBulkhead(({ waitedMs }) => waitedMs / 1000),
    ),
    counter(
      'periscope_admission_shed_total',
      'Requests and operations that were rejected for want of room. They waited for too long (waited), would have waited in vain (crowded), or had to leave because too much waited (excess).',
      byBulkhead(({ refused }) => refused),
    ),
  ]);
}
