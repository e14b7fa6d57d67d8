import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { ErrorCode } from '../errors.ts';
import { gatewayErrorOf } from '../errors.ts';
import { errorBody } from '../http/error-body.ts';
import { chooseRequestId } from '../http/request-id.ts';
import { cutWhenStalled } from '../http/stalls.ts';
import type { SharedResult, Subscribe } from '../operations/subscribe.ts';
import { queryOf } from '../rest/query-string.ts';
import { accountStream } from '../rest/streams.ts';
import { closeReason } from './close-reason.ts';
import { follow, type Reader, stalled } from './follow.ts';
import { type Messages, openAccountStream } from './open-streams.ts';
import type { CompleteUpgrade } from './sockets.ts';
import { type Encode, encodeError } from './stream-messages.ts';
import { logRefusal, type UpgradeHandler } from './upgrades.ts';

export interface StreamSocketOptions {
  /** Subscribes for the client that a request came from. */
  readonly subscribeFor: (request: IncomingMessage) => Subscribe;
  readonly encode: Encode;
  readonly completeUpgrade: CompleteUpgrade;
  readonly stallMs: number;
  /** Whether the gateway is about to stop. */
  readonly isStopping: () => boolean;
  readonly logger: Logger;
}

/**
 * Serves the documented stream as a WebSocket, one message a frame. What the client sends is not looked at. The socket
 * opens first: a stream that is refused is told why on it, where a browser can read it.
 */
export function createStreamSocket(options: StreamSocketOptions): UpgradeHandler {
  return async (request, socket, head) => {
    const webSocket = await options.completeUpgrade(request, socket, head);
    try {
      const question = accountStream.read(queryOf(request.url ?? ''));
      const messages = await openAccountStream(options.subscribeFor(request), question);
      const encode = (result: SharedResult) => options.encode(result, 'frame', question.withCursors);
      void serve({ messages, webSocket, socket, encode }, options);
    } catch (error) {
      refuse(webSocket, request, error, options.logger);
    }
  };
}

/** What is wrong with the request for a stream is told as the stream's one message. */
function refuse(webSocket: WebSocket, request: IncomingMessage, error: unknown, logger: Logger): void {
  const id = chooseRequestId(request);
  logRefusal(request, id, error, logger);
  webSocket.send(encodeError(error, 'frame', id), { binary: false }, () => {});
  webSocket.close(gatewayErrorOf(error) ? 1008 : 1011, closeReason(errorBody(error, id).message));
}

interface Stream {
  readonly messages: Messages;
  readonly webSocket: WebSocket;
  /** The connection below the WebSocket. */
  readonly socket: Socket;
  readonly encode: (result: SharedResult) => Buffer;
}

async function serve(
  { messages, webSocket, socket, encode }: Stream,
  { stallMs, isStopping, logger }: StreamSocketOptions,
): Promise<void> {
  const leave = () => void messages.return?.();
  if (socket.destroyed) return leave();
  socket.once('close', leave);
  // After the goodbyes, which a client need not follow by closing its half.
  socket.once('finish', leave);
  const reader: Reader = {
    // Called back when the kernel has taken it, or when the connection is gone.
    write: (result) =>
      new Promise((resolve) => webSocket.send(encode(result), { binary: false }, () => resolve())),
    end(error) {
      if (error === null) return webSocket.close(1000);
      webSocket.send(encodeError(error, 'frame'), { binary: false }, () => {});
      webSocket.close(isStopping() ? 1001 : CLOSE_CODES[error.code], closeReason(error.message));
    },
  };
  cutWhenStalled(socket, stallMs, () => {
    leave();
    reader.end(stalled(stallMs));
  });
  await follow(messages, reader).catch((err: unknown) => {
    logger.error({ err }, 'a stream on a WebSocket failed');
    leave();
    webSocket.close(1011);
  });
}

/** How a stream ends that had begun: 1008 is for what the client should not try again, 1013 for what it should, later. */
const CLOSE_CODES: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 1008,
  NOT_FOUND: 1008,
  RESOURCE_EXHAUSTED: 1013,
  FAILED_PRECONDITION: 1008,
  OUT_OF_RANGE: 1008,
  UNIMPLEMENTED: 1008,
  INTERNAL: 1011,
  UNAVAILABLE: 1013,
};
