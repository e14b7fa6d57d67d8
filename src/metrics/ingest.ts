import type { Registry } from 'prom-client';
import type { IngestCounts } from '../ingest/ingest-counts.ts';
import { defineNewestBlock } from './blocks.ts';
import { defineCounter, defineGauge, type Reading } from './define.ts';
import { defineHoldUp } from './hold-up.ts';
import { defineUnknowns } from './unknowns.ts';

/** Defines what is measured of an ingest; `counts` is asked whenever metrics are. */
export function defineIngestMetrics(registry: Registry, counts: () => IngestCounts): void {
  defineCounter(
    registry,
    {
      name: 'periscope_ingest_blocks_total',
      help: 'Blocks that were applied, and blocks that the database held already (skipped).',
    },
    () => [
      [{ outcome: 'applied' }, counts().applied],
      [{ outcome: 'skipped' }, counts().skipped],
    ],
  );
  defineCounter(
    registry,
    { name: 'periscope_ingest_events_total', help: 'Events of the blocks that were applied.' },
    () => [[{}, counts().events]],
  );
  defineCounter(
    registry,
    {
      name: 'periscope_ingest_skipped_events_total',
      help: 'Events that could not be taken, and were passed over because that was asked for.',
    },
    () => [[{}, counts().skippedEvents]],
  );
  defineCounter(
    registry,
    {
      name: 'periscope_ingest_bytes_total',
      help: 'Bytes that were read of files or lines, as they are on disk, or that a core node has sent in events.',
    },
    () => [[{}, counts().bytes]],
  );
  defineUnknowns(registry, () => counts().unknowns);
  defineNewestBlock(
    registry,
    'periscope_ingest_block',
    'that is known to be in the database',
    () => counts().newest,
  );
  defineHoldUp(registry, () => {
    const { isHeldUp, heldUpBlock } = counts();
    return { isHeldUp, block: heldUpBlock };
  });
  defineSources(registry, counts);
}

/** What is known of a core node and of the events that it sent, where one is listened for. */
function defineSources(registry: Registry, counts: () => IngestCounts): void {
  const optional = (name: string, help: string, read: (counts: IngestCounts) => number | null) =>
    defineGauge(registry, { name, help }, () => {
      const value = read(counts());
      return value === null ? [] : [[{}, value] satisfies Reading];
    });
  optional(
    'periscope_ingest_core_connected',
    'Whether a core node is connected: 1, or 0; absent where none is listened for.',
    ({ isConnected }) => (isConnected === null ? null : Number(isConnected)),
  );
  optional(
    'periscope_spool_bytes',
    'Events that wait on disk for the database.',
    ({ spool }) => spool?.bytes ?? null,
  );
  optional(
    'periscope_spool_limit_bytes',
    'How many may wait (SPOOL_LIMIT).',
    ({ spool }) => spool?.limit ?? null,
  );
  optional(
    'periscope_spool_segments',
    'The files in which they wait.',
    ({ spool }) => spool?.segments ?? null,
  );
}
