import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase, pingDatabase } from './data/client.ts';
import { BLOCKS, touchOf } from './data/touches.ts';
import { GatewayError } from './errors.ts';
import { Feed } from './feed/feed.ts';
import { KeptValues } from './feed/kept-values.ts';
import { createKeptTermsLoader, KEEPING_TERMS, type ReadTerms } from './graphql/estimate-terms.ts';
import { Admission, admissionLimits } from './http/admission.ts';
import type { Answer } from './http/answer.ts';
import { createHttpApp } from './http/app.ts';
import { type Asker, createAskerOf } from './http/asker.ts';
import { createClientAddresses } from './http/client-address.ts';
import { createFront } from './http/front.ts';
import { createHealth } from './http/health.ts';
import { createHome } from './http/home.ts';
import { keepingAnswers } from './http/kept-answers.ts';
import { startHttpServer } from './http/listen.ts';
import { onlyMethods } from './http/methods.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { cutAnswerWhenStalled } from './http/stalls.ts';
import { createAdmit } from './operations/admit.ts';
import { serveBatches } from './operations/batches.ts';
import { DocumentCache } from './operations/document-cache.ts';
import { createExecute } from './operations/execute.ts';
import { serveGraphiql } from './operations/graphiql.ts';
import { createPersistedOperations, readOperationList } from './operations/persisted-operations.ts';
import { createPlainPosts } from './operations/plain-posts.ts';
import { SCALAR_PAGES, serveScalarPage } from './operations/scalar-pages.ts';
import { createOpenSource, type SubscribeCounters } from './operations/subscribe.ts';
import { createGraphqlServer } from './operations/yoga.ts';
import { createReferenceRouter } from './reference/router.ts';
import { createBlockNamer } from './rest/block-headers.ts';
import { routes, streamRoutes } from './rest/index.ts';
import { keepingTags, type ListTag } from './rest/list-tags.ts';
import { createQuestionReader } from './rest/match.ts';
import { createRestRouter } from './rest/router.ts';
import type { StreamCounters } from './streaming/stream-messages.ts';
import { createStreaming } from './streaming/streaming.ts';

/** How often work was done that many streams share. */
export type GatewayCounters = SubscribeCounters & StreamCounters;

/** A gateway that serves. Whoever starts it closes it. */
export interface Gateway extends AsyncDisposable {
  /** Where a client on this machine reaches it, without a slash at the end. */
  readonly url: string;
  /** How many streams are open. */
  readonly openStreams: number;
  /**
   * Stops: not ready any more; ends its streams with a reason, answers what still comes within the grace, finishes what
   * it accepted within the deadline, then lets the database go.
   */
  close(): Promise<void>;
}

