import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { GatewayError } from '../../errors.ts';
import { SECURITY_HEADERS } from '../write/common-head.ts';
import { errorBody, HttpError, statusOf } from '../write/error-body.ts';
import { escapeJson } from '../write/json.ts';
import { type Connection, endGently } from './connection.ts';

export interface ProtocolErrorOptions {
  readonly logger: Logger;
  /** Pages may read the answers where all origins may: which one an answer is for was not read. */
  readonly corsOrigin: '*' | readonly string[];
}

/**
 * Answers bytes that are not an HTTP request, or one that is too large or too slow, with the documented error body;
 * express never sees these. What was wholly asked before them is answered first. Ends the connection, since nobody
 * knows where in it the next request would begin.
 */
export async function refuseBrokenRequest(
  error: Error & { readonly code?: string; readonly reason?: string },
  socket: Duplex,
  connection: Connection | undefined,
  { logger, corsOrigin }: ProtocolErrorOptions,
): Promise<void> {
  // Whoever ends its half with answers to come has left, as Node has it too, and so does what is done for it.
  const hasLeft = error.code === 'ECONNRESET' || (error.code === ENDED_WITHIN && connection?.isOwing);
  if (!hasLeft) await connection?.answered();
  // An answer that is on its way yet is to the broken request itself; its middle is no place for another.
  if (hasLeft || connection?.isAnswering) {
    socket.destroy();
    return;
  }
  // An answer before it was the last, and ends the connection.
  if (!socket.writable) return;
  const refusal = refusalFor(error);
  const id = randomUUID();
  logger.info({ id, status: statusOf(refusal), code: error.code }, 'broken request refused');
  const text = responseText(refusal, id, corsOrigin === '*');
  // A request that was late may still come: by then nothing is done for it.
  if (connection === undefined) endGently(socket, text);
  else connection.end(text);
}

/** Answers CONNECT, which asks a proxy for a tunnel, in its turn; Node would end its connection without a word. */
export async function refuseTunnel(
  socket: Duplex,
  connection: Connection | undefined,
  { logger, corsOrigin }: ProtocolErrorOptions,
): Promise<void> {
  // Without a listener, a client that goes away now would end the process.
  socket.on('error', () => {});
  await connection?.answered();
  if (!socket.writable) return;
  const refusal = new GatewayError('UNIMPLEMENTED', 'The gateway is no proxy, and takes no CONNECT.');
  const id = randomUUID();
  logger.info({ id, method: 'CONNECT', status: statusOf(refusal) }, 'tunnel refused');
  endGently(socket, responseText(refusal, id, corsOrigin === '*', 'Allow: GET, HEAD, POST, OPTIONS'));
}

/** What the parser says of a connection that ends within a request. */
const ENDED_WITHIN = 'HPE_INVALID_EOF_STATE';

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

function responseText(
  refusal: GatewayError,
  id: string,
  forAllOrigins: boolean,
  ...more: readonly string[]
): string {
  const status = statusOf(refusal);
  const body = escapeJson(JSON.stringify(errorBody(refusal, id)));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    'Cache-Control: no-store',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    ...(forAllOrigins ? ['Access-Control-Allow-Origin: *', 'Access-Control-Expose-Headers: *'] : []),
    ...more,
    '',
    body,
  ].join('\r\n');
}
