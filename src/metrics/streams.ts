import type { Registry } from 'prom-client';
import type { StreamCount, StreamCounts } from '../streaming/stream-counts.ts';
import { defineCounter, defineGauge } from './define.ts';

/** Defines what is measured of streams and sockets. */
export function defineStreamMetrics(registry: Registry, { streams, webSockets, cut }: StreamCounts): void {
  const byProtocol = (pick: (count: StreamCount) => number) => () =>
    Object.entries(streams).map(([protocol, count]) => [{ protocol }, pick(count)] as const);
  defineGauge(
    registry,
    'periscope_streams',
    'Streams that are open, the subscriptions of GraphQL among them.',
    byProtocol(({ open }) => open),
  );
  defineCounter(
    registry,
    'periscope_streams_opened_total',
    'Streams that were opened.',
    byProtocol(({ opened }) => opened),
  );
  defineCounter(
    registry,
    'periscope_stream_messages_total',
    'Messages of streams that were taken to be sent.',
    byProtocol(({ messages }) => messages),
  );
  defineCounter(
    registry,
    'periscope_streams_ended_total',
    'Streams that ended: their client left (left) or took nothing (stalled), all was told (done), or with the error of this code; RESOURCE_EXHAUSTED is a reader that was too slow.',
    function* () {
      for (const [protocol, { ended }] of Object.entries(streams))
        for (const [reason, count] of Object.entries(ended)) yield [{ protocol, reason }, count] as const;
    },
  );
  defineGauge(registry, 'periscope_websockets', 'WebSockets that are open.', () => [[{}, webSockets.open]]);
  defineCounter(registry, 'periscope_websockets_opened_total', 'WebSockets that were opened.', () => [
    [{}, webSockets.opened],
  ]);
  defineCounter(
    registry,
    'periscope_websockets_refused_total',
    'WebSockets that were refused before they opened.',
    () => [[{}, webSockets.refused]],
  );
  defineCounter(
    registry,
    'periscope_readers_cut_total',
    'Readers that were cut: one that fell too far behind (too_slow), or that took nothing of what waited for it, a stream or a connection of many operations (stalled), or that answered no ping (unanswered).',
    () => {
      const all = Object.values(streams).map(({ ended }) => ended);
      const sum = (pick: (ended: StreamCount['ended']) => number | undefined) =>
        all.reduce((total, ended) => total + (pick(ended) ?? 0), 0);
      return [
        [{ reason: 'too_slow' }, sum((ended) => ended.RESOURCE_EXHAUSTED)],
        [{ reason: 'stalled' }, sum((ended) => ended.stalled) + cut.stalled],
        [{ reason: 'unanswered' }, cut.unanswered],
      ];
    },
  );
}
