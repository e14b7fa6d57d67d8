import type { Registry } from 'prom-client';
import type { UnknownCounts } from '../ingest/unknowns.ts';
import { defineCounter } from './define.ts';

/** Defines what an ingest came by that this version does not know, or does not keep. */
export function defineUnknowns(registry: Registry, unknowns: () => UnknownCounts): void {
  defineCounter(
    registry,
    {
      name: 'periscope_ingest_passed_over_events_total',
      help: "Events of kinds that are not kept, by the kind's number in the network's protocol.",
    },
    () => [...unknowns().passedOver].map(({ thing, count }) => [{ kind: `${thing}` }, count]),
  );
  defineCounter(
    registry,
    {
      name: 'periscope_ingest_unknown_numbers_total',
      help: 'Numbers of enumerations that this version has no name for, and keeps.',
    },
    () =>
      [...unknowns().numbers].map(({ thing, count }) => [
        thing === 'other'
          ? { field: thing, number: thing }
          : { field: thing.field, number: `${thing.number}` },
        count,
      ]),
  );
  defineCounter(
    registry,
    {
      name: 'periscope_ingest_unknown_fields_total',
      help: 'Fields that no release of the network has that this version knows of, by message and number.',
    },
    () => [...unknowns().fields].map(({ thing, count }) => [{ field: thing }, count]),
  );
}
