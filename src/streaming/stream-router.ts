import { type Request, type Response, Router } from 'express';
import type { GatewayError } from '../errors.ts';
import { onlyMethods } from '../http/methods.ts';
import { cutAnswerWhenStalled } from '../http/stalls.ts';
import { STREAM_HEADERS } from '../http/stream-headers.ts';
import type { SharedResult, Subscribe } from '../operations/subscribe.ts';
import { ignoredParametersNamer } from '../rest/ignored-parameters.ts';
import { queryOf } from '../rest/query-string.ts';
import { accountStream } from '../rest/streams.ts';
import { follow, type Reader, stalled } from './follow.ts';
import { awaitOpening, openAccountStream } from './open-streams.ts';
import { type Encode, encodeError } from './stream-messages.ts';

export interface StreamOptions {
  /** Subscribes for the client that a request came from. */
  readonly subscribeFor: (request: Request) => Subscribe;
  readonly encode: Encode;
  readonly heartbeatMs: number;
  readonly stallMs: number;
}

/**
 * Serves the documented stream as lines of JSON, or as server-sent events where those are asked for. What cannot
 * begin is answered as any other request; once begun, a stream says in its last line why it ends.
 */
export function createStreamRouter(options: StreamOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const nameIgnored = ignoredParametersNamer(accountStream.parameters);
  router.all(accountStream.path, onlyMethods('GET'), async (request, response) => {
    const form = formOf(request);
    const lastEventId = form === EVENTS ? request.get('Last-Event-ID') : undefined;
    const query = queryOf(request.originalUrl);
    nameIgnored(response, query);
    const question = accountStream.read(query, lastEventId);
    response.vary('Accept');
    if (request.method === 'HEAD') {
      writeHead(response, form);
      response.end();
      return;
    }
    const messages = await openAccountStream(options.subscribeFor(request), question);
    const leave = () => void messages.return?.();
    if (response.destroyed) return leave();
    response.once('close', leave);
    const opened = await awaitOpening(messages);
    writeHead(response, form);
    // Some browsers and proxies wait for a first byte of the body before they show even the head.
    if (form === EVENTS) response.write(form.heartbeat);
    const encode = (result: SharedResult) => options.encode(result, form.wrapping, question.withCursors);
    await follow(opened, new BodyReader(response, form, encode, leave, options));
  });
  return router;
}

interface Form {
  readonly wrapping: 'line' | 'event';
  readonly contentType: string;
  /** What keeps those in between from taking a quiet stream for a dead one. */
  readonly heartbeat: Buffer;
}

const LINES: Form = { wrapping: 'line', contentType: 'application/json', heartbeat: Buffer.from('\n') };
const EVENTS: Form = {
  wrapping: 'event',
  contentType: 'text/event-stream',
  heartbeat: Buffer.from(':\n\n'),
};

function formOf(request: Request): Form {
  return request.accepts([LINES.contentType, EVENTS.contentType]) === EVENTS.contentType ? EVENTS : LINES;
}

function writeHead(response: Response, { contentType }: Form): void {
  response.status(200);
  response.setHeader('Content-Type', contentType);
  for (const [name, value] of Object.entries(STREAM_HEADERS)) response.setHeader(name, value);
  response.flushHeaders();
}

/** Reads a stream as the body of an answer. */
class BodyReader implements Reader {
  readonly #response: Response;
  readonly #form: Form;
  readonly #encode: (result: SharedResult) => Buffer;
  readonly #heartbeat: NodeJS.Timeout;
  #wake: () => void = () => {};

  constructor(
    response: Response,
    form: Form,
    encode: (result: SharedResult) => Buffer,
    leave: () => void,
    { heartbeatMs, stallMs }: StreamOptions,
  ) {
    this.#response = response;
    this.#form = form;
    this.#encode = encode;
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    cutAnswerWhenStalled(response, stallMs, () => {
      leave();
      this.end(stalled(stallMs));
    });
    response.on('drain', () => this.#wake());
    response.once('close', () => {
      clearInterval(this.#heartbeat);
      this.#wake();
    });
  }

  async write(result: SharedResult): Promise<void> {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#heartbeat.refresh();
    if (this.#response.write(this.#encode(result))) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  end(error: GatewayError | null): void {
    clearInterval(this.#heartbeat);
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (error === null) this.#response.end();
    else this.#response.end(encodeError(error, this.#form.wrapping));
  }

  #beat(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(this.#form.heartbeat);
  }
}
