import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../errors.ts';
import { cutAnswerWhenStalled } from '../http/stalls.ts';
import type { SharedResult } from '../operations/subscribe.ts';
import type { Reader } from '../readable.ts';
import type { ConnectionSink } from './pump.ts';
import { encodeError, type Wrapping } from './stream-messages.ts';

/** How a stream is written as a body. */
export interface BodyForm {
  readonly contentType: string;
  readonly wrapping: Wrapping;
  /** What keeps those in between from taking a quiet stream for a dead one. */
  readonly heartbeat: Buffer;
}

export const LINES: BodyForm = {
  contentType: 'application/json',
  wrapping: 'line',
  heartbeat: Buffer.from('\n'),
};

export const EVENTS: BodyForm = {
  contentType: 'text/event-stream',
  wrapping: 'event',
  heartbeat: Buffer.from(':\n\n'),
};

/** Writes a stream as the body of an answer, after its head. */
export class BodySink implements ConnectionSink<SharedResult> {
  readonly #response: ServerResponse;
  readonly #form: BodyForm;
  readonly #encode: (result: SharedResult) => Buffer;
  readonly #heartbeat: NodeJS.Timeout;
  #waiting: Reader | null = null;

  constructor(
    response: ServerResponse,
    form: BodyForm,
    encode: (result: SharedResult) => Buffer,
    heartbeatMs: number,
  ) {
    this.#response = response;
    this.#form = form;
    this.#encode = encode;
    this.#heartbeat = setInterval(() => this.beat(), heartbeatMs);
    response.on('drain', () => this.#waiting?.onReadable());
    response.once('close', () => {
      clearInterval(this.#heartbeat);
      this.#waiting?.onReadable();
    });
  }

  get hasRoom(): boolean {
    return !this.#response.writableNeedDrain || this.#isOver;
  }

  whenRoom(reader: Reader): void {
    this.#waiting = reader;
  }

  write(result: SharedResult): void {
    const bytes = this.#encode(result);
    if (this.#isOver) return;
    this.#heartbeat.refresh();
    this.#response.write(bytes);
  }

  end(error: GatewayError | null): void {
    clearInterval(this.#heartbeat);
    if (this.#isOver) return;
    if (error === null) this.#response.end();
    else this.#response.end(encodeError(error, this.#form.wrapping));
  }

  watch(ms: number, onStall: () => void): void {
    cutAnswerWhenStalled(this.#response, ms, onStall);
  }

  /** Writes a heartbeat, unless something else waits to be read. */
  beat(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(this.#form.heartbeat);
  }

  get #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }
}
