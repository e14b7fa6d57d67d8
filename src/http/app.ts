import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { logAccess } from './access-log.ts';
import { compressAnswers } from './compress.ts';
import { allowOrigins } from './cors.ts';
import { handleErrors, refuseUnknownPaths } from './error-handler.ts';
import { refuseFailed } from './handed-on.ts';
import type { Health } from './health.ts';
import { assignRequestId } from './request-id.ts';
import { limitRequests } from './request-limits.ts';
import { secureAnswers } from './security-headers.ts';

export interface HttpAppOptions {
  readonly logger: Logger;
  readonly corsOrigin: '*' | readonly string[];
  readonly bodyLimit: number;
  readonly health: Health;
  /** Mounts the paths that the service is for. */
  readonly mount: (app: Express) => void;
}

/**
 * An express application in which whatever is mounted is logged, bounded and compressed, and every failure has the
 * documented error body. Paths are exact: case counts, and so does a trailing slash.
 */
export function createHttpApp({ logger, corsOrigin, bodyLimit, health, mount }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', false).set('etag', false);

  app.use((_request, response, next) => {
    // Every layer of an answer listens for its end; more than ten of them are no leak.
    response.setMaxListeners(30);
    next();
  });
  app.use(assignRequestId, logAccess(logger), secureAnswers, allowOrigins(corsOrigin));
  app.use(compressAnswers(), refuseFailed, limitRequests(bodyLimit), health.router);
  mount(app);
  app.use(refuseUnknownPaths, handleErrors(logger));
  return app;
}
