import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

/**
 * Writes one line for every answered request, when its answer is out or its connection gone: id, method, path
 * (with the query, cut at 1000 characters), status, milliseconds, bytes on the wire with the head. A level of `warn`
 * hides all but failures. The lines are JSON, so nothing that a client sends can forge one.
 */
export function logAccess(logger: Logger): RequestHandler {
  const bytesSeen = new WeakMap<Socket, number>();
  return (request, response, next) => {
    const start = performance.now();
    const { socket } = request;
    response.once('close', () => {
      // Answers leave a connection one after the other, so what was written since the last one is this one's.
      const bytes = socket.bytesWritten - (bytesSeen.get(socket) ?? 0);
      bytesSeen.set(socket, socket.bytesWritten);
      logger[response.statusCode >= 500 ? 'warn' : 'info'](accessLine(request, response, start, bytes));
    });
    next();
  };
}

function accessLine(
  request: IncomingMessage & { readonly originalUrl: string },
  response: ServerResponse,
  start: number,
  bytes: number,
) {
  return {
    id: requestIdOf(response),
    method: request.method,
    path: request.originalUrl.slice(0, 1000),
    status: response.statusCode,
    ms: Math.round((performance.now() - start) * 10) / 10,
    bytes,
    // The client went away before the answer was out.
    ...(response.writableFinished ? {} : { aborted: true }),
  };
}
