import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { ErrorCode } from '../errors.ts';
import type { SharedResult, Subscribe } from '../graphql/subscribe.ts';
import { queryOf } from '../rest/query-string.ts';
import { accountStream } from '../rest/streams.ts';
import { follow, type Reader, stalled } from './follow.ts';
import { awaitOpening, openAccountStream } from './open-streams.ts';
import type { CompleteUpgrade } from './sockets.ts';
import { cutWhenStalled } from './stalls.ts';
import { type Encode, encodeError } from './stream-messages.ts';
import type { UpgradeHandler } from './upgrades.ts';

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

/** Serves the documented stream as a WebSocket, one message a frame. What the client sends is not looked at. */
export function createStreamSocket(options: StreamSocketOptions): UpgradeHandler {
  return async (request, socket, head) => {
    const question = accountStream.read(queryOf(request.url ?? ''));
    const messages = await openAccountStream(options.subscribeFor(request), question);
    const leave = () => void messages.return?.();
    if (socket.destroyed) return leave();
    socket.once('close', leave);
    const opened = await awaitOpening(messages);
    const webSocket = await options.completeUpgrade(request, socket, head);
    const encode = (result: SharedResult) => options.encode(result, 'frame', question.withCursors);
    const reader = readerOf(webSocket, encode, options.isStopping);
    cutWhenStalled(socket, options.stallMs, () => {
      leave();
      reader.end(stalled(options.stallMs));
    });
    await follow(opened, reader).catch((err: unknown) => {
      options.logger.error({ err }, 'a stream on a WebSocket failed');
      leave();
      webSocket.close(1011);
    });
  };
}

function readerOf(
  webSocket: WebSocket,
  encode: (result: SharedResult) => Buffer,
  isStopping: () => boolean,
): Reader {
  return {
    // Called back when the kernel has taken it, or when the connection is gone.
    write: (result) =>
      new Promise((resolve) => webSocket.send(encode(result), { binary: false }, () => resolve())),
    end(error) {
      if (error === null) return webSocket.close(1000);
      webSocket.send(encodeError(error, 'frame'), { binary: false }, () => {});
      webSocket.close(isStopping() ? 1001 : CLOSE_CODES[error.code], 'The last message says why.');
    },
  };
}

/** 1008 is for what the client should not try again, 1013 for what it should, later. */
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
