import type { Registry } from 'prom-client';
import type { RateLimiter } from '../http/limits/rate-limiter.ts';
import type { HttpServer } from '../http/server/listen.ts';
import type { RefusedCounts } from '../http/server/refused-connections.ts';
import type { RequestTimes } from '../http/watch/request-times.ts';
import type { StreamCount, StreamCounts } from '../streaming/stream-counts.ts';
import { counter, define, gauge, histogram, readEach } from './define.ts';

/** Defines what is measured of requests and connections. */
export function defineHttpMetrics(
  registry: Registry,
  times: RequestTimes,
  limiter: RateLimiter | null,
  server: Pick<HttpServer, 'connections'>,
): void {
  define(registry, [
    histogram(
      'periscope_http_request_duration_seconds',
      'Requests by route, method and status, from their head to the end of their answer; of a stream that is its whole life.',
      function* () {
        for (const { route, method, status, durations } of times.series()) {
          yield [{ route, method, status }, durations] as const;
        }
      },
    ),
    gauge(
      'periscope_http_connections',
      'Connections that are open, WebSockets included.',
      () => server.connections.open,
    ),
  ]);
  defineRefusedConnections(registry, () => server.connections.refused);
  define(registry, [
    counter(
      'periscope_rate_limited_total',
      'Requests, operations and streams that were refused because their client asked for too much (RATE_LIMIT).',
      () => limiter?.refused ?? 0,
    ),
  ]);
}

/** Defines how many connections were refused: by a server, or by whoever accepts for several. */
export function defineRefusedConnections(registry: Registry, refused: () => RefusedCounts): void {
  define(registry, [
    counter(
      'periscope_http_connections_refused_total',
      'Connections that were refused, by the setting that says how many there may be.',
      () => Object.entries(refused()).map(([limit, count]) => [{ limit }, count]),
    ),
  ]);
}

/** Defines what is measured of streams and sockets. */
export function defineStreamMetrics(registry: Registry, { streams, webSockets, cut }: StreamCounts): void {
  const byProtocol = readEach('protocol', () => streams);
  const sumOfEnds = (pick: (ended: StreamCount['ended']) => number | undefined) =>
    Object.values(streams).reduce((total, { ended }) => total + (pick(ended) ?? 0), 0);
  define(registry, [
    gauge(
      'periscope_streams',
      'Streams that are open, the subscriptions of GraphQL among them.',
      byProtocol(({ open }) => open),
    ),
    counter(
      'periscope_streams_opened_total',
      'Streams that were opened.',
      byProtocol(({ opened }) => opened),
    ),
    counter(
      'periscope_stream_messages_total',
      'Messages of streams that were taken to be sent.',
      byProtocol(({ messages }) => messages),
    ),
    counter(
      'periscope_streams_ended_total',
      'Streams that ended: their client left (left) or took nothing (stalled), all was told (done), or with the error of this code; RESOURCE_EXHAUSTED is a reader that was too slow.',
      byProtocol(({ ended }) => ended),
    ),
    gauge('periscope_websockets', 'WebSockets that are open.', () => webSockets.open),
    counter('periscope_websockets_opened_total', 'WebSockets that were opened.', () => webSockets.opened),
    counter(
      'periscope_websockets_refused_total',
      'WebSockets that were refused before they opened: by the code of the error, or because their client was gone by then (left).',
      () => Object.entries(webSockets.refused).map(([reason, count]) => [{ reason }, count]),
    ),
    counter(
      'periscope_readers_cut_total',
      'Readers that were cut: one that fell too far behind (too_slow), or that took nothing of what waited for it, a stream or a connection of many operations (stalled), or that answered no ping (unanswered).',
      () => [
        [{ reason: 'too_slow' }, sumOfEnds((ended) => ended.RESOURCE_EXHAUSTED)],
        [{ reason: 'stalled' }, sumOfEnds((ended) => ended.stalled) + cut.stalled],
        [{ reason: 'unanswered' }, cut.unanswered],
      ],
    ),
  ]);
}
