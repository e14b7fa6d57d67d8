import { hash } from 'node:crypto';
import { compressWhole, type Encoding } from './compress.ts';
import { encodeText } from './json.ts';
import { type HeaderList, type ReadyHeaders, readyHeaders } from './ready-head.ts';

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
  /** As text until it is kept: then as bytes, which are sent at less cost than text is, from the second time on. */
  #body: string | Buffer;
  /** Called when it takes more memory than before. */
  #onGrown: () => void = () => {};
  #etag: string | null = null;
  readonly #heads = new Map<string, ReadyHeaders>();
  readonly #compressed = new Map<Encoding, Buffer | Promise<Buffer>>();
  #compressedBytes = 0;

  constructor(contentType: string, body: Buffer | string, headers: HeaderList = [], status = 200) {
    this.status = status;
    this.contentType = contentType;
    this.length = Buffer.byteLength(body);
    this.#body = body;
    this.headers = headers;
  }

  /** The body as there is least to do for it. */
  get body(): string | Buffer {
    return this.#body;
  }

  /** Makes ready to be sent often; `onGrown` is called when it takes more memory from then on. */
  keep(onGrown: () => void): void {
    this.#onGrown = onGrown;
    if (typeof this.#body === 'string') this.#body = encodeText([this.#body]);
  }

  /** Weak, so that it names the body in every content coding. */
  get etag(): string {
    this.#etag ??= etagOf(this.#body);
    return this.#etag;
  }

  /** The headers of a form in which it is sent, which are made when it first is. */
  headersIn(form: string, make: () => HeaderList): ReadyHeaders {
    const known = this.#heads.get(form);
    if (known !== undefined) return known;
    const made = readyHeaders(make());
    this.#heads.set(form, made);
    return made;
  }

  /** How much memory its bodies take. */
  get bytes(): number {
    return this.length + this.#compressedBytes;
  }

  /** The body in a content coding: made off the event loop when it is first asked for, then there. */
  compressed(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) return known;
    const making = compressWhole(this.#body, encoding).then((bytes) => {
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
}

/** What a body is known by, in every content coding. */
function etagOf(body: string | Buffer): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
}
