import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { COMPRESSED_FROM, compressWhole, type Encoding } from './compress.ts';
import { encodeText } from './json.ts';
import { type HeaderList, type Outgoing, type ReadyHeaders, readyHeaders } from './ready-head.ts';

/**
 * What clients and those in between may do with an answer: keep it, and ask whether it still holds. Who stands in front for
 * many asks once a second. What is at hand may be given for a second while that is asked. It names its block to all of them.
 */
export const CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=1';

/** The same of an answer that will never be another. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** What pages are made of: a browser that may not sniff refuses a style sheet or a script whose 304 names no type. */
const OF_PAGES = /^(?:text\/(?:css|html|javascript)|image\/)/;

/** From so many bytes on a head and bytes of a body are written at less cost than one text of both. */
const SENT_WITH_HEAD = 12_288;

interface AnswerOptions {
  readonly status?: number;
  /** Whether what it answers will never be answered otherwise. */
  readonly isFinal?: boolean;
  /** What its head begins with, if not with what the transport says of all its answers, such as the newest block. */
  readonly head?: ReadyHeaders | null;
}

/** What is sent of an answer. */
export interface Form extends Outgoing {
  /** The headers of its own. */
  readonly own: ReadyHeaders;
}

/**
 * A whole answer: data, a rejection or an error. It holds what is made of it once however often it is sent: its ETag, its
 * headers, and its compressed forms.
 */
export class Answer {
  readonly status: number;
  readonly contentType: string;
  /** How many bytes the body has. */
  readonly length: number;
  /** Headers of its own besides those of its body, names and values in turn. */
  readonly headers: HeaderList;
  readonly head: ReadyHeaders | null;
  readonly #isFinal: boolean;
  #isLasting = false;
  /** As text until it is kept: then as bytes, unless it is sent at less cost in one text with its head. */
  #body: string | Buffer;
  /** Called when it takes more memory than before. */
  #onGrown: () => void = () => {};
  #etag: string | null = null;
  readonly #heads = new Map<string, ReadyHeaders>();
  readonly #compressed = new Map<Encoding, Buffer | Promise<Buffer>>();
  #compressedBytes = 0;

  constructor(
    contentType: string,
    body: Buffer | string,
    headers: HeaderList = [],
    { status = 200, isFinal = false, head = null }: AnswerOptions = {},
  ) {
    this.status = status;
    this.#isFinal = isFinal;
    this.head = head;
    this.contentType = contentType;
    this.length = Buffer.byteLength(body);
    this.#body = body;
    this.headers = headers;
  }

  /** Makes ready to be sent often; `onGrown` is called when it takes more memory from then on. */
  keep(onGrown: () => void): void {
    this.#onGrown = onGrown;
    if (typeof this.#body !== 'string') return;
    const isShort = this.length <= SENT_WITH_HEAD && this.#body.length === this.length;
    const bytes = encodeText([this.#body]);
    // Read anew: a text that is a part of another, or put together of others, would keep all of these.
    this.#body = isShort ? bytes.toString('latin1') : bytes;
  }

  /** Makes ready to be sent for as long as the process runs: compressed once, it is worth being compressed well. */
  keepForGood(): void {
    this.#isLasting = true;
    this.keep(() => {});
  }

  /** How much memory its bodies take. */
  get bytes(): number {
    return this.length + this.#compressedBytes;
  }

  /**
   * What is sent of it to a request with this `If-None-Match`; promised where it has to be compressed before. GET and HEAD
   * are told what data are known by, or that the client has them (304). What POST asks is in its body, so nobody can keep
   * its answer by the address.
   */
  formFor(
    method: string,
    encoding: Encoding | 'identity',
    ifNoneMatch: string | undefined,
  ): Form | Promise<Form> {
    const { length, status } = this;
    const coding = length < COMPRESSED_FROM ? 'identity' : encoding;
    if (this.#isKnownByTag(method) && ifNoneMatch !== undefined && namesEtag(ifNoneMatch, this.etag)) {
      const own = this.#headersIn(`304 ${coding}`, () => [
        ...this.#cacheHeaders(coding),
        ...(OF_PAGES.test(this.contentType) ? ['Content-Type', this.contentType] : []),
      ]);
      return { status: 304, own, body: null, bytes: 0 };
    }
    if (method === 'HEAD') {
      // To what length GET would compress a long body is not known without doing so.
      const told = length < COMPRESSED_FROM ? length : null;
      const own = this.#headersIn(`HEAD ${coding}`, () => this.#headersOf(method, coding, told));
      return { status, own, body: null, bytes: 0 };
    }
    if (coding === 'identity') return this.#formWith(this.#body, method, coding, length);
    const body = this.compressed(coding);
    return body instanceof Promise
      ? body.then((made) => this.#formWith(made, method, coding, made.length))
      : this.#formWith(body, method, coding, body.length);
  }

  /** The body in a content coding: made off the event loop when it is first asked for, then there. */
  compressed(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) return known;
    const making = compressWhole(this.#body, encoding, this.#isLasting).then((bytes) => {
      this.#compressed.set(encoding, bytes);
      this.#compressedBytes += bytes.length;
      this.#onGrown();
      return bytes;
    });
    // What failed once may be tried again.
    making.catch(() => this.#compressed.delete(encoding));
    this.#compressed.set(encoding, making);
    return making;
  }

  #formWith(body: string | Buffer, method: string, coding: Encoding | 'identity', bytes: number): Form {
    const own = this.#headersIn(`${method} ${coding}`, () => this.#headersOf(method, coding, bytes));
    return { status: this.status, own, body, bytes };
  }

  /** The headers of a form in which it is sent, which are made when it first is. */
  #headersIn(form: string, make: () => HeaderList): ReadyHeaders {
    const known = this.#heads.get(form);
    if (known !== undefined) return known;
    const made = readyHeaders(make());
    this.#heads.set(form, made);
    return made;
  }

  #headersOf(method: string, coding: Encoding | 'identity', length: number | null): HeaderList {
    return [
      ...(this.#isKnownByTag(method) ? this.#cacheHeaders(coding) : this.headers),
      ...['Content-Type', this.contentType],
      ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
      ...(length === null ? [] : ['Content-Length', `${length}`]),
    ];
  }

  /** How long an answer may be kept, unless it says so itself, and its tag, unless nobody is to keep it. */
  #cacheHeaders(coding: Encoding | 'identity'): HeaderList {
    if (this.headers.includes('no-store')) return this.headers;
    const usual = ['Cache-Control', this.#isFinal ? IMMUTABLE : CACHE_CONTROL];
    const control = this.headers.includes('Cache-Control') ? [] : usual;
    // Strong where the same bytes come each time: who compresses them anew may write others.
    const etag = this.#isFinal && coding === 'identity' ? opaqueTag(this.etag) : this.etag;
    return [...this.headers, ...control, 'ETag', etag];
  }

  #isKnownByTag(method: string): boolean {
    return this.status === 200 && method !== 'POST';
  }

  /** Weak, so that it names the body in every content coding. */
  get etag(): string {
    this.#etag ??= `W/"${hash('sha256', this.#body, 'base64url').slice(0, 22)}"`;
    return this.#etag;
  }
}

/** Whether a client says that it has what an ETag names. */
export function hasAlready(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && namesEtag(known, etag);
}

/**
 * Whether an If-None-Match names an ETag: `*` names every one, and the mark of a weak one does not count. Its quotes, of
 * which a tag has none within, keep it apart from others, so that a list of any length is looked through once.
 */
function namesEtag(header: string, etag: string): boolean {
  return header === etag || header.trim() === '*' || header.includes(opaqueTag(etag));
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, '');
}
