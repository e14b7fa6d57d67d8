import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Engine } from '../engine/engine.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import { gatewayErrorOf } from '../errors.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import { NOBODY } from '../http/request-scope.ts';
import { errorBody } from '../http/write/error-body.ts';
import { chooseRequestId } from '../http/write/request-id.ts';
import { queryOf } from '../rest/query-string.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import { closeReason } from './close-reason.ts';
import { pumpUnlessStalled } from './pump.ts';
import { SocketSink } from './socket-sink.ts';
import type { CompleteUpgrade } from './sockets.ts';
import { type Encode, encodeError, openDocumentedStream } from './stream-messages.ts';
import { logRefusal, type UpgradeHandler } from './upgrades.ts';

export interface StreamSocketOptions {
  readonly engine: Engine;
  readonly clients: ClientAddresses;
  readonly encode: Encode;
  readonly completeUpgrade: CompleteUpgrade;
  readonly stallMs: number;
  /** Whether the gateway is about to stop. */
  readonly isStopping: () => boolean;
  readonly logger: Logger;
}

/**
 * Serves a documented stream as a WebSocket, one message a frame. What the client sends is not looked at. The socket
 * opens first: a refusal is sent on it, where a browser can read it.
 */
export function createStreamSocket(route: StreamRoute, options: StreamSocketOptions): UpgradeHandler {
  const { engine, clients, encode, completeUpgrade, stallMs, isStopping, logger } = options;
  return async (request, socket, head) => {
    const webSocket = await completeUpgrade(request, socket, head);
    try {
      const question = route.read(queryOf(request.url ?? ''));
      const caller = { client: clients.ofRequest(request), signal: NOBODY.signal };
      const subscription = await openDocumentedStream(engine, route, question, caller, 'websocket');
      const leave = () => void subscription.return();
      if (socket.destroyed) return leave();
      socket.on('close', leave);
      // After the goodbyes, which a client need not follow by closing its half.
      socket.on('finish', leave);
      const toFrame = (result: SharedResult) => encode(route, result, 'frame', question.withCursors);
      const sink = new SocketSink(webSocket, socket, toFrame, isStopping);
      void pumpUnlessStalled(subscription, sink, stallMs).catch((err: unknown) => {
        logger.error({ err }, 'a stream on a WebSocket failed');
        leave();
        webSocket.close(1011);
      });
    } catch (error) {
      refuse(webSocket, request, error, logger);
    }
  };
}

/** What is wrong with the request for a stream is the stream's one message. */
function refuse(webSocket: WebSocket, request: IncomingMessage, error: unknown, logger: Logger): void {
  const id = chooseRequestId(request);
  logRefusal(request, id, error, logger);
  webSocket.send(encodeError(error, 'frame', id), { binary: false }, () => {});
  webSocket.close(gatewayErrorOf(error) ? 1008 : 1011, closeReason(errorBody(error, id).message));
}
