import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { refuseFailed } from './handed-on.ts';
import { limitRequests } from './limits/request-limits.ts';
import type { Health } from './pages/health.ts';
import { logAccess } from './write/access-log.ts';
import { compressAnswers } from './write/compress.ts';
import { allowOrigins } from './write/cors.ts';
import { handleErrors, refuseUnknownPaths } from './write/error-handler.ts';
import { assignRequestId } from './write/request-id.ts';
import { secureAnswers } from './write/security-headers.ts';

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
