/** One HTTP/1.1 answer's status and the length of its body as it came. */
export interface Answer {
  readonly status: number;
  readonly bytes: number;
}

/** An answer whose body is on the way, and how many bytes of it are missing. */
interface OpenAnswer extends Answer {
  missing: number;
}

/** One whose body comes in chunks, and the bytes of those that are here. */
interface ChunkedAnswer {
  readonly status: number;
  bytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Finds the answers in what a connection receives, no more: it costs the load little beside the server. Bodies are not kept;
 * what they say is compared before anything is timed.
 */
export class AnswerReader {
  readonly #onAnswer: (answer: Answer) => void;
  #rest: Buffer | null = null;
  #open: OpenAnswer | null = null;
  #chunked: ChunkedAnswer | null = null;

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer;
  }

  push(chunk: Buffer): void {
    let data = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = null;
    while (data.length > 0) {
      const used = this.#read(data);
      if (used === 0) {
        this.#rest = data;
        return;
      }
      data = data.subarray(used);
    }
  }

  /** How many bytes were of use; 0 where more are needed. */
  #read(data: Buffer): number {
    if (this.#chunked !== null) return this.#readChunk(data, this.#chunked);
    if (this.#open !== null) return this.#readBody(data, this.#open);
    return this.#readHead(data);
  }

  #readHead(data: Buffer): number {
    const end = data.indexOf(HEAD_END);
    if (end < 0) return 0;
    const head = data.toString('latin1', 0, end + 2);
    const status = Number(head.slice(9, 12));
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#chunked = { status, bytes: 0 };
      return end + 4;
    }
    const length =
      status === 304 || status === 204 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (length === 0) this.#onAnswer({ status, bytes: 0 });
    else this.#open = { status, bytes: length, missing: length };
    return end + 4;
  }

  #readBody(data: Buffer, open: OpenAnswer): number {
    const used = Math.min(open.missing, data.length);
    open.missing -= used;
    if (open.missing === 0) {
      this.#open = null;
      this.#onAnswer(open);
    }
    return used;
  }

  #readChunk(data: Buffer, chunked: ChunkedAnswer): number {
    const line = data.indexOf('\r\n');
    if (line < 0) return 0;
    const length = Number.parseInt(data.toString('latin1', 0, line), 16);
    const end = line + 2 + length + 2;
    if (data.length < end) return 0;
    chunked.bytes += length;
    if (length === 0) {
      this.#chunked = null;
      this.#onAnswer(chunked);
    }
    return end;
  }
}
