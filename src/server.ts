import type { Logger } from 'pino';
import type { WorkerMembership } from './cluster/worker.ts';
import type { Config } from './config.ts';
import type { Hindrance } from './data/writing/hold-ups.ts';
import { DisposableStack } from './disposable-stack.ts';
import { Documents } from './engine/documents/documents.ts';
import { readOperationList } from './engine/documents/operation-list.ts';
import { createPersistedOperations } from './engine/documents/persisted-operations.ts';
import { Engine } from './engine/engine.ts';
import { OperationTimes } from './engine/operation-times.ts';
import { createOpenSource, type SubscribeCounters } from './engine/run/subscribe.ts';
import { GatewayError } from './errors.ts';
import type { Feed } from './feed/feed.ts';
import { createApplication } from './gateway/application.ts';
import { createDirectWay } from './gateway/direct-way.ts';
import { createLimits, type Limits } from './gateway/limits.ts';
import { PATHS } from './gateway/paths.ts';
import { openReads, type Reads } from './gateway/reads.ts';
import { createRequestHandler } from './http/entrance.ts';
import type { Health } from './http/pages/health.ts';
import { type HttpServer, startHttpServer } from './http/server/listen.ts';
import { watchRequests } from './http/watch/request-steps.ts';
import { createRouteNamer, RequestTimes } from './http/watch/request-times.ts';
import { timeRequest } from './http/watch/server-timing.ts';
import { AnswerWriter } from './http/write/answer-writer.ts';
import { defineGatewayMetrics } from './metrics/gateway.ts';
import {
  createMetricsHandler,
  isOnPublicPort,
  METRICS_PATH,
  type OpenMetrics,
  openMetrics,
} from './metrics/serve.ts';
import { createReadiness } from './readiness.ts';
import { VERSION } from './reference/about.ts';
import { routes } from './rest/index.ts';
import { serveRest } from './rest/serve.ts';
import { StreamCounts } from './streaming/stream-counts.ts';
import type { StreamCounters } from './streaming/stream-messages.ts';
import { createStreaming, type Streaming } from './streaming/streaming.ts';
import { openTracing } from './tracing/tracing.ts';

/** How often work was done that many streams share. */
export type GatewayCounters = SubscribeCounters & StreamCounters;

/** A gateway that serves. Whoever starts it closes it. */
export interface Gateway extends AsyncDisposable {
  /** Where a client on this machine reaches it, without a slash at the end. */
  readonly url: string;
  /** How many streams are open. */
  readonly openStreams: number;
  /** Where its metrics are; null where they are nowhere. */
  readonly metricsUrl: string | null;
  /**
   * Stops: not ready any more; ends its streams with a reason, answers what still comes within the grace, finishes what
   * it accepted within the deadline, then lets the database go.
   */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly counters?: GatewayCounters;
  /** What it has in common with others, where it is one of several workers. */
  readonly membership?: WorkerMembership;
  /** Those of the process, where it has more to measure; whoever opened them closes them. */
  readonly metrics?: OpenMetrics;
  /** What hinders the ingest of the process, where it has one. */
  readonly findHindrance?: () => Hindrance | null;
}

/** Serves the database at `databaseUrl` over GraphQL, REST and streams. Only reads it. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const opened = new DisposableStack();
  try {
    return await openGateway(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Notes all that it opens, for the gateway to close when it stops, or for whoever could not have one. */
