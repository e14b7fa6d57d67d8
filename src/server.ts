import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase, pingDatabase } from './data/client.ts';
import { Feed } from './feed/feed.ts';
import { createExecute } from './graphql/execute.ts';
import { createSubscribe } from './graphql/subscribe.ts';
import { createGraphqlServer } from './graphql/yoga.ts';
import { createHttpApp } from './http/app.ts';
import { createHealth } from './http/health.ts';
import { startHttpServer } from './http/listen.ts';
import { onlyMethods } from './http/methods.ts';
import { routes } from './rest/index.ts';
import { createRestRouter } from './rest/router.ts';

const STREAMS = { pollMs: 5000, limits: { maxMessages: 1000, maxWeight: 100_000 } };

/** A gateway that serves. Whoever starts it closes it. */
export interface Gateway extends AsyncDisposable {
  /** Where a client on this machine reaches it, without a slash at the end. */
  readonly url: string;
  /** Stops: not ready any more, finishes what it accepted within the deadline, then lets the database go. */
  close(): Promise<void>;
}

/** Serves the database at `databaseUrl` over GraphQL and REST. Only reads it. */
export async function startGateway(options: {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
}): Promise<Gateway> {
  const { config, databaseUrl, logger } = options;
  const database = openDatabase({
    url: databaseUrl,
    readOnly: true,
    maxConnections: config.database.poolSize,
    waitMs: config.database.poolWaitMs,
    statementTimeoutMs: config.database.statementTimeoutMs,
  });
  const health = createHealth([{ name: 'database', check: () => checkDatabase(database) }], logger);
  const feed = await Feed.start({ prisma: database.prisma, databaseUrl, logger, ...STREAMS });
  const services = { prisma: database.prisma, feed };
  const graphql = createGraphqlServer(services, createSubscribe(services, logger), logger);
  const rest = createRestRouter(routes, createExecute(services));
  const app = createHttpApp({
    logger,
    corsOrigin: config.http.corsOrigin,
    bodyLimit: config.http.bodyLimit,
    health,
    mount: (root) => {
      root.all('/graphql', onlyMethods('GET', 'POST'), (request, response) => graphql(request, response));
      root.use(rest);
    },
  });
  const server = await startHttpServer({ ...config.http, app, logger }).catch(async (error) => {
    await database.close();
    throw error;
  });

  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      health.startDraining();
      const cut = await server.close(config.http.shutdownDeadlineMs);
      if (cut > 0) logger.warn({ connections: cut }, 'cut at the shutdown deadline');
      await graphql.dispose();
      await feed.close();
      await database.close();
    })();
    return closed;
  };
  return { url: server.url, close, [Symbol.asyncDispose]: close };
}

async function checkDatabase(database: Parameters<typeof pingDatabase>[0]): Promise<string | null> {
  try {
    await pingDatabase(database);
    return null;
  } catch {
    return 'cannot be reached';
  }
}
