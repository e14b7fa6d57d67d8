import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Engine } from '../engine/engine.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import { type ErrorCode, type GatewayError, gatewayErrorOf } from '../errors.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import type { Turns } from '../http/limits/turns.ts';
import { NOBODY } from '../http/request-scope.ts';
import { cutWhenStalled } from '../http/server/stalls.ts';
import { chooseRequestId } from '../http/write/common-head.ts';
import { errorBody } from '../http/write/error-body.ts';
import type { Reader } from '../readable.ts';
import { findIgnoredParameters } from '../rest/ignored-parameters.ts';
import { queryOf } from '../rest/query-string.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import { FrameWriter, sharedFrameOf } from './frames.ts';
import { Inbox } from './inbox.ts';
import { type ConnectionSink, pumpUnlessStalled } from './pump.ts';
import { type CompleteUpgrade, closeReason } from './sockets.ts';
import { type Encode, encodeError, openDocumentedStream } from './stream-messages.ts';
import { logRefusal, type UpgradeHandler } from './upgrades.ts';

interface StreamSocketOptions {
  readonly engine: Engine;
  readonly clients: ClientAddresses;
  readonly encode: Encode;
  readonly completeUpgrade: CompleteUpgrade;
  readonly stallMs: number;
  readonly turns: Turns;
  /** Whether the gateway is about to stop. */
  readonly isStopping: () => boolean;
  readonly logger: Logger;
}

/**
 * Serves a documented stream as a WebSocket, one message a frame. What the client sends is charged, and not looked at. The
 * socket opens first: a refusal is sent on it, where a browser can read it.
 */
export function createStreamSocket(route: StreamRoute, options: StreamSocketOptions): UpgradeHandler {
  const { engine, clients, encode, completeUpgrade, stallMs, turns, isStopping, logger } = options;
  const ignored = findIgnoredParameters(route.parameters);
  return async (request, socket, head) => {
    const webSocket = await completeUpgrade(request, socket, head);
    const frames = new FrameWriter(webSocket, socket);
    const client = clients.ofRequest(request);
    const leaving = new AbortController();
    const inbox = new Inbox(webSocket, frames, {
      turns,
      read: ({ length }) => engine.readMessage(client, length, leaving.signal, () => {}),
      onFault: (err) => logger.error({ err }, 'a message on a WebSocket failed'),
    });
    webSocket.on('message', (data) => inbox.take(data as Buffer));
    webSocket.on('close', () => leaving.abort());
    try {
      const query = queryOf(request.url ?? '');
      ignored.refuse(request, query);
      const question = route.read(query);
      const caller = { client, signal: NOBODY.signal };
      const subscription = await openDocumentedStream(engine, route, question, caller, 'websocket');
      const leave = () => void subscription.return();
      if (socket.destroyed) return leave();
      socket.on('close', leave);
      // After the goodbyes, which a client need not follow by closing its half.
      socket.on('finish', leave);
      const toFrames = (result: SharedResult) => encode(route, result, 'frame', question);
      const sink = new SocketSink(webSocket, socket, frames, toFrames, isStopping);
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

/** Writes a stream as the frames of a WebSocket. */
class SocketSink implements ConnectionSink<SharedResult> {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #frames: FrameWriter;
  readonly #encode: (result: SharedResult) => readonly Buffer[];
  readonly #isStopping: () => boolean;

  /** `socket` is the connection below the WebSocket; `isStopping` says whether the gateway is about to stop. */
  constructor(
    webSocket: WebSocket,
    socket: Socket,
    frames: FrameWriter,
    encode: (result: SharedResult) => readonly Buffer[],
    isStopping: () => boolean,
  ) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#frames = frames;
    this.#encode = encode;
    this.#isStopping = isStopping;
  }

  get hasRoom(): boolean {
    return this.#frames.hasRoom;
  }

  whenRoom(reader: Reader): void {
    this.#frames.whenRoom(reader);
  }

  write(result: SharedResult): void {
    for (const bytes of this.#encode(result)) this.#frames.write(sharedFrameOf(bytes));
  }

  end(error: GatewayError | null): void {
    if (error === null) {
      this.#webSocket.close(1000);
      return;
    }
    this.#webSocket.send(encodeError(error, 'frame'), { binary: false }, () => {});
    const code = this.#isStopping() ? 1001 : CLOSE_CODES[error.code];
    this.#webSocket.close(code, closeReason(error.message));
  }

  watch(ms: number, onStall: () => void): void {
    cutWhenStalled(this.#socket, ms, onStall);
  }
}
