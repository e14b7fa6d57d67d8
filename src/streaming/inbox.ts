import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { gatewayErrorOf } from '../errors.ts';
import type { Turns } from '../http/limits/turns.ts';
import type { FrameWriter } from './frames.ts';
import { closeReason } from './sockets.ts';

/** Reads a message: at once, or when its promise is over. Rejects where it cannot be read soon enough. */
type Read = (message: Buffer) => void | Promise<void>;

/**
 * Has the messages of a socket read one after the other. While one waits, the socket is read no further: what came with it,
 * in one piece of what the system gives at a time, waits here.
 */
export class Inbox {
  readonly #webSocket: WebSocket;
  readonly #frames: FrameWriter;
  readonly #turns: Turns;
  readonly #read: Read;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting: Buffer[] = [];
  #isWaiting = false;

  /** `onFault` is called with what nobody expected: the socket is closed for it. */
  constructor(
    webSocket: WebSocket,
    frames: FrameWriter,
    options: {
      readonly turns: Turns;
      readonly read: Read;
      readonly onFault: (error: unknown) => void;
    },
  ) {
    this.#webSocket = webSocket;
    this.#frames = frames;
    this.#turns = options.turns;
    this.#read = options.read;
    this.#onFault = options.onFault;
  }

  take(message: Buffer): void {
    if (this.#isWaiting) {
      this.#waiting.push(message);
      return;
    }
    try {
      const reading = this.#readNext(message);
      if (reading instanceof Promise) void this.#readRest(reading);
    } catch (error) {
      this.#close(error);
    }
  }

  /** Never rejects. */
  async #readRest(reading: Promise<void>): Promise<void> {
    this.#isWaiting = true;
    this.#frames.hold();
    try {
      await reading;
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        await this.#readNext(next);
    } catch (error) {
      this.#close(error);
      this.#waiting.length = 0;
    }
    this.#isWaiting = false;
    this.#frames.release();
  }

  /** What more came is read in the next turn where this one is over: whoever answers at once could keep it going. */
  #readNext(message: Buffer): void | Promise<void> {
    // After its goodbyes nobody reads what a message comes to.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    const reading = this.#read(message);
    if (reading instanceof Promise) return reading;
    if (this.#turns.isOver('unpriced')) return new Promise((resolve) => this.#turns.next(resolve));
  }

  #close(error: unknown): void {
    const known = gatewayErrorOf(error);
    if (known === undefined) {
      this.#onFault(error);
      this.#webSocket.close(CloseCode.InternalServerError, 'Something went wrong here.');
    } else this.#webSocket.close(1013, closeReason(known.message));
  }
}
