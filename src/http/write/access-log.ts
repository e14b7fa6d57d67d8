import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { handedOnWith } from '../handed-on.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Writes one line for every answered request, when its answer is out or its connection gone: id, method, path
 * (with the query, cut at 1000 characters), status, milliseconds, and bytes of the body as it was sent, compressed
 * that is, so this stands before the compression. A level of `warn` hides all but failures. The lines are JSON, so
 * nothing that a client sends can forge one.
 */
export function logAccess(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const start = handedOnWith(request)?.start ?? performance.now();
    countBody(response, logAnswer(logger, request, response, { start, id: requestIdOf(response) }));
    next();
  };
}

/** The line of one request, until it is written. */
export interface AccessLine {
  /** How long the body is that was sent: to be told by whoever sends it. */
  bytes: number;
  /** Leaves the line to another. */
  readonly leave: () => void;
}

/** Writes that line for one request; gives it, to be told what is sent. */
export function logAnswer(
  logger: Logger,
  request: IncomingMessage & { readonly originalUrl?: string },
  response: ServerResponse,
  { start, id }: { readonly start: number; readonly id: string },
): AccessLine {
  const write = () => {
    writeLine(logger, {
      id,
      method: request.method,
      url: request.originalUrl ?? request.url ?? '',
      status: response.statusCode,
      ms: performance.now() - start,
      bytes: request.method === 'HEAD' ? 0 : answer.bytes,
      isAborted: !response.writableFinished,
    });
  };
  const answer = { bytes: 0, leave: () => void response.off('close', write) };
  response.on('close', write);
  return answer;
}

/** What a line says of a request. */
interface LoggedAnswer {
  readonly id: string;
  readonly method: string | undefined;
  readonly url: string;
  readonly status: number;
  readonly ms: number;
  /** How long the body is that was sent. */
  readonly bytes: number;
  /** Whether the client went away before the answer was out. */
  readonly isAborted: boolean;
}

/** Writes the line of one request. */
export function writeLine(
  logger: Logger,
  { id, method, url, status, ms, bytes, isAborted }: LoggedAnswer,
): void {
  const path = url.slice(0, 1000);
  const line = { id, method, path, status, ms: Math.round(ms * 10) / 10, bytes };
  logger[status >= 500 ? 'warn' : 'info'](isAborted ? { ...line, aborted: true } : line);
}

/** Node counts only the bytes of a connection, where pipelined answers cannot be distinguished. */
function countBody(response: ServerResponse, line: AccessLine): void {
  const count = (chunk: unknown) => {
    if (typeof chunk === 'string') line.bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) line.bytes += chunk.length;
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = ((...args: Parameters<typeof write>) => {
    count(args[0]);
    return write(...args);
  }) as typeof write;
  response.end = ((...args: Parameters<typeof end>) => {
    count(args[0]);
    return end(...args);
  }) as typeof end;
}
