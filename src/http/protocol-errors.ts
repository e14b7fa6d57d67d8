import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { GatewayError } from '../errors.ts';
import { errorBody, HttpError, statusOf } from './error-body.ts';
import { escapeJson } from './json.ts';

/**
 * Answers bytes that are not an HTTP request, or one that is too large or too slow, with the documented error body;
 * express never sees these. Ends the connection, since nobody knows where in it the next request would begin.
 * `answering` tells whether an answer is on its way out already, whose middle is no place for another. Pages may read
 * the answer where all origins may: which one it is for was not read.
 */
export function refuseBrokenRequest(
  logger: Logger,
  error: Error & { readonly code?: string; readonly reason?: string },
  socket: Duplex,
  answering: boolean,
  corsOrigin: '*' | readonly string[],
): void {
  if (!socket.writable || answering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = refusalFor(error);
  const id = randomUUID();
  logger.info({ id, status: statusOf(refusal), code: error.code }, 'broken request refused');
  socket.end(responseText(refusal, id, corsOrigin === '*'));
  // The other side may never read, or never close its half.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusalFor(error: Error & { readonly code?: string; readonly reason?: string }): GatewayError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(431, 'The address and headers of the request are larger than 16 KiB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError(413, 'The chunk extensions of the request body are too large.');
    default:
      return new GatewayError(
        'INVALID_ARGUMENT',
        `This is not a request in HTTP/1.1: ${error.reason ?? 'it cannot be read'}.`,
      );
  }
}

function responseText(refusal: GatewayError, id: string, forAllOrigins: boolean): string {
  const status = statusOf(refusal);
  const body = escapeJson(JSON.stringify(errorBody(refusal, id)));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    ...(forAllOrigins ? ['Access-Control-Allow-Origin: *', 'Access-Control-Expose-Headers: *'] : []),
    '',
    body,
  ].join('\r\n');
}

const LINGER_MS = 1000;
