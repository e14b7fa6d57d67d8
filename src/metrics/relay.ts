import type { Registry } from 'prom-client';
import type { RelayCounts } from '../ingest/log/relay-counts.ts';
import { counter, define, gauge } from './define.ts';
import { coreNode } from './ingest.ts';

/** Defines what is measured of a relay; it is asked whenever metrics are. */
export function defineRelayMetrics(registry: Registry, counts: RelayCounts): void {
  define(registry, [
    counter(
      'periscope_relay_blocks_total',
      'Blocks of the source that the log has, whichever relay has put them there.',
      () => counts.settled,
    ),
    counter('periscope_relay_bytes_total', 'The bytes of these blocks.', () => counts.bytes),
    counter(
      'periscope_relay_refused_total',
      'How often a block was not taken: another relay was before this one, or the servers did not confirm it.',
      () => counts.refused,
    ),
    gauge(
      'periscope_relay_block',
      'The height of the newest block that the log is known to have; absent before.',
      () => (counts.newest === null ? null : Number(counts.newest.height)),
    ),
    gauge('periscope_relay_leading', 'Whether this relay publishes: 1, or 0 where it follows another.', () =>
      Number(counts.isLeading),
    ),
    gauge(
      'periscope_relay_waiting_blocks',
      'Blocks in memory that the log does not have yet.',
      () => counts.waiting,
    ),
    gauge(
      'periscope_relay_held_up',
      'Whether blocks wait for another reason than that they have just come: 1, or 0.',
      () => Number(counts.trouble !== null),
    ),
    gauge(
      'periscope_relay_log_connected',
      'Whether a server of the log has this relay as its client: 1, or 0.',
      () => Number(counts.isLogConnected),
    ),
    ...coreNode(() => counts.source),
  ]);
}
