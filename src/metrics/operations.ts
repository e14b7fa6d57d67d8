import type { Registry } from 'prom-client';
import type { OperationTimes } from '../engine/operation-times.ts';
import { defineCounter, defineHistogram } from './define.ts';

/** Defines what is measured of the operations of GraphQL. */
export function defineOperationMetrics(registry: Registry, times: OperationTimes): void {
  defineHistogram(
    registry,
    {
      name: 'periscope_graphql_operation_duration_seconds',
      help: 'Operations that were executed, by kind, name, protocol and outcome, their wait to be taken on included; of a subscription until it began.',
    },
    function* () {
      for (const { type, name, protocol, status, durations } of times.series) {
        yield [{ type, operation: name, protocol, status }, durations] as const;
      }
    },
  );
  defineCounter(
    registry,
    {
      name: 'periscope_graphql_operations_kept_total',
      help: 'Queries that were answered with an answer that was kept, by name: none of them was executed.',
    },
    () => [...times.kept].map(({ name, count }) => [{ operation: name }, count] as const),
  );
}
