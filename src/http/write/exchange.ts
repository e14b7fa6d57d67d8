import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestScope, ScopeOf } from '../request-scope.ts';
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
  /** Whether the head that every answer has is set on the response: others go on with it. */
  hasHead = false;
  readonly #scopeOf: ScopeOf;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { id, line, scopeOf }: Pick<Exchange, 'id' | 'line'> & { readonly scopeOf: ScopeOf },
  ) {
    this.request = request;
    this.response = response;
    this.id = id;
    this.line = line;
    this.#scopeOf = scopeOf;
    (response as WithExchange)[EXCHANGE] = this;
  }

  /** Whom the answer is for, and whether anybody waits for it. */
  get scope(): RequestScope {
    return this.#scopeOf(this.request, this.response);
  }

  /** The content coding of the answer. */
  get encoding(): Encoding | 'identity' {
    const { method, headers } = this.request;
    return method === 'HEAD' ? 'identity' : chooseEncoding(headers['accept-encoding']);
  }
}

/** The exchange that a response is of. Throws for a response that did not come through `AnswerWriter.begin`. */
export function exchangeOf(response: ServerResponse): Exchange {
  const exchange = (response as WithExchange)[EXCHANGE];
  if (exchange === undefined) throw new Error('the response has not begun');
  return exchange;
}

/** Kept on the response, since a WeakMap of as many as there are requests keeps the garbage collector busy. */
const EXCHANGE = Symbol('exchange');
type WithExchange = ServerResponse & { [EXCHANGE]?: Exchange };
