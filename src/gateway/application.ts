import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { serveBatches } from '../graphql-http/batches.ts';
import { serveGraphiql } from '../graphql-http/graphiql.ts';
import { serveTables, type TableOptions } from '../graphql-http/tables.ts';
import { createGraphqlServer } from '../graphql-http/yoga.ts';
import { createHttpApp } from '../http/app.ts';
import { isProbe } from '../http/entrance.ts';
import { createHome } from '../http/home.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import { COST_OF_ASKING } from '../http/limits/rate-limiter.ts';
import type { Health } from '../http/pages/health.ts';
import { cutAnswerWhenStalled } from '../http/server/stalls.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { createMcpRouter } from '../mcp/router.ts';
import { METRICS_PATH } from '../metrics/serve.ts';
import { VERSION } from '../reference/about.ts';
import { createGuideRouter } from '../reference/guides.ts';
import { createReferenceRouter } from '../reference/router.ts';
import { tableParameters } from '../rest/export-parameters.ts';
import { findIgnoredParameters } from '../rest/ignored-parameters.ts';
import type { Rest } from '../rest/serve.ts';
import type { Streaming } from '../streaming/streaming.ts';
import { LINKS } from './paths.ts';

export interface ApplicationOptions {
  readonly config: Config;
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly rest: Rest;
  readonly feed: TableOptions['feed'];
  readonly streaming: Streaming;
  readonly health: Health;
  /** Serves the metrics; null where they are elsewhere. */
  readonly metrics: RequestHandler | null;
  readonly logger: Logger;
}

/** The Express application that pages, REST paths, GraphQL over HTTP and streams are mounted on, and what it disposes of. */
export function createApplication(options: ApplicationOptions): { readonly app: Express; dispose(): void } {
  const { config, engine, writer, rest, feed, streaming, health, metrics, logger } = options;
  const graphql = createGraphqlServer(engine, writer, logger);
  const { bodies, events } = streaming.serveGraphql(engine);
  const enterLayers: RequestHandler = async (_request, response, next) => {
    await engine.enterLayers(exchangeOf(response).scope);
    next();
  };
  // What is answered before the application is reached costs less, be it a page or a path that there is not.
  const enterApplication: RequestHandler = async (request, response, next) => {
    if (!isProbe(request)) await engine.charge(exchangeOf(response).scope.client, COST_OF_ASKING.application);
    next();
  };
  const cutStalled: RequestHandler = (_request, response, next) => {
    cutAnswerWhenStalled(response, config.streams.stallMs, () => response.destroy());
    next();
  };
  const served = { ...config.graphql, mcp: config.mcp.serve };
  const app = createHttpApp({
    writer,
    bodyLimit: config.http.bodyLimit,
    health,
    enter: enterApplication,
    mount(root) {
      const links = metrics === null ? LINKS : { ...LINKS, metrics: METRICS_PATH };
      root.use(createHome({ links, hasPage: config.graphql.operationList === null }, writer));
      if (metrics !== null) root.all(METRICS_PATH, onlyMethods('GET'), metrics);
      root.use(serveGraphiql(writer, engine.charge.bind(engine)));
      root.all('/graphql', onlyMethods('GET', 'POST'), enterLayers, ...bodies, cutStalled);
      root.all(
        '/graphql',
        serveTables({ engine, writer, logger, feed, ignored: findIgnoredParameters(tableParameters) }),
      );
      root.all('/graphql', serveBatches(engine, writer, logger), graphql.serve);
      root.use(
        createMcpRouter({
          ...{ engine, writer, logger, version: VERSION },
          ...{ enter: enterLayers, isServed: config.mcp.serve === 'on' },
        }),
      );
      root.use(createReferenceRouter({ ...config.graphql, writer }), createGuideRouter(writer, served));
      root.use(events, streaming.serveDocumented(engine), cutStalled, rest.router);
    },
  });
  return { app, dispose: graphql.dispose };
}
