import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** The line of one request in the access log, until it is written. */
export interface AccessLine {
  /** How long the body is that was sent: whoever sends it says so. */
  bytes: number;
}

/** The longest address that a line shows. */
const LONGEST_PATH = 1000;

/**
 * Writes one line when the answer to a request is out or its connection gone: id, method, path (with the query),
 * status, milliseconds, and bytes of the body as it was sent. A level of `warn` hides all but failures. The lines are
 * JSON, so nothing that a client sends can forge one.
 */
export function logAnswer(
  logger: Logger,
  request: IncomingMessage & { readonly originalUrl?: string },
  response: ServerResponse,
  id: string,
): AccessLine {
  const start = performance.now();
  const told = { bytes: 0 };
  response.on('close', () => {
    const { statusCode: status, writableFinished } = response;
    const line = {
      ...{ id, method: request.method },
      path: (request.originalUrl ?? request.url ?? '').slice(0, LONGEST_PATH),
      status,
      ms: Math.round((performance.now() - start) * 10) / 10,
      bytes: request.method === 'HEAD' ? 0 : told.bytes,
    };
    logger[status >= 500 ? 'warn' : 'info'](writableFinished ? line : { ...line, aborted: true });
  });
  return told;
}

/**
 * Counts the bytes of a body that a handler of the application writes, compressed that is, so this stands before the
 * compression. Node counts only the bytes of a connection, where pipelined answers cannot be distinguished.
 */
export function countBody(response: ServerResponse, line: AccessLine): void {
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
