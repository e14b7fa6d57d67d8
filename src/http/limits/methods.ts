import type { RequestHandler } from 'express';
import { GatewayError } from '../../errors.ts';
import { quotedPath } from '../write/error-body.ts';

/**
 * Stands before the handler of a path (`app.all(path, onlyMethods('GET'), handler)`) and lets the given methods
 * through, HEAD wherever GET. OPTIONS is answered with `Allow`; any other method gets 405 with `Allow`.
 */
export function onlyMethods(...methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[]): RequestHandler {
  const allowed: readonly string[] = methods.flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  const allow = [...allowed, 'OPTIONS'].join(', ');
  return (request, response, next) => {
    if (allowed.includes(request.method)) return next();
    response.setHeader('Allow', allow);
    if (request.method === 'OPTIONS') response.status(204).end();
    else
      next(
        new GatewayError('UNIMPLEMENTED', `${quotedPath(request)} takes ${allow}, not ${request.method}.`),
      );
  };
}
