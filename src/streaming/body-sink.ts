import type { ServerResponse } from 'node:http';
import type { SharedResult } from '../engine/run/subscribe.ts';
import type { GatewayError } from '../errors.ts';
import { cutAnswerWhenStalled, hasBacklog } from '../http/server/stalls.ts';
import { STREAM_HEADERS } from '../http/write/common-head.ts';
import type { Reader } from '../readable.ts';
import type { ConnectionSink } from './pump.ts';
import { encodeError, type Wrapping } from './stream-messages.ts';

/** How a stream is written as a body. */
export interface BodyForm {
  readonly contentType: string;
  /** What keeps those in between from taking a quiet stream for a dead one. */
  readonly heartbeat: Buffer;
  /** The last bytes: why it ends, where that is an error. */
  ending(error: GatewayError | null): Buffer;
}

/** How a documented stream is. */
export interface DocumentedForm extends BodyForm {
  readonly wrapping: Wrapping;
}

export const LINES: DocumentedForm = {
  contentType: 'application/json',
  wrapping: 'line',
  heartbeat: Buffer.from('\n'),
  ending: (error) => (error === null ? NOTHING : encodeError(error, 'line')),
};

export const EVENTS: DocumentedForm = {
  contentType: 'text/event-stream',
  wrapping: 'event',
  heartbeat: Buffer.from(':\n\n'),
  ending: (error) => (error === null ? NOTHING : encodeError(error, 'event')),
};

const NOTHING = Buffer.alloc(0);

/** Sends the head of a stream at once. */
export function beginBody(response: ServerResponse, { contentType }: Pick<BodyForm, 'contentType'>): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', contentType);
  for (const [name, value] of Object.entries(STREAM_HEADERS)) response.setHeader(name, value);
  response.flushHeaders();
}

/** Writes a stream as the body of an answer, after its head. */
export class BodySink implements ConnectionSink<SharedResult> {
  readonly #response: ServerResponse;
  readonly #form: BodyForm;
  readonly #encode: (result: SharedResult) => readonly Buffer[];
  readonly #heartbeat: NodeJS.Timeout;
  #waiting: Reader | null = null;

  constructor(
    response: ServerResponse,
    form: BodyForm,
    encode: (result: SharedResult) => readonly Buffer[],
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
    return !hasBacklog(this.#response) || this.#isOver;
  }

  whenRoom(reader: Reader): void {
    this.#waiting = reader;
  }

  write(result: SharedResult): void {
    for (const bytes of this.#encode(result)) {
      if (this.#isOver) return;
      this.#heartbeat.refresh();
      this.#response.write(bytes);
    }
  }

  end(error: GatewayError | null): void {
    clearInterval(this.#heartbeat);
    if (this.#isOver) return;
    this.#response.end(this.#form.ending(error));
  }

  watch(ms: number, onStall: () => void): void {
    cutAnswerWhenStalled(this.#response, ms, onStall);
  }

  /** Writes a heartbeat, unless something else waits to be read. */
  beat(): void {
    if (!hasBacklog(this.#response)) this.#response.write(this.#form.heartbeat);
  }

  get #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }
}
