import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { handedOnWith } from '../handed-on.ts';
import type { ReadyHeaders } from './ready-head.ts';

/** Gives every request an id, the caller's own where it is sane, and answers with it in `X-Request-Id`. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('X-Request-Id', handedOnWith(request)?.id ?? chooseRequestId(request));
  next();
}

/** The id of a request that no response answers. */
export function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

/** The header that has the id of a request, which needs no check: an id is sane. */
export function requestIdHeader(id: string): ReadyHeaders {
  return { list: ['X-Request-Id', id], lines: `X-Request-Id: ${id}\r\n` };
}

/** The id of the request that a response answers. The response's own header is where it is kept. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader('X-Request-Id') ?? '');
}

/** What other systems use as ids (UUIDs, ULIDs, trace ids, base64), and nothing that a log or page could stumble over. */
const SANE = /^[A-Za-z0-9._:+/=-]{1,128}$/;
