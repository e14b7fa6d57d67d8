import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ReadyHeaders } from './ready-head.ts';

/** The id of a request: the caller's own where it is sane. The answer has it in `X-Request-Id`. */
export function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

/** The header that has the id of a request, which needs no check: an id is sane. */
export function requestIdHeader(id: string): ReadyHeaders {
  return { list: ['X-Request-Id', id], lines: `X-Request-Id: ${id}\r\n` };
}

/** What other systems use as ids (UUIDs, ULIDs, trace ids, base64), and nothing that a log or page could stumble over. */
const SANE = /^[A-Za-z0-9._:+/=-]{1,128}$/;
