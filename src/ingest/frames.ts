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
 *
 * Throws a FrameError with the offset of the record that is damaged or cut off, after all before it were yielded.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FramedRecord, void> {
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = LENGTH_SIZE + 1;
  let offset = 0;
  let sequenced: boolean | undefined;
  let lastSequence: bigint | undefined;

  for await (const chunk of chunks) {
    parts.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    held += chunk.byteLength;
    if (held < wanted) continue;
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, held);
    let start = 0;
    while (true) {
      if (held < LENGTH_SIZE + 1) {
        wanted = LENGTH_SIZE + 1;
        break;
      }
      const size = bytes.readUInt32BE(start);
      sequenced ??= bytes[start + LENGTH_SIZE] === 0;
      checkSize(size, sequenced, offset);
      wanted = LENGTH_SIZE + size;
      if (held < wanted) break;
      const content = bytes.subarray(start + LENGTH_SIZE, start + wanted);
      if (sequenced) lastSequence = nextSequence(content.readBigUInt64BE(), lastSequence, offset);
      yield {
        offset,
        sequence: lastSequence,
        payload: sequenced ? content.subarray(SEQUENCE_SIZE) : content,
      };
      start += wanted;
      offset += wanted;
      held -= wanted;
    }
    parts = [bytes.subarray(start)];
  }
  if (held > 0) throw new FrameError(offset, `the record is cut off: ${held} bytes are left of it`);
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
