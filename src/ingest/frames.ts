/**
 * The framing of the network's event files: records of a four-byte length (big-endian), then the sequence number
 * of eight bytes that newer releases write, counted in the length, then one event. Nothing precedes the
 * first record, nothing separates or closes them.
 */
export interface FramedRecord {
  /** Where the record begins, in bytes from the beginning of the stream. */
  readonly offset: number;
  /** The record's number, where the stream has them. */
  readonly sequence: bigint | undefined;
  /** The bytes of the event, valid until the next record is asked for. */
  readonly payload: Uint8Array;
}

/** Far above any event of the network; a length beyond it is damage, and is not allocated. */
export const MAX_RECORD_SIZE = 16 * 1024 * 1024;

const LENGTH_SIZE = 4;
const SEQUENCE_SIZE = 8;

/**
 * Cuts chunks of bytes, however they are cut, into the records in them; holds one record and one chunk at most.
 *
 * Which of the two framings it is, the fifth byte decides beyond doubt: a sequence number begins with a zero byte
 * (it is below 2^56), and no event does, because a zero byte is no field of any message.
 */
export class RecordCutter {
  #parts: Buffer[] = [];
  #held = 0;
  #wanted = LENGTH_SIZE + 1;
  #offset = 0;
  #sequenced: boolean | undefined;
  #lastSequence: bigint | undefined;

  /** The records that end with the next chunk. Throws a FrameError with the offset of one that is damaged. */
  *cut(chunk: Uint8Array): Generator<FramedRecord, void> {
    this.#parts.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#held += chunk.byteLength;
    if (this.#held < this.#wanted) return;
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#held);
    let start = 0;
    for (let size = this.#nextSize(bytes, start); size !== null; size = this.#nextSize(bytes, start)) {
      yield this.#read(bytes, start + LENGTH_SIZE, size);
      start += LENGTH_SIZE + size;
      this.#offset += LENGTH_SIZE + size;
      this.#held -= LENGTH_SIZE + size;
    }
    this.#parts = [bytes.subarray(start)];
  }

  /** To be called behind the last chunk. Throws a FrameError with the offset of a record that is cut off. */
  end(): void {
    if (this.#held > 0) {
      throw new FrameError(this.#offset, `the record is cut off: ${this.#held} bytes are left of it`);
    }
  }

  /** How many bytes the record has that begins there, without its length; null while it is not all here. */
  #nextSize(bytes: Buffer, start: number): number | null {
    this.#wanted = LENGTH_SIZE + 1;
    if (this.#held < this.#wanted) return null;
    const size = bytes.readUInt32BE(start);
    this.#sequenced ??= bytes[start + LENGTH_SIZE] === 0;
    checkSize(size, this.#sequenced, this.#offset);
    this.#wanted = LENGTH_SIZE + size;
    return this.#held < this.#wanted ? null : size;
  }

  #read(bytes: Buffer, start: number, size: number): FramedRecord {
    const head = this.#sequenced ? SEQUENCE_SIZE : 0;
    if (this.#sequenced) {
      this.#lastSequence = nextSequence(bytes.readBigUInt64BE(start), this.#lastSequence, this.#offset);
    }
    return {
      offset: this.#offset,
      sequence: this.#lastSequence,
      payload: new Uint8Array(bytes.buffer, bytes.byteOffset + start + head, size - head),
    };
  }
}

/**
 * The records in chunks of bytes, one by one. Throws a FrameError with the offset of the record that is damaged or cut
 * off, after all before it were yielded.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FramedRecord, void> {
  const cutter = new RecordCutter();
  for await (const chunk of chunks) yield* cutter.cut(chunk);
  cutter.end();
}

/** The same framing, written: for files that others read, and for tests. */
export function frameRecord(payload: Uint8Array, sequence?: bigint): Uint8Array {
  const head = Buffer.alloc(LENGTH_SIZE + (sequence === undefined ? 0 : SEQUENCE_SIZE));
  head.writeUInt32BE(head.length - LENGTH_SIZE + payload.length);
  if (sequence !== undefined) head.writeBigUInt64BE(sequence, LENGTH_SIZE);
  return Buffer.concat([head, payload]);
}

/** A stream that is not framed as it should be. */
export class FrameError extends Error {
  override name = 'FrameError';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

function checkSize(size: number, sequenced: boolean, offset: number): void {
  if (size > MAX_RECORD_SIZE) {
    throw new FrameError(
      offset,
      `a record of ${size} bytes is announced; none has more than ${MAX_RECORD_SIZE}`,
    );
  }
  if (size <= (sequenced ? SEQUENCE_SIZE : 0)) {
    throw new FrameError(offset, `a record of ${size} bytes is announced, which leaves no room for an event`);
  }
}

function nextSequence(sequence: bigint, last: bigint | undefined, offset: number): bigint {
  if (last !== undefined && sequence !== last + 1n) {
    throw new FrameError(offset, `record number ${sequence} follows number ${last}`);
  }
  return sequence;
}
