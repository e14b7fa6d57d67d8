import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { GatewayError } from '../errors.ts';
import { HttpError } from './error-body.ts';

/** How many header fields a request may have. Node reads one more than this, so that too many can be told. */
export const MAX_HEADERS = 100;

/**
 * Refuses requests that no handler should see: without a host, with too many headers, with a body that is too large or
 * encoded (which is how small bodies become huge). Reads every other body into `request.body`, a Buffer of at most
 * `bodyLimit` bytes; a request without a body is left as it is.
 */
export function limitRequests(bodyLimit: number): RequestHandler {
  return (request, response, next) => {
    const refusal = headRefusal(request);
    if (refusal !== undefined) return next(refusal);
    if (!hasBody(request)) return next();
    const refuse = () => {
      // What is left of the body would have to be read before another request could begin.
      response.setHeader('Connection', 'close');
      next(new HttpError(413, `The request body is larger than ${bodyLimit} bytes.`));
    };
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) discardBody(request, refuse);
    else readBody(request, bodyLimit, next, refuse);
  };
}

function headRefusal(request: Request): GatewayError | undefined {
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    return new HttpError(431, `The request has more than ${MAX_HEADERS} header fields.`);
  }
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return new GatewayError('INVALID_ARGUMENT', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity' && hasBody(request)) {
    return new HttpError(415, 'The request body is encoded (Content-Encoding); send it as it is.');
  }
  return undefined;
}

function hasBody(request: IncomingMessage): boolean {
  return 'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0;
}

/** A body that stops in the middle never comes here again: its connection is gone, or the server's time limit ends it. */
function readBody(request: Request, limit: number, done: () => void, refuse: () => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    request.off('data', onData).off('end', onEnd);
    discardBody(request, refuse);
  };
  const onEnd = () => {
    request.body = Buffer.concat(chunks, size);
    done();
  };
  request.on('data', onData).on('end', onEnd).on('error', ignoreLostClient);
}

/**
 * Reads on for a bounded time and size before a refusal: most clients look for an answer only when their request is
 * out, and an answer followed by a reset connection would be lost to them.
 */
function discardBody(request: IncomingMessage, done: () => void): void {
  let room = DISCARD_BYTES;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', onData).off('end', finish);
    request.pause();
    done();
  };
  const onData = (chunk: Buffer) => {
    room -= chunk.length;
    if (room < 0) finish();
  };
  const timer = setTimeout(finish, DISCARD_MS);
  request.on('data', onData).on('end', finish).on('error', ignoreLostClient);
  request.resume();
}

/** Without a listener, a client that goes away in the middle of its body would end the process. */
function ignoreLostClient(): void {}

const DISCARD_BYTES = 4 * 2 ** 20;
const DISCARD_MS = 1000;
