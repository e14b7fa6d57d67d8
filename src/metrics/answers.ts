import type { Registry } from 'prom-client';
import type { KeptCounts } from '../cache/kept-values.ts';
import type { OperationTimes } from '../engine/operation-times.ts';
import { defineCounter, defineGauge, defineHistogram } from './define.ts';

/** Defines what is measured of the operations of GraphQL. */
export function defineOperationMetrics(registry: Registry, times: OperationTimes): void {
  defineHistogram(
    registry,
    'periscope_graphql_operation_duration_seconds',
    'Operations that were executed, by kind, name, protocol and outcome, their wait to be taken on included; of a subscription until it began.',
    function* () {
      for (const { type, name, protocol, status, durations } of times.series) {
        yield [{ type, operation: name, protocol, status }, durations] as const;
      }
    },
  );
  defineCounter(
    registry,
    'periscope_graphql_operations_kept_total',
    'Queries that were answered with an answer that was kept, by name: none of them was executed.',
    () => [...times.kept].map(({ name, count }) => [{ operation: name }, count] as const),
  );
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
  const byCache = (pick: (counts: KeptCounts) => number) => () =>
    Object.entries(kept).map(([cache, { counts }]) => [{ cache }, pick(counts)] as const);
  defineGauge(
    registry,
    'periscope_kept_values',
    'How many values are kept until a block changes what they read.',
    byCache(({ values }) => values),
  );
  defineCounter(
    registry,
    'periscope_kept_hits_total',
    'How often what was asked for was kept.',
    byCache(({ hits }) => hits),
  );
  defineCounter(
    registry,
    'periscope_kept_misses_total',
    'How often what was asked for had to be made.',
    byCache(({ misses }) => misses),
  );
  defineCounter(
    registry,
    'periscope_kept_shared_total',
    'How often it was just being made for another.',
    byCache(({ shared }) => shared),
  );
  defineCounter(
    registry,
    'periscope_kept_evictions_total',
    'Values that were let go of: a block changed what they read (touched), or there was no room (crowded).',
    function* () {
      for (const [cache, { counts }] of Object.entries(kept))
        for (const [reason, count] of Object.entries(counts.dropped))
          yield [{ cache, reason }, count] as const;
    },
  );
  defineGauge(registry, 'periscope_kept_answers_bytes', 'What the kept answers take of memory.', () => [
    [{}, bytes.kept()],
  ]);
  defineGauge(registry, 'periscope_kept_answers_limit_bytes', 'What they may take (KEPT_ANSWERS_MB).', () => [
    [{}, bytes.most],
  ]);
}
