import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Steps } from '../../steps.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import { OpenRequestScope, type RequestScope } from '../request-scope.ts';
import type { AccessLine } from './access-log.ts';
import { chooseEncoding, type Encoding } from './compress.ts';

/** One request and its answer, from when it comes until it is answered. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The id of the request, which its answer and the log name. */
  readonly id: string;
  /** Its line in the access log; null where none is written. */
  readonly line: AccessLine | null;
  /** Who is told of what is done for the answer; null where nobody is. */
  readonly steps: Steps | null;
  /** Whether the head that every answer has is set on the response: others go on with it. */
  hasHead = false;
  readonly #clients: ClientAddresses;
  #scope: OpenRequestScope | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    {
      id,
      line,
      steps,
      clients,
    }: Pick<Exchange, 'id' | 'line' | 'steps'> & { readonly clients: ClientAddresses },
  ) {
    this.request = request;
    this.response = response;
    this.id = id;
    this.line = line;
    this.steps = steps;
    this.#clients = clients;
    (response as WithExchange)[EXCHANGE] = this;
  }

  /** Whom the answer is for, and whether anybody waits for it: one and the same for all who ask. */
  get scope(): RequestScope {
    if (this.#scope !== null) return this.#scope;
    this.#scope = new OpenRequestScope(this.#clients.ofRequest(this.request), this.steps ?? undefined);
    this.response.on('close', leaveUnanswered);
    return this.#scope;
  }

  /** Where its client knows the gateway, as in `http://127.0.0.1:3008`; null where it names no host that texts may show. */
  get origin(): string | null {
    const { host = '' } = this.request.headers;
    return !PLAIN_HOST.test(host) ? null : `${this.#clients.schemeOf(this.request)}://${host}`;
  }

  /** Its client is gone before the answer was out. */
  leave(): void {
    this.#scope?.leave();
  }

  /** The content coding of the answer: HEAD tells what GET would have. */
  get encoding(): Encoding | 'identity' {
    return chooseEncoding(this.request.headers['accept-encoding']);
  }
}

/** The exchange that a response is of. Throws for a response that did not come through `AnswerWriter.begin`. */
export function exchangeOf(response: ServerResponse): Exchange {
  const exchange = (response as WithExchange)[EXCHANGE];
  if (exchange === undefined) throw new Error('the response has not begun');
  return exchange;
}

/** A host without the characters that a shell, a page or a document would take for its own. */
const PLAIN_HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i;

/** One function for all responses. */
function leaveUnanswered(this: WithExchange): void {
  if (!this.writableEnded) this[EXCHANGE]?.leave();
}

/** Kept on the response, since a WeakMap of as many as there are requests keeps the garbage collector busy. */
const EXCHANGE = Symbol('exchange');
type WithExchange = ServerResponse & { [EXCHANGE]?: Exchange };
