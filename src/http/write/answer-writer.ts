import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Steps } from '../../steps.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { UntakenAnswers, type UntakenLimits } from '../limits/untaken-answers.ts';
import { cutAnswerWhenStalled, isTaken } from '../server/stalls.ts';
import { countBody, logAnswer } from './access-log.ts';
import type { Answer, Form } from './answer.ts';
import { chooseRequestId, createCommonHead, type Origins, requestIdHeader } from './common-head.ts';
import { Exchange } from './exchange.ts';
import { failureAnswer } from './failure.ts';
import { HeadWriter, NO_HEADERS, type ReadyHeaders, readyHeaders, setHeaders } from './ready-head.ts';

export interface AnswerWriterOptions {
  readonly logger: Logger;
  readonly corsOrigin: Origins;
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  readonly clients: ClientAddresses;
  /** Null where clients may ask for as much as they like. */
  readonly limiter: RateLimiter | null;
  /** What answers may hold that their readers do not take, in bytes; by the size of the heap where it is left out. */
  readonly untaken?: UntakenLimits;
}

/**
 * Writes every answer: data, rejections and errors alike. It makes the one head that all of them begin with: the id of
 * the request, security, CORS, `Vary`, and where the client's rate stands.
 */
export class AnswerWriter {
  readonly #options: AnswerWriterOptions;
  readonly #isLogging: boolean;
  readonly #commonHead: (origin: string | undefined) => ReadyHeaders;
  readonly #heads = new HeadWriter();
  readonly #untaken: UntakenAnswers;

  constructor(options: AnswerWriterOptions) {
    this.#options = options;
    this.#isLogging = options.logger.isLevelEnabled('info');
    this.#commonHead = createCommonHead(options.corsOrigin);
    this.#untaken = new UntakenAnswers(options.untaken);
  }

  /** Begins the exchange of a request that has just come; `steps` is told of what is done for it. */
  begin(request: IncomingMessage, response: ServerResponse, steps: Steps | null): Exchange {
    const { logger, clients } = this.#options;
    const id = chooseRequestId(request);
    const line = this.#isLogging ? logAnswer(logger, request, response, id) : null;
    return new Exchange(request, response, { id, line, steps, clients });
  }

  /** Sends an answer, with further headers of the request's own. */
  send(exchange: Exchange, answer: Answer, more: ReadyHeaders = NO_HEADERS): void | Promise<void> {
    const { method = 'GET', headers } = exchange.request;
    const form = answer.formFor(method, exchange.encoding, headers['if-none-match']);
    if (!(form instanceof Promise)) return this.#write(exchange, form, more);
    return form.then((made) => this.#write(exchange, made, more));
  }

  /** Answers with an error: its status, its documented body and what the client can do. A stream that has begun ends. */
  fail(exchange: Exchange, thrown: unknown, more: ReadyHeaders = NO_HEADERS): void {
    const { response } = exchange;
    const answer = failureAnswer(thrown, exchange, this.#options.logger);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const name of ['ETag', 'Last-Modified', 'Content-Encoding']) response.removeHeader(name);
    // What is left of a body that is too large would have to be read before another request could begin.
    if (answer.status === 413) response.shouldKeepAlive = false;
    void this.send(exchange, answer, more);
  }

  /** Sets the head of an exchange on its response, for a handler that writes the rest itself. */
  setHead(exchange: Exchange): void {
    if (exchange.hasHead) return;
    for (const { list } of this.#headOf(exchange)) setHeaders(exchange.response, list);
    if (exchange.line !== null) countBody(exchange.response, exchange.line);
    exchange.hasHead = true;
  }

  #write(exchange: Exchange, form: Form, more: ReadyHeaders): void {
    const { request, response, line, hasHead } = exchange;
    const { clients, stallMs } = this.#options;
    const tooMuch = this.#untaken.rejectionFor(form, () => clients.ofRequest(request));
    if (tooMuch !== null) {
      this.fail(exchange, tooMuch, more);
      return;
    }
    const head = [...(hasHead ? [] : this.#headOf(exchange)), more, form.own];
    this.#heads.end(response, form, head);
    if (line !== null && !hasHead) line.bytes = form.bytes;
    if (isTaken(response)) return;
    this.#untaken.hold(response, form, clients.ofRequest(request));
    cutAnswerWhenStalled(response, stallMs, () => response.destroy());
  }

  #headOf({ request, id }: Exchange): ReadyHeaders[] {
    const { limiter, clients } = this.#options;
    const head = [requestIdHeader(id), this.#commonHead(request.headers.origin)];
    if (limiter !== null) head.push(readyHeaders(limiter.headersFor(clients.ofRequest(request))));
    return head;
  }
}
