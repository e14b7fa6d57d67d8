import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Fields, KnownFields } from './known-fields.ts';
import { COST_OF_ASKING } from './limits/rate-limiter.ts';
import { Rejection, readyRejection } from './limits/rejection.ts';
import { isPlainUrl, type PlainRequestOptions } from './plain-requests.ts';
import type { Connection } from './server/connection.ts';
import type { RawRequest } from './server/raw-request.ts';
import { whenTaken } from './server/stalls.ts';
import type { AnsweredRequest } from './watch/request-times.ts';
import { writeLine } from './write/access-log.ts';
import { createFrontHead } from './write/front-head.ts';
import { HeldWrites } from './write/held-writes.ts';
import { NO_HEADERS, type ReadyHeaders, readyHeaders, statusLine } from './write/ready-head.ts';
import { chooseForm } from './write/send-answer.ts';

export interface FastPathOptions extends PlainRequestOptions {
  /** Is told of every request that was answered. */
  readonly note: (answered: AnsweredRequest) => void;
}

/**
 * Answers from its bytes a request that Node has not read: one whose answer is kept, or that there is no room for. Node
 * takes longer to read and to answer such a request than all else takes that is done for it. What a head means only Node
 * says: a request is known here by the text of its fields, which Node has read before, in another.
 */
export class FastPath {
  readonly #options: FastPathOptions;
  readonly #fields: KnownFields;
  readonly #headFor: (origin: string | undefined) => ReadyHeaders;
  readonly #isLogging: boolean;
  readonly #held = new HeldWrites();

  constructor(options: FastPathOptions) {
    this.#options = options;
    this.#fields = new KnownFields(options.posts.formOf);
    this.#headFor = createFrontHead(options.corsOrigin);
    this.#isLogging = options.logger.isLevelEnabled('info');
  }

  /** Answers a request on a connection that is free; false where that is left to Node, and nothing was done. */
  answer(request: RawRequest, socket: Socket, connection: Connection): boolean {
    const fields = this.#fields.find(request);
    const end = this.#options.heads.endNow();
    if (fields === null || end === null) return false;
    const asked = { request, fields, socket, connection, end, start: performance.now() };
    try {
      return request.method === 'GET' ? this.#answerGet(asked) : this.#answerPost(asked);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      this.#refuse(asked, error, NO_HEADERS);
      return true;
    }
  }

  /** Learns from a request that Node has just read, as `KnownFields` does. */
  learn(request: RawRequest, response: ServerResponse): number | null {
    return this.#fields.learn(request, response);
  }

  #answerGet(asked: Asked): boolean {
    const { gets } = this.#options;
    const { url } = asked.request;
    if (this.#answerKept(asked, url)) return true;
    return isPlainUrl(url) && gets.find(url) !== null && this.#refuseCrowded(asked);
  }

  #answerPost(asked: Asked): boolean {
    const { posts } = this.#options;
    const { request, fields } = asked;
    if (request.url !== posts.path) return false;
    return this.#answerKept(asked, `${fields.form} ${request.body}`) || this.#refuseCrowded(asked);
  }

  /** The headers that name the block that an answer is of; what POST asks names it itself. */
  #nameBlock({ request }: Asked): ReadyHeaders {
    return request.method === 'GET' ? this.#options.gets.nameBlock() : NO_HEADERS;
  }

  /** Throws the refusal of a client that has asked for too much. */
  #answerKept(asked: Asked, key: string): boolean {
    const { kept, posts } = this.#options;
    const { request, fields } = asked;
    const answer = kept.find(key);
    const form =
      answer && chooseForm(answer, request.method, fields.encoding, fields.headers['if-none-match']);
    if (!form || !this.#chargeAtOnce(asked)) return false;
    if (request.method === 'POST') posts.noteKept(answer);
    this.#write(asked, randomUUID(), this.#nameBlock(asked), form);
    return true;
  }

  #refuseCrowded(asked: Asked): boolean {
    const refusal = this.#options.rejectionFor(this.#clientOf(asked));
    if (refusal === null || !this.#chargeAtOnce(asked)) return false;
    this.#refuse(asked, refusal, this.#nameBlock(asked));
    return true;
  }

  #refuse(asked: Asked, refusal: Rejection, block: ReadyHeaders): void {
    const id = randomUUID();
    const { status, own, text, bytes } = readyRejection(refusal, asked.request.method, id);
    this.#write(asked, id, block, { status, own, body: text, bytes });
  }

  #chargeAtOnce(asked: Asked): boolean {
    const { limiter } = this.#options;
    return limiter === null || limiter.chargeAtOnce(this.#clientOf(asked), COST_OF_ASKING.request);
  }

  #clientOf({ fields: { headers }, socket }: Asked): string {
    return this.#options.clients.ofRequest({ headers, socket });
  }

  #write(asked: Asked, id: string, block: ReadyHeaders, sent: Sent): void {
    const { limiter } = this.#options;
    const { fields, socket, end } = asked;
    const limits = limiter === null ? NO_HEADERS : readyHeaders(limiter.headersFor(this.#clientOf(asked)));
    const common = `X-Request-Id: ${id}\r\n${this.#headFor(fields.headers.origin).lines}${limits.lines}`;
    const head = `${statusLine(sent.status)}${common}${block.lines}${sent.own.lines}${end}`;
    this.#held.hold(socket, () => this.#endWhenTaken(asked, sent, id));
    writeBytes(socket, head, sent.body);
  }

  #endWhenTaken(asked: Asked, sent: Sent, id: string): void {
    const { socket } = asked;
    if (socket.destroyed || socket.writableLength === 0) this.#end(asked, sent, id, !socket.destroyed);
    else whenTaken(socket, this.#options.stallMs, (isTaken) => this.#end(asked, sent, id, isTaken));
  }

  #end({ request, connection, start }: Asked, { status, bytes }: Sent, id: string, isTaken: boolean): void {
    const { method, url } = request;
    const ms = performance.now() - start;
    connection.noteIdle();
    this.#options.note({ method, url, status: isTaken ? status : null, ms });
    if (this.#isLogging)
      writeLine(this.#options.logger, { id, method, url, status, ms, bytes, isAborted: !isTaken });
  }
}

interface Asked {
  readonly request: RawRequest;
  readonly fields: Fields;
  readonly socket: Socket;
  readonly connection: Connection;
  /** What its head ends with. */
  readonly end: string;
  readonly start: number;
}

interface Sent {
  readonly status: number;
  readonly own: ReadyHeaders;
  readonly body: string | Buffer | null;
  readonly bytes: number;
}

/** Up to this length a body is copied behind its head: two writes cost more. */
const COPIED_BYTES = 16_384;

function writeBytes(socket: Socket, head: string, body: string | Buffer | null): void {
  if (body === null || typeof body === 'string') {
    socket.write(body === null ? head : head + body);
    return;
  }
  if (body.length <= COPIED_BYTES) {
    const whole = Buffer.allocUnsafe(head.length + body.length);
    whole.write(head, 'latin1');
    whole.set(body, head.length);
    socket.write(whole);
    return;
  }
  socket.write(head, 'latin1');
  socket.write(body);
}
