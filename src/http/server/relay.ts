import {
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import type { ClientAddresses } from '../limits/client-address.ts';

/** Passes requests on to the process of this machine that has what they are for. */
export interface Relay {
  /** What this process's tokens begin with. */
  readonly prefix: string;
  /** Where the process that has made a token is reached; null where it is this one, or there can be none. */
  find(token: string): string | null;
  /** Answers with what that process answers; false where there is none any more. */
  pass(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** Whom a request that was passed on counts for. Nobody but the processes of this machine is believed. */
export const PASSED_FOR = 'x-periscope-client';

/** The answers that another process makes: it logs and counts them, so that nobody else does. */
const madeElsewhere = new WeakSet<ServerResponse>();

/** Whether what is answered here is the answer of another process, which notes it. */
export function isMadeElsewhere(response: ServerResponse): boolean {
  return madeElsewhere.has(response);
}

/** These are of a connection, or were made for another answer. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'];

/** Passes a request, whose body was read, on to the socket at `path`, and its answer back as it comes. */
export function passRequest(
  path: string,
  request: IncomingMessage & { readonly body?: unknown },
  response: ServerResponse,
  clients: ClientAddresses,
): Promise<boolean> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const headers = {
    ...withoutConnection(request.headers),
    [PASSED_FOR]: clients.ofRequest(request),
    'x-request-id': String(response.getHeader('X-Request-Id')),
    'content-length': body.length,
  };
  return new Promise((resolve) => {
    const { method = 'GET', url = '/' } = request;
    const asked = ask({ socketPath: path, method, path: url, headers, agent: false });
    const leave = () => asked.destroy();
    response.once('close', leave);
    madeElsewhere.add(response);
    asked.once('response', (answer) => {
      for (const [name, value] of Object.entries(withoutConnection(answer.headers)))
        if (value !== undefined) response.setHeader(name, value);
      response.writeHead(answer.statusCode ?? 502);
      response.flushHeaders();
      // Who has died in the middle of an answer notes nothing.
      answer.once('error', () => response.destroyed || madeElsewhere.delete(response));
      pipeline(answer, response, () => resolve(true));
    });
    asked.on('error', () => {
      response.off('close', leave);
      const isOver = response.headersSent || response.destroyed;
      // Whoever has to say that it is gone notes that, too.
      if (!isOver) madeElsewhere.delete(response);
      resolve(isOver);
    });
    asked.end(body);
  });
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const left = Object.entries(headers).filter(
    ([name]) => !OF_CONNECTION.includes(name) && !named.includes(name),
  );
  return Object.fromEntries(left);
}
