import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HeaderList, type ReadyHeaders, readyHeaders } from './ready-head.ts';

/** The headers that keep a browser from taking an answer for something else than the data that it is. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** The header by which a request asks for an answer that is not older than a block. */
export const MIN_BLOCK_HEADER = 'X-Min-Block-Height';

/** The request headers, besides the address, that every answer may depend on. */
const VARY = `Accept, Accept-Encoding, ${MIN_BLOCK_HEADER}, Prefer`;

/** Which pages may read answers: those of all origins, or of these. Never with credentials: the gateway knows no users. */
export type Origins = '*' | readonly string[];

/**
 * The security, CORS and `Vary` headers that every answer begins with, by the origin of the page that asks. Each kind is
 * made once.
 */
export function createCommonHead(allowed: Origins): (origin: string | undefined) => ReadyHeaders {
  const security = Object.entries(SECURITY_HEADERS).flat();
  if (allowed === '*') {
    const forAll = readyHeaders([...security, ...letRead('*'), 'Vary', VARY]);
    return () => forAll;
  }
  const vary = ['Vary', `Origin, ${VARY}`];
  const others = readyHeaders([...security, ...vary]);
  const own = new Map(
    allowed.map((origin) => [origin, readyHeaders([...security, ...letRead(origin), ...vary])]),
  );
  return (origin) => (origin === undefined ? undefined : own.get(origin)) ?? others;
}

/** The headers that let the pages of an origin read an answer and all its headers. */
function letRead(origin: string): HeaderList {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', '*'];
}

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

/** What an answer says that goes on for as long as its reader stays, so that nobody in between holds it back. */
export const STREAM_HEADERS = {
  // Not compressed either: a compressor for each stream would take more memory than all else that it needs.
  'Cache-Control': 'no-store, no-transform',
  // nginx would otherwise collect some kilobytes before it passes the first on.
  'X-Accel-Buffering': 'no',
} as const;
