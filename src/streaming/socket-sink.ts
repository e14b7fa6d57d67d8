import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { SharedResult } from '../engine/run/subscribe.ts';
import type { ErrorCode, GatewayError } from '../errors.ts';
import { cutWhenStalled } from '../http/server/stalls.ts';
import type { Reader } from '../readable.ts';
import { closeReason } from './close-reason.ts';
import { FrameWriter, sharedFrameOf } from './frames.ts';
import type { ConnectionSink } from './pump.ts';
import { encodeError } from './stream-messages.ts';

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
export class SocketSink implements ConnectionSink<SharedResult> {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #frames: FrameWriter;
  readonly #encode: (result: SharedResult) => Buffer;
  readonly #isStopping: () => boolean;

  /** `socket` is the connection below the WebSocket; `isStopping` says whether the gateway is about to stop. */
  constructor(
    webSocket: WebSocket,
    socket: Socket,
    encode: (result: SharedResult) => Buffer,
    isStopping: () => boolean,
  ) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#frames = new FrameWriter(webSocket, socket);
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
    this.#frames.write(sharedFrameOf(this.#encode(result)));
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
