import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isPlainHead, lengthOfPlainBody } from './limits/request-limits.ts';
import { areSound, type RawRequest } from './server/raw-request.ts';
import { chooseEncoding, type Encoding } from './write/compress.ts';

/** What the fields of a head say, as Node has read them. */
export interface Fields {
  readonly headers: IncomingHttpHeaders;
  readonly encoding: Encoding | 'identity';
  /** In which form the answer to a POST is wanted; empty for a GET. */
  readonly form: string;
  readonly bodyLength: number;
}

/** There are as many as kinds of clients; behind a proxy that names them, as many as clients. */
const MOST_KNOWN = 4096;
/** What all their texts may take together. */
const MOST_BYTES = 4 * 2 ** 20;
/** What one takes besides its text. */
const OVERHEAD = 1024;
const LONGEST = 2048;
/** Of how many it is remembered that they came once. */
const MOST_SEEN = 1024;

/** Fields that differ from request to request, and fields that ask for more than an answer. */
const NOT_LEARNT = ['x-request-id', 'x-min-block-height', 'x-server-timing', 'expect', 'upgrade'];

/**
 * The fields of requests that Node has read, by their text. They are the same in most requests of a client, and what has
 * the same text says the same, so that it need not be read again.
 */
export class KnownFields {
  readonly #formOf: (headers: IncomingHttpHeaders) => string | null;
  readonly #known = new LRUCache<string, Fields>({
    max: MOST_KNOWN,
    maxSize: MOST_BYTES,
    sizeCalculation: (_, text) => OVERHEAD + 2 * text.length,
  });
  /** Those that came once: what is new in each request, as the id of a trace, is never known, and pushes nothing out. */
  readonly #seen = new LRUCache<string, true>({ max: MOST_SEEN });

  /** `formOf` is that of the paths that are asked with POST. */
  constructor(formOf: (headers: IncomingHttpHeaders) => string | null) {
    this.#formOf = formOf;
  }

  /** What is known of a request's fields; null where nothing is, or they do not say that its body is as long as it is. */
  find({ method, fields, body }: RawRequest): Fields | null {
    const known = this.#known.get(fields);
    if (known === undefined || known.bodyLength !== body.length) return null;
    return method === (known.form === '' ? 'GET' : 'POST') ? known : null;
  }

  /**
   * Learns what Node has read of a request. Gives how many bytes of its body have not come; null where it is not sure that
   * these bytes are that request and nothing else.
   */
  learn(whole: RawRequest, response: ServerResponse): number | null {
    const { req: request, shouldKeepAlive } = response;
    const { method, url, fields, body } = whole;
    if (request.method !== method || request.url !== url) return null;
    if (this.find(whole) !== null) return request.complete ? 0 : null;
    const length = lengthOfBody(request.headers);
    if (length === null || length < body.length || !areSound(fields)) return null;
    if (length > body.length) return length - body.length;
    if (!request.complete) return null;
    if (shouldKeepAlive && fields.length <= LONGEST) this.#note(fields, request, length);
    return 0;
  }

  /** Keeps what is usual from the second time on. */
  #note(text: string, request: IncomingMessage, bodyLength: number): void {
    const { method, headers } = request;
    const isPlain =
      method === 'GET' ? isPlainHead(request) : method === 'POST' && lengthOfPlainBody(request) !== null;
    if (!isPlain || NOT_LEARNT.some((name) => headers[name] !== undefined)) return;
    if (!this.#seen.delete(text)) {
      this.#seen.set(copy(text), true);
      return;
    }
    const encoding = chooseEncoding(headers['accept-encoding']);
    const form = method === 'GET' ? '' : this.#formOf(headers);
    if (encoding !== null && form !== null)
      this.#known.set(copy(text), { headers, encoding, form, bodyLength });
  }
}

/** A part of a text holds all of it in memory, a long body too. */
function copy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Null where its length is not said. */
function lengthOfBody(headers: IncomingHttpHeaders): number | null {
  const length = Number(headers['content-length'] ?? 0);
  return 'transfer-encoding' in headers || !Number.isSafeInteger(length) ? null : length;
}
