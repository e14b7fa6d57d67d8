import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { codeOf } from '../engine/client-errors.ts';
import { type ErrorCode, GatewayError, quoted } from '../errors.ts';
import type { Entrance } from '../http/entrance.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import type { Quota } from '../http/limits/quota.ts';
import { COST_OF_ASKING } from '../http/limits/rate-limiter.ts';
import { MAX_HEADERS } from '../http/limits/request-limits.ts';
import { endGently } from '../http/server/connection.ts';
import type { HttpServer } from '../http/server/listen.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { chooseRequestId } from '../http/write/common-head.ts';
import { statusOf } from '../http/write/error-body.ts';
import { Exchange } from '../http/write/exchange.ts';
import type { StreamCounts } from './stream-counts.ts';

/**
 * A request to become a WebSocket. What its handler throws refuses it, as any other request is refused. That is for what
 * must not or cannot become one; a browser shows nobody such an answer, so whatever else is wrong is sent on the socket.
 */
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => Promise<void>;

interface UpgradeOptions {
  /** By path. */
  readonly handlers: ReadonlyMap<string, UpgradeHandler>;
  /** The web origins whose pages may connect. The gateway's own pages may, whatever this is. */
  readonly origins: '*' | readonly string[];
  /** How many WebSockets may be open. */
  readonly sockets: Quota;
  readonly clients: ClientAddresses;
  /** What every request passes. */
  readonly enter: Entrance;
  readonly writer: AnswerWriter;
  readonly counts: StreamCounts;
  readonly logger: Logger;
}

/** Takes the requests of a server that ask for another protocol. */
export function takeUpgrades(
  { server, answered }: Pick<HttpServer, 'server' | 'answered'>,
  options: UpgradeOptions,
): void {
  const { handlers, origins, sockets, clients, enter, writer, counts, logger } = options;
  const handlerOf = ({ url, headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket' ? handlers.get(url?.split('?', 1)[0] ?? '') : undefined;
  // Newer versions of Node ask it (22.23, 24.21 and 26 do); 20 lets go of every connection on which another protocol is asked for.
  Object.assign(server, {
    shouldUpgradeCallback: (request: IncomingMessage) => handlerOf(request) !== undefined,
  });
  server.on('upgrade', async (request, socket: Socket, head) => {
    // Without a listener, a client that goes away now would end the process.
    socket.on('error', () => {});
    await answered(socket);
    if (socket.destroyed || socket.readableEnded) {
      socket.destroy();
      return noteRefused('left', counts);
    }
    const handler = handlerOf(request);
    if (handler === undefined) return answerAsRequest(server, request, socket, head);
    try {
      await enterUnlessLeft(request, socket, enter);
      checkOrigin(request, origins);
      const giveBack = await sockets.take(clients.ofRequest(request));
      if (socket.destroyed) {
        noteRefused('left', counts);
        return giveBack();
      }
      socket.on('close', giveBack);
      await handler(request, socket, head);
    } catch (error) {
      if (socket.destroyed) return noteRefused('left', counts);
      noteRefused(codeOf(error), counts);
      const exchange = beginOn(request, socket, clients);
      logRefusal(request, exchange.id, error, logger);
      writer.fail(exchange, error);
    }
  });
}

/** Closes the request of a client that leaves while something holds it back, such as a block: Node has let go of both. */
async function enterUnlessLeft(request: IncomingMessage, socket: Socket, enter: Entrance): Promise<void> {
  const leave = () => void request.destroy();
  for (const event of ['end', 'close']) socket.on(event, leave);
  try {
    await enter(request, COST_OF_ASKING.stream);
  } finally {
    for (const event of ['end', 'close']) socket.off(event, leave);
  }
}

function noteRefused(reason: 'left' | ErrorCode, { webSockets: { refused } }: StreamCounts): void {
  refused[reason] = (refused[reason] ?? 0) + 1;
}

/**
 * HTTP lets a server disregard what it cannot become. Node has let go of the connection, and has read no body: it gets the connection
 * once more, with the same request in front that asks for nothing else. The connection ends with the answer.
 */
function answerAsRequest(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  // Where there are too many some are missing here, and with them, maybe, how long a body is.
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    server.emit('request', request, responseOn(request, socket));
    return;
  }
  const fields = rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || ASKING.has(name.toLowerCase()) ? [] : [`${name}: ${rawHeaders[at + 1]}`],
  );
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...fields, 'Connection: close', '', ''];
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}

/** What asks for another protocol. */
const ASKING: ReadonlySet<string> = new Set(['connection', 'upgrade']);

/** The exchange of a request that did not become a WebSocket, and has no line in the access log. */
function beginOn(request: IncomingMessage, socket: Socket, clients: ClientAddresses): Exchange {
  const id = chooseRequestId(request);
  return new Exchange(request, responseOn(request, socket), { id, line: null, steps: null, clients });
}

/** A refusal in the log, whether it is sent as an answer or on the open WebSocket. */
export function logRefusal(request: IncomingMessage, id: string, error: unknown, logger: Logger): void {
  const status = statusOf(error);
  if (status >= 500) logger.warn({ id, err: error }, 'WebSocket refused');
  else
    logger.info(
      { id, method: request.method, path: request.url?.slice(0, 1000), status },
      'WebSocket refused',
    );
}

/** An answer on a connection that Node has let go of; the connection ends with it. */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  // Node does this for the connections that it has: a long answer would wait for it for ever.
  socket.on('drain', () => response.emit('drain'));
  response.once('finish', () => endGently(socket));
  return response;
}

/** Browsers ask nobody before a page connects to somewhere else, so that it is asked here. */
function checkOrigin(request: IncomingMessage, origins: '*' | readonly string[]): void {
  const { origin, host } = request.headers;
  if (origins === '*' || origin === undefined || origins.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new GatewayError(
    'INVALID_ARGUMENT',
    `Pages of ${quoted(origin)} may not connect here; CORS_ORIGIN says which may.`,
  );
}
