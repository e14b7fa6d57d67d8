import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { GatewayError } from '../errors.ts';
import { onlyMethods } from './limits/methods.ts';
import { hasBody, takeBody } from './limits/request-limits.ts';
import { HEALTH_PATHS, type Health } from './pages/health.ts';
import type { AnswerWriter } from './write/answer-writer.ts';
import { compressAnswers } from './write/compress.ts';
import { quotedPath } from './write/error-body.ts';
import { exchangeOf } from './write/exchange.ts';

export interface HttpAppOptions {
  readonly writer: AnswerWriter;
  readonly bodyLimit: number;
  readonly health: Health;
  /** Lets a request in, before anything is done for it; without it, every request. */
  readonly enter?: RequestHandler;
  /** Mounts the paths that the service is for. */
  readonly mount: (app: Express) => void;
}

/**
 * An express application for requests that have entered: whatever is mounted has the common head, a bounded body and
 * compression, and every failure is written as all others are. Paths are exact: case counts, and so does a trailing slash.
 */
export function createHttpApp({ writer, bodyLimit, health, enter, mount }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', false).set('etag', false);

  app.use((_request, response, next) => {
    // Every layer of an answer listens for its end; more than ten of them are no leak.
    response.setMaxListeners(30);
    writer.setHead(exchangeOf(response));
    next();
  });
  if (enter !== undefined) app.use(enter);
  app.use(answerPreflight, compressAnswers(), readBody(bodyLimit));
  for (const path of HEALTH_PATHS) {
    app.all(path, onlyMethods('GET'), (request, response) => health.answer(path, request, response));
  }
  mount(app);
  const failUnknown: RequestHandler = (request) => {
    throw new GatewayError('NOT_FOUND', `There is nothing at ${quotedPath(request)}.`);
  };
  // Express knows an error handler by its four parameters.
  const fail: ErrorRequestHandler = (thrown, _request, response, _next) =>
    writer.fail(exchangeOf(response), thrown);
  app.use(failUnknown, fail);
  return app;
}

/** Answers a browser that asks what a page of another origin may send. */
const answerPreflight: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return next();
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
  // The one field that `*` does not stand for: a proxy in front of the gateway may ask for it.
  response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
  response.setHeader('Access-Control-Max-Age', '7200');
  response.status(204).end();
};

function readBody(limit: number): RequestHandler {
  return (request, _response, next) => {
    if (hasBody(request)) takeBody(request, limit, () => next(), next);
    else next();
  };
}