/** Serves the database at `databaseUrl` over GraphQL, REST and streams. Only reads it. */
export async function startGateway(options: {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly counters?: GatewayCounters;
}): Promise<Gateway> {
  const { config, databaseUrl, logger, counters } = options;
  const { operationList } = config.graphql;
  const persisted = createPersistedOperations(
    operationList === null ? null : readOperationList(operationList),
  );
  const database = openDatabase({
    url: databaseUrl,
    readOnly: true,
    maxConnections: config.database.poolSize,
    waitMs: config.database.poolWaitMs,
    statementTimeoutMs: config.database.statementTimeoutMs,
  });
  const { statements, counts, prisma } = database;
  const feed = await startFeed(options, statements).catch(async (error) => {
    await database.close();
    throw error;
  });
  const health = createHealth([{ name: 'database', check: () => checkDatabase(database, logger) }], logger);
  const { keptMegabytes } = config.answers;
  const kept = new KeptValues<Answer, Asker>({ feed, ...keepingAnswers(keptMegabytes * 2 ** 20) });
  const tags = new KeptValues<ListTag, Asker>({ feed, ...keepingTags(keptMegabytes > 0) });
  const terms = new KeptValues<ReadTerms>({ feed, ...KEEPING_TERMS });
  // Whatever a block changes, it is a new one.
  feed.onBlock((block, touched) => {
    for (const values of [terms, kept, tags]) values.onBlock(block, touched && [touchOf(BLOCKS), ...touched]);
  });
  const keptTerms = keptMegabytes === 0 ? undefined : createKeptTermsLoader(statements, terms);
  const services = { statements, counts, prisma, feed, keptTerms };
  const clients = createClientAddresses(config.http.trustedProxies, logger);
  const askerOf = createAskerOf(clients);
  const limiter = createRateLimiter(config.http);
  const admission = new Admission(admissionLimits({ ...config.http, ...config.database }));
  const admit = createAdmit(admission, limiter);
  const documents = new DocumentCache();
  const streaming = createStreaming({
    ...config.streams,
    origins: config.http.corsOrigin,
    openSource: createOpenSource(services, logger, counters),
    ...(counters === undefined ? {} : { counters }),
    clients,
    limiter,
    textOf: persisted.textOf,
    documents,
    logger,
  });
  const graphql = createGraphqlServer(services, streaming.subscribeFor, {
    documents,
    persisted,
    introspection: config.graphql.introspection,
    admit,
    askerOf,
    clients,
    logger,
  });
  const graphqlStreams = streaming.serveGraphql(graphql);
  const nameBlock = createBlockNamer(() => feed.latest);
  const execute = createExecute(services, admit);
  const app = createHttpApp({
    logger,
    corsOrigin: config.http.corsOrigin,
    bodyLimit: config.http.bodyLimit,
    health,
    mount: (root) => {
      root.use(createHome(LINKS));
      root.all('/graphql', onlyMethods('GET', 'POST'), graphqlStreams.parts, (_request, response, next) => {
        streaming.watch(response);
        next();
      });
      const batches = serveBatches({ graphql, textOf: persisted.textOf, admit, askerOf, logger });
      root.all('/graphql', serveGraphiql(), batches, (request, response) => graphql(request, response));
      root.all(SCALAR_PAGES, onlyMethods('GET'), serveScalarPage());
      root.use(createReferenceRouter(config.graphql));
      root.use(graphqlStreams.events, streaming.router, (_request, response, next) => {
        cutAnswerWhenStalled(response, config.streams.stallMs, () => response.destroy());
        next();
      });
      const newestPosition = () => feed.latest.position;
      root.use(createRestRouter(routes, execute, { kept, tags, newestPosition, askerOf, nameBlock }));
    },
  });
  const front = createFront({
    app,
    logger,
    corsOrigin: config.http.corsOrigin,
    bodyLimit: config.http.bodyLimit,
    stallMs: config.streams.stallMs,
    kept,
    askerOf,
    checkRoom: (client) => admission.checkRoom(client),
    clients,
    limiter,
    gets: { nameBlock, read: createQuestionReader(routes, execute) },
    posts: createPlainPosts(services, documents, persisted, admit),
  });
  const server = await startHttpServer({ ...config.http, app: front, clients, logger }).catch(
    async (error) => {
      await feed.close();
      await database.close();
      throw error;
    },
  );
  streaming.attach(server, graphql);

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
      await graphql.dispose();
      await feed.close();
      await database.close();
    })();
    return closed;
  };
  return {
    url: server.url,
    get openStreams() {
      return feed.openStreams;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function startFeed(
  {
    config,
    databaseUrl,
    logger,
  }: Pick<Parameters<typeof startGateway>[0], 'config' | 'databaseUrl' | 'logger'>,
  statements: Parameters<typeof Feed.start>[0]['statements'],
): Promise<Feed> {
  const { pollMs, bufferMessages, bufferRows } = config.streams;
  const limits = { maxMessages: bufferMessages, maxWeight: bufferRows };
  // The other half of the connections is for requests, and for the feed itself.
  const readsAtOnce = Math.max(1, Math.floor(config.database.poolSize / 2));
  return Feed.start({ statements, databaseUrl, logger, pollMs, limits, readsAtOnce });
}

/** Where the interfaces are, for those who ask `/` for anything but a page. */
const LINKS = {
  graphql: '/graphql',
  reference: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  health: '/health/ready',
  paths: [...routes, ...streamRoutes].map(({ path }) => path.replace(/:(\w+)/g, '{$1}')),
};

function stopping(): GatewayError {
  return new GatewayError(
    'UNAVAILABLE',
    'The gateway is stopping. Go on from the last cursor elsewhere, or here when it is back.',
  );
}

async function checkDatabase(
  database: Parameters<typeof pingDatabase>[0],
  logger: Logger,
): Promise<string | null> {
  try {
    await pingDatabase(database);
    return null;
  } catch (err) {
    logger.warn({ err }, 'the database cannot be reached');
    return 'cannot be reached';
  }
}
