import type { Registry } from 'prom-client';
import type { IngestCounts, SourceState } from '../ingest/ingest-counts.ts';
import { newestBlock } from './blocks.ts';
import { counter, type Definition, define, gauge } from './define.ts';

/** Defines what is measured of an ingest; `counts` is asked whenever metrics are. */
export function defineIngestMetrics(registry: Registry, counts: () => IngestCounts): void {
  define(registry, [
    counter(
      'periscope_ingest_blocks_total',
      'Blocks that were applied, and blocks that the database held already (skipped).',
      () => [
        [{ outcome: 'applied' }, counts().applied],
        [{ outcome: 'skipped' }, counts().skipped],
      ],
    ),
    counter(
      'periscope_ingest_events_total',
      'Events of the blocks that were applied.',
      () => counts().events,
    ),
    counter(
      'periscope_ingest_skipped_events_total',
      'Events that could not be taken, and were passed over because that was asked for.',
      () => counts().skippedEvents,
    ),
    counter(
      'periscope_ingest_bytes_total',
      'Bytes that were read of files or lines, as they are on disk, that a core node has sent in events, or that a log had in blocks.',
      () => counts().bytes,
    ),
    ...unknowns(counts),
    ...newestBlock('periscope_ingest_block', 'that is known to be in the database', () => counts().newest),
  ]);
  defineHoldUp(registry, () => {
    const { isHeldUp, heldUpBlock } = counts();
    return { isHeldUp, block: heldUpBlock };
  });
  define(
    registry,
    coreNode(() => counts().source),
  );
}

/** What is known of a core node and of the events that it sent, where one is listened for. */
export function coreNode(source: () => SourceState): readonly Definition[] {
  return [
    gauge(
      'periscope_ingest_core_connected',
      'Whether a core node is connected: 1, or 0; absent where none is listened for.',
      () => {
        const { isConnected } = source();
        return isConnected === null ? null : Number(isConnected);
      },
    ),
    gauge(
      'periscope_spool_bytes',
      'Events that wait on disk for the database, or for the log.',
      () => source().spool?.bytes ?? null,
    ),
    gauge(
      'periscope_spool_limit_bytes',
      'How many may wait (SPOOL_LIMIT).',
      () => source().spool?.limit ?? null,
    ),
    gauge(
      'periscope_spool_segments',
      'The files in which they wait.',
      () => source().spool?.segments ?? null,
    ),
  ];
}

/** What an ingest came by that this version does not know, or does not keep. */
function unknowns(counts: () => IngestCounts): readonly Definition[] {
  return [
    counter(
      'periscope_ingest_passed_over_events_total',
      "Events of kinds that are not kept, by the kind's number in the network's protocol.",
      () => [...counts().unknowns.passedOver].map(({ thing, count }) => [{ kind: `${thing}` }, count]),
    ),
    counter(
      'periscope_ingest_unknown_numbers_total',
      'Numbers of enumerations that this version has no name for, and keeps.',
      () =>
        [...counts().unknowns.numbers].map(({ thing, count }) => [
          thing === 'other'
            ? { field: thing, number: thing }
            : { field: thing.field, number: `${thing.number}` },
          count,
        ]),
    ),
    counter(
      'periscope_ingest_unknown_fields_total',
      'Fields that no release of the network has that this version knows of, by message and number.',
      () => [...counts().unknowns.fields].map(({ thing, count }) => [{ field: thing }, count]),
    ),
  ];
}

const HELD_UP = 'periscope_ingest_held_up';

/** Whether ingest is held up, and at which block, where that is known. */
interface MeasuredHoldUp {
  readonly isHeldUp: boolean;
  readonly block: bigint | null;
}

/**
 * Defines whether ingest is held up: as an ingest of this process knows it or, on a gateway, as the database does. Where
 * a process has both, its ingest, which is defined first, knows more and sooner.
 */
export function defineHoldUp(
  registry: Registry,
  read: () => MeasuredHoldUp | Promise<MeasuredHoldUp | undefined>,
): void {
  if (registry.getSingleMetric(HELD_UP) !== undefined) return;
  define(registry, [
    gauge(
      HELD_UP,
      'Whether events wait and are not applied: 1, or 0. A gateway tells it of whoever takes events in, as the database has it.',
      async () => {
        const found = await read();
        return found === undefined ? null : Number(found.isHeldUp);
      },
      'max',
    ),
    gauge(
      `${HELD_UP}_block`,
      'The height of the block that cannot be applied, because of what it holds or lacks; absent where there is none.',
      async () => {
        const block = (await read())?.block ?? null;
        return block === null ? null : Number(block);
      },
      'max',
    ),
  ]);
}
