import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { type Rejection, sendRejection } from '../limits/rejection.ts';
import { cutUnlessTaken } from '../server/stalls.ts';
import { type AccessLine, logAnswer } from './access-log.ts';
import type { Answer } from './answer.ts';
import type { Encoding } from './compress.ts';
import { createFrontHead } from './front-head.ts';
import { type HeadWriter, type ReadyHeaders, readyHeaders, type WriteHead } from './ready-head.ts';
import { chooseRequestId, requestIdHeader } from './request-id.ts';
import { sendAnswer } from './send-answer.ts';

/** A request that has come, and when, as `performance.now()` has it. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: number;
}

/** A request that the front answers. */
export interface Answered extends Omit<Arrived, 'start'> {
  readonly id: string;
  /** Its line in the access log; null where none is written. */
  readonly line: AccessLine | null;
}

export interface FrontWriterOptions {
  readonly logger: Logger;
  readonly heads: HeadWriter;
  readonly corsOrigin: '*' | readonly string[];
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  readonly clients: ClientAddresses;
  /** Null where clients may ask for as much as they like. */
  readonly limiter: RateLimiter | null;
}

/** Writes what the front answers: with the headers and the log line that answers of the application's layers have. */
export class FrontWriter {
  readonly #options: FrontWriterOptions;
  readonly #isLogging: boolean;
  readonly #headFor: (origin: string | undefined) => ReadyHeaders;
  readonly #write: WriteHead;

  constructor(options: FrontWriterOptions) {
    this.#write = options.heads.write;
    this.#options = options;
    this.#isLogging = options.logger.isLevelEnabled('info');
    this.#headFor = createFrontHead(options.corsOrigin);
  }

  /** Begins to answer a request that came at `start`. */
  begin({ request, response, start }: Arrived): Answered {
    const { logger } = this.#options;
    const id = chooseRequestId(request);
    const line = this.#isLogging ? logAnswer(logger, request, response, { start, id }) : null;
    return { request, response, id, line };
  }

  /** Sends an answer, after the headers that name its block. */
  send(
    answered: Answered,
    answer: Answer,
    encoding: Encoding | 'identity',
    block: ReadyHeaders,
  ): void | Promise<void> {
    const { request, response } = answered;
    const before = [...this.#headOf(answered), block];
    const sent = sendAnswer(request, response, answer, encoding, { before, write: this.#write });
    if (typeof sent === 'number') this.#end(answered, sent);
    else return sent.then((bytes) => this.#end(answered, bytes));
  }

  /** Sends a refusal, after these headers. */
  refuse(answered: Answered, refusal: Rejection, headers: readonly ReadyHeaders[]): void {
    const { request, response, id } = answered;
    const before = [...this.#headOf(answered), ...headers];
    const bytes = sendRejection(request, response, refusal, id, { before, write: this.#write });
    if (answered.line !== null) answered.line.bytes = bytes;
  }

  #end({ response, line }: Answered, bytes: number): void {
    if (line !== null) line.bytes = bytes;
    cutUnlessTaken(response, this.#options.stallMs);
  }

  /** What every answer of the front begins with. */
  #headOf({ request, id }: Answered): ReadyHeaders[] {
    const { limiter, clients } = this.#options;
    const head = [requestIdHeader(id), this.#headFor(request.headers.origin)];
    if (limiter !== null) head.push(readyHeaders(limiter.headersFor(clients.ofRequest(request))));
    return head;
  }
}
