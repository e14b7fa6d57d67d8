import type { RequestHandler } from 'express';
import type { HeaderList } from './ready-head.ts';
import { setHeaders } from './send-answer.ts';

/**
 * Lets pages of the given origins (`*` = all) read every answer and all its headers, never with credentials: the
 * gateway knows no users, so there is nothing that a foreign page could borrow. Answers preflight requests itself.
 */
export function allowOrigins(origins: '*' | readonly string[]): RequestHandler {
  return (request, response, next) => {
    const origin = request.headers.origin;
    if (origins !== '*') response.vary('Origin');
    if (origins === '*' || (origin !== undefined && origins.includes(origin))) {
      setHeaders(response, letRead(origins === '*' ? '*' : (origin ?? '')));
    }
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
    response.setHeader('Access-Control-Allow-Headers', '*');
    response.setHeader('Access-Control-Max-Age', '7200');
    response.status(204).end();
  };
}

/** The headers that let the pages of an origin read an answer and all its headers. */
export function letRead(origin: string): HeaderList {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', '*'];
}