async function openGateway(options: GatewayOptions, opened: DisposableStack): Promise<Gateway> {
  const { config, logger, membership = null } = options;
  const metrics = options.metrics ?? opened.use(await openMetrics(config, VERSION, logger));
  const tracing = opened.use(
    await openTracing(config.tracing, { version: VERSION, routeOf: createRouteNamer(PATHS) }),
  );
  const reads = await openReads(options, opened);
  const limits = createLimits(config, reads.feed, membership, logger);
  const writer = new AnswerWriter({ ...config.http, ...limits, stallMs: config.streams.stallMs, logger });
  const { engine, streaming, rest, operationTimes, streamCounts } = createEngine(
    options,
    reads,
    limits,
    writer,
  );
  const health = createReadiness({
    ...{ database: reads.database, logger, findHindrance: options.findHindrance },
    isReadyWhileHeldUp: config.ingest.readyWhileHeldUp === 'on',
    describe: () => ({
      ...(membership && { workers: membership.workers }),
      ...(reads.database.servers && { servers: reads.database.servers() }),
    }),
  });
  const hasMetrics = isOnPublicPort(config);
  const readMetrics = async () => (await membership?.readMetrics()) ?? [await metrics.read()];
  const { app, dispose } = createApplication({
    ...{ config, engine, writer, rest, streaming, health, logger, feed: reads.feed },
    metrics: hasMetrics ? createMetricsHandler(readMetrics) : null,
  });
  opened.defer(async () => dispose());
  const watch = watchRequests([
    tracing?.watch ?? null,
    config.metrics.serverTiming === 'on' ? timeRequest : null,
  ]);
  const direct = createDirectWay({ engine, writer, rest, app, bodyLimit: config.http.bodyLimit, logger });
  const requestTimes = new RequestTimes(PATHS);
  const server = await startHttpServer({
    ...config.http,
    app: createRequestHandler({ ...limits, writer, watch, take: direct }),
    clients: limits.clients,
    listener: membership?.listener ?? null,
    logger,
    onAnswered: requestTimes.add.bind(requestTimes),
  });
  opened.defer(() => server.close({ graceMs: 0, deadlineMs: 0 }));
  server.server.on('connection', () => limits.turns.hurry());
  streaming.attach(server, engine);
  membership?.tellMetrics(() => metrics.read());
  defineGatewayMetrics(metrics.registry, {
    ...{ ...reads, ...limits, server, requestTimes, operationTimes, streamCounts },
  });
  const metricsUrl = metrics.url ?? (hasMetrics ? `${server.url}${METRICS_PATH}` : null);
  return closing({ config, logger, server, metricsUrl, feed: reads.feed, health, streaming, opened });
}

/** The engine, and the transports that bring it questions. */
function createEngine(
  { config, logger, counters, membership }: GatewayOptions,
  { services, kept, feed }: Reads,
  limits: Limits,
  writer: AnswerWriter,
) {
  const { operationList, introspection } = config.graphql;
  const list = operationList === null ? null : readOperationList(operationList);
  const streamCounts = new StreamCounts();
  const operationTimes = new OperationTimes(list);
  const streaming = createStreaming({
    ...{ ...config.streams, ...limits, writer, logger, counts: streamCounts },
    isOneOfSeveral: (membership?.workers.wanted ?? 1) > 1,
    origins: config.http.corsOrigin,
    openSource: createOpenSource(services, logger, counters),
    ...(counters === undefined ? {} : { counters }),
  });
  const engine = new Engine({
    ...{ ...limits, services, kept: kept.answers, times: operationTimes },
    stored: createPersistedOperations(list),
    documents: new Documents(introspection),
    subscribeFor: streaming.subscribeFor,
  });
  const rest = serveRest(routes, {
    ...{ engine, writer, feed, tags: kept.list_tags },
    columnsOf: async (route) => (await import('./reference/columns.ts')).columnsOf(route),
  });
  return { engine, streaming, rest, operationTimes, streamCounts };
}

/** The gateway as whoever started it sees it. */
function closing(parts: {
  readonly config: Config;
  readonly logger: Logger;
  readonly server: HttpServer;
  readonly metricsUrl: string | null;
  readonly feed: Feed;
  readonly health: Health;
  readonly streaming: Streaming;
  readonly opened: DisposableStack;
}): Gateway {
  const { config, logger, server, metricsUrl, feed, health, streaming, opened } = parts;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      health.startDraining();
      streaming.stop();
      feed.endStreams(stopping());
      const cut = await server.close({
        graceMs: config.http.shutdownGraceMs,
        deadlineMs: config.http.shutdownDeadlineMs,
      });
      if (cut > 0) logger.warn({ connections: cut }, 'cut at the shutdown deadline');
      await opened.close();
    })();
    return closed;
  };
  return {
    url: server.url,
    get openStreams() {
      return feed.openStreams;
    },
    metricsUrl,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function stopping(): GatewayError {
  return new GatewayError(
    'UNAVAILABLE',
    'The gateway is stopping. Go on from the last cursor elsewhere, or here when it is back.',
  );
}
