import { hash } from 'node:crypto';
import { COMPRESSED_FROM, compressWhole, type Encoding } from './compress.ts';
import { type HeaderList, type ReadyHeaders, readyHeaders } from './ready-head.ts';

/**
 * The body of an answer of status 200 that is made at once, with what is made of it once however often it is sent: its
 * ETag, its headers, and its compressed forms.
 */
export class Answer {
  readonly contentType: string;
  readonly body: Buffer;
  /** Headers of its own besides those of its body, names and values in turn. */
  readonly headers: HeaderList;
  /** Called when it takes more memory than before. */
  onGrown: () => void = () => {};
  #etag: string | null = null;
  readonly #heads = new Map<string, ReadyHeaders>();
  readonly #compressed = new Map<Encoding, Buffer | Promise<Buffer>>();
  #compressedBytes = 0;

  constructor(contentType: string, text: string, headers: HeaderList = []) {
    this.contentType = contentType;
    // Not of the pool: one small body that is kept would hold all of its block.
    const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    body.write(text);
    this.body = body;
    this.headers = headers;
  }

  /** Weak, so that it names the body in every content coding. */
  get etag(): string {
    this.#etag ??= `W/"${hash('sha256', this.body, 'base64url').slice(0, 22)}"`;
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

  /** Whether it can be sent in a content coding at once. */
  isReadyIn(encoding: Encoding | 'identity'): boolean {
    return (
      encoding === 'identity' ||
      this.body.length < COMPRESSED_FROM ||
      Buffer.isBuffer(this.#compressed.get(encoding))
    );
  }

  /** How much memory its bodies take. */
  get bytes(): number {
    return this.body.length + this.#compressedBytes;
  }

  /** The body in a content coding: made off the event loop when it is first asked for, then there. */
  compressed(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) return known;
    const making = compressWhole(this.body, encoding).then((bytes) => {
      this.#compressed.set(encoding, bytes);
      this.#compressedBytes += bytes.length;
      this.onGrown();
      return bytes;
    });
    // What failed once may be tried again.
    making.catch(() => this.#compressed.delete(encoding));
    this.#compressed.set(encoding, making);
    return making;
  }
}
