import type { Logger } from 'pino';
import type { Membership } from './cluster/worker.ts';
import type { Config } from './config.ts';
import { readStanding } from './data/queries/standing.ts';
import { openReading, type Reading } from './data/servers/reading.ts';
import { BLOCKS, touchOf } from './data/touches.ts';
import type { Hindrance } from './data/writing/hold-ups.ts';
import { DisposableStack } from './disposable-stack.ts';
import { createAdmit } from './engine/admit.ts';
import { DocumentCache } from './engine/documents/document-cache.ts';
import { createPersistedOperations, readOperationList } from './engine/documents/persisted-operations.ts';
import { createExecute } from './engine/execute.ts';
import { OperationTimes } from './engine/operation-times.ts';
import { createOpenSource, type SubscribeCounters } from './engine/run/subscribe.ts';
import { GatewayError } from './errors.ts';
import { Feed } from './feed/feed.ts';
import { KeptValues } from './feed/kept-values.ts';
import { createKeptTermsLoader, KEEPING_TERMS, type ReadTerms } from './graphql/estimate-terms.ts';
import { serveBatches } from './graphql-http/batches.ts';
import { serveGraphiql } from './graphql-http/graphiql.ts';
import { serveOperations } from './graphql-http/graphql-handler.ts';
import { createPlainPosts } from './graphql-http/plain-posts.ts';
import { createGraphqlServer } from './graphql-http/yoga.ts';
import { createHttpApp } from './http/app.ts';
import { FastPath } from './http/fast-path.ts';
import { createFront } from './http/front.ts';
import { keepingAnswers } from './http/kept-answers.ts';
import { Admission, admissionLimits } from './http/limits/admission.ts';
import { createClientAddresses } from './http/limits/client-address.ts';
import { onlyMethods } from './http/limits/methods.ts';
import { createMinBlock, createWaitForBlock } from './http/limits/min-block.ts';
import { createQuotas } from './http/limits/quota.ts';
import { createRateLimiter } from './http/limits/rate-limiter.ts';
import { HEALTH_PATHS } from './http/pages/health.ts';
import { createHome, HOME_PATHS } from './http/pages/home.ts';
import type { PlainRequestOptions } from './http/plain-requests.ts';
import { createScopeOf, type RequestScope } from './http/request-scope.ts';
import { startHttpServer } from './http/server/listen.ts';
import { cutAnswerWhenStalled } from './http/server/stalls.ts';
import { watchRequests } from './http/watch/request-steps.ts';
import { createRouteNamer, RequestTimes } from './http/watch/request-times.ts';
import { timeRequest } from './http/watch/server-timing.ts';
import type { Answer } from './http/write/answer.ts';
import { createHeadWriter } from './http/write/ready-head.ts';
import { VARY } from './http/write/send-answer.ts';
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
import { createReferenceRouter, REFERENCE_PATHS } from './reference/router.ts';
import { createBlockNamer } from './rest/block-headers.ts';
import { routes, streamRoutes } from './rest/index.ts';
import { keepingTags, type ListTag } from './rest/list-tags.ts';
import { createQuestionFinder } from './rest/match.ts';
import { writePath } from './rest/route.ts';
import { createRestRouter } from './rest/router.ts';
import { EVENT_STREAM_PATH } from './streaming/event-stream-router.ts';
import { StreamCounts } from './streaming/stream-counts.ts';
import type { StreamCounters } from './streaming/stream-messages.ts';
import { createStreaming } from './streaming/streaming.ts';
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
  /** What it has in common with others, where it is one of several on a machine. */
  readonly membership?: Membership;
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
  const { config, databaseUrl, logger, counters, membership = null } = options;
  const { operationList } = config.graphql;
  const list = operationList === null ? null : readOperationList(operationList);
  const persisted = createPersistedOperations(list);
  const metrics = options.metrics ?? opened.use(await openMetrics(config, VERSION, logger));
  const tracing = opened.use(
    await openTracing(config.tracing, { version: VERSION, routeOf: createRouteNamer(PATHS) }),
  );
  const database = opened.use(
    await openReading({
      ...placesOf(config, databaseUrl),
      maxLagBlocks: config.database.maxReplicaLagBlocks,
      readsPrimary: config.database.primaryReads === 'on',
      maxConnections: config.database.poolSize,
      waitMs: config.database.poolWaitMs,
      statementTimeoutMs: config.database.statementTimeoutMs,
      isPreparing: config.database.preparedStatements === 'on',
      logger,
    }),
  );
  const { statements, counts } = database;
  const feed = await startFeed(options, database);
  opened.defer(() => feed.close());
  const { servers } = database;
  const health = createReadiness({
    ...{ database, logger, findHindrance: options.findHindrance },
    isReadyWhileHeldUp: config.ingest.readyWhileHeldUp === 'on',
    describe: () => ({
      ...(membership && { workers: membership.workers }),
      ...(servers && { servers: servers() }),
    }),
  });
  const hasMetrics = isOnPublicPort(config);
  const { keptMegabytes } = config.answers;
  const kept = new KeptValues<Answer, RequestScope>({ feed, ...keepingAnswers(keptMegabytes * 2 ** 20) });
  const tags = new KeptValues<ListTag, RequestScope>({ feed, ...keepingTags(keptMegabytes > 0) });
  const terms = new KeptValues<ReadTerms>({ feed, ...KEEPING_TERMS });
  // Whatever a block changes, it is a new one.
  feed.onBlock((block, touched) => {
    for (const values of [terms, kept, tags]) values.onBlock(block, touched && [touchOf(BLOCKS), ...touched]);
  });
  const keptTerms = keptMegabytes === 0 ? undefined : createKeptTermsLoader(statements, terms);
  const services = {
    ...{ statements, counts, feed, keptTerms },
    // That of the server which is read at the time.
    get prisma() {
      return database.prisma;
    },
  };
  const clients = createClientAddresses(config.http.trustedProxies, logger);
  const scopeOf = createScopeOf(clients);
  const limiter = membership === null ? createRateLimiter(config.http) : membership.limiter;
  const admission = new Admission(admissionLimits({ ...config.http, ...config.database }));
  const admit = createAdmit(admission, limiter);
  const waitForBlock = createWaitForBlock({
    height: () => feed.latest.height,
    reach: (height, signal) => feed.reach(height, config.http.minBlockWaitMs, signal),
  });
  const minBlock = createMinBlock(waitForBlock);
  const documents = new DocumentCache();
  const requestTimes = new RequestTimes(PATHS);
  const operationTimes = new OperationTimes(list);
  const streamCounts = new StreamCounts();
  const streaming = createStreaming({
    ...config.streams,
    quotas: membership?.quotas ?? createQuotas(config.streams),
    isOneOfSeveral: (membership?.workers.wanted ?? 1) > 1,
    origins: config.http.corsOrigin,
    openSource: createOpenSource(services, logger, counters),
    ...(counters === undefined ? {} : { counters }),
    clients,
    limiter,
    minBlock,
    waitForBlock,
    textOf: persisted.textOf,
    documents,
    counts: streamCounts,
    times: operationTimes,
    logger,
  });
  const graphql = createGraphqlServer(services, streaming.subscribeFor, {
    documents,
    persisted,
    introspection: config.graphql.introspection,
    admit,
    scopeOf,
    clients,
    times: operationTimes,
    logger,
  });
  opened.defer(async () => graphql.dispose());
  const graphqlStreams = streaming.serveGraphql(graphql);
  const nameBlock = createBlockNamer(() => feed.latest);
  const execute = createExecute(services, admit);
  const app = createHttpApp({
    logger,
    corsOrigin: config.http.corsOrigin,
    bodyLimit: config.http.bodyLimit,
    health,
    mount: (root) => {
      root.use(createHome(hasMetrics ? { ...LINKS, metrics: METRICS_PATH } : LINKS));
      if (hasMetrics)
        root.all(
          METRICS_PATH,
          onlyMethods('GET'),
          createMetricsHandler(async () => (await membership?.readMetrics()) ?? [await metrics.read()]),
        );
      root.all('/graphql', onlyMethods('GET', 'POST'), graphqlStreams.parts, (request, response, next) => {
        streaming.watch(response);
        // As the front says it.
        if (request.method === 'POST') response.vary(VARY);
        next();
      });
      const batches = serveBatches({ graphql, textOf: persisted.textOf, admit, scopeOf, logger });
      root.all('/graphql', serveGraphiql(), batches, serveOperations(graphql));
      root.use(createReferenceRouter(config.graphql));
      root.use(graphqlStreams.events, streaming.router, (_request, response, next) => {
        cutAnswerWhenStalled(response, config.streams.stallMs, () => response.destroy());
        next();
      });
      const newestPosition = () => feed.latest.position;
      root.use(createRestRouter(routes, execute, { kept, tags, newestPosition, scopeOf, nameBlock }));
    },
  });
  const watch = watchRequests([
    tracing?.watch ?? null,
    config.metrics.serverTiming === 'on' ? timeRequest : null,
  ]);
  const plain: PlainRequestOptions = {
    logger,
    heads: createHeadWriter(),
    corsOrigin: config.http.corsOrigin,
    stallMs: config.streams.stallMs,
    kept,
    rejectionFor: (client) => admission.rejectionFor(client),
    clients,
    limiter,
    gets: { nameBlock, find: createQuestionFinder(routes, execute) },
    posts: createPlainPosts(services, documents, persisted, admit, operationTimes),
  };
  const front = createFront({ ...plain, app, watch, bodyLimit: config.http.bodyLimit, scopeOf, minBlock });
  // A trace is of what Node has read.
  const fastPath =
    tracing === null ? new FastPath({ ...plain, note: requestTimes.count.bind(requestTimes) }) : null;
  const server = await startHttpServer({
    ...config.http,
    app: front,
    clients,
    listener: membership?.listener ?? null,
    logger,
    onAnswered: requestTimes.add.bind(requestTimes),
    fastPathFor: () => fastPath,
  });
  opened.defer(() => server.close({ graceMs: 0, deadlineMs: 0 }));
  streaming.attach(server, graphql);
  membership?.tellMetrics(() => metrics.read());
  defineGatewayMetrics(metrics.registry, {
    readStanding: (signal) => readStanding(statements.until(signal)),
    ...{ database, feed, server, admission, limiter, requestTimes, operationTimes, streamCounts },
    kept: { answers: kept, list_tags: tags, estimate_terms: terms },
    keptBytes: keptMegabytes * 2 ** 20,
  });

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
    metricsUrl: metrics.url ?? (hasMetrics ? `${server.url}${METRICS_PATH}` : null),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function startFeed(
  { config, logger }: Pick<Parameters<typeof startGateway>[0], 'config' | 'logger'>,
  { statements, watch }: Reading,
): Promise<Feed> {
  const { pollMs, bufferMessages, bufferRows } = config.streams;
  const limits = { maxMessages: bufferMessages, maxWeight: bufferRows };
  // The other half of the connections is for requests, and for the feed itself.
  const readsAtOnce = Math.max(1, Math.floor(config.database.poolSize / 2));
  return Feed.start({ statements, watch, logger, pollMs, limits, readsAtOnce });
}

/** The server that was opened; with replicas, those of the settings: it may have been one of them. */
function placesOf({ database: { url, readerUrl, replicaUrls } }: Config, databaseUrl: string) {
  return replicaUrls === null
    ? { url: databaseUrl, replicaUrls: [] }
    : { url: readerUrl ?? url ?? databaseUrl, replicaUrls };
}

/** Where the interfaces are, for those who ask `/` for anything but a page. */
const LINKS = {
  graphql: '/graphql',
  reference: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  health: '/health/ready',
  paths: [...routes, ...streamRoutes].map(({ path }) => writePath(path)),
};

/** All that is served, as metrics name it. */
const PATHS = [
  ...LINKS.paths,
  '/graphql',
  EVENT_STREAM_PATH,
  METRICS_PATH,
  ...[...HOME_PATHS, ...HEALTH_PATHS, ...REFERENCE_PATHS],
];

function stopping(): GatewayError {
  return new GatewayError(
    'UNAVAILABLE',
    'The gateway is stopping. Go on from the last cursor elsewhere, or here when it is back.',
  );
}
