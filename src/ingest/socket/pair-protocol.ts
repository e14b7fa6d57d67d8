import { MAX_RECORD_SIZE } from '../frames.ts';

/**
 * The wire format of SP PAIR v0 over TCP, as nanomsg, NNG and mangos speak it and a core node dials it: both sides
 * send a greeting of eight bytes that names the protocol, then messages, each after its length (eight bytes,
 * big-endian). Nothing acknowledges a message. Our own: the packages for it are bindings that compile C at their
 * installation, and a socket of theirs would hold messages that are not on disk yet.
 */
export const GREETING: Uint8Array = Uint8Array.of(0, 0x53, 0x50, 0, 0, 0x10, 0, 0);

/** The largest message that fits a record of a file; far above any event of the network. */
const MAX_MESSAGE_SIZE = MAX_RECORD_SIZE - 8;

const LENGTH_SIZE = 8;

/** What a peer sends, however the bytes are cut: its greeting, then its messages. Holds one message at most. */
export class PairReader {
  /** What has come of a message that is not whole; grows with it, in few steps however small its pieces are. */
  #buffer = Buffer.alloc(0);
  #held = 0;
  #wanted = GREETING.length;
  #greeted = false;

  /** Whether the greeting has come. */
  get greeted(): boolean {
    return this.#greeted;
  }

  /** Whether the bytes so far end within a message or within the greeting. */
  get isWithinMessage(): boolean {
    return this.#held > 0;
  }

  /**
   * The messages that these bytes complete, valid as long as nobody writes to the bytes. Throws a PairError when
   * the peer speaks something else; a message that is too long is refused before it is held.
   */
  read(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.#hold(chunk);
    if (bytes.length < this.#wanted) return [];

    const messages: Uint8Array[] = [];
    let start = 0;
    while (bytes.length - start >= this.#wanted) {
      if (!this.#greeted) {
        checkGreeting(bytes.subarray(start, start + GREETING.length));
        this.#greeted = true;
        start += GREETING.length;
        this.#wanted = LENGTH_SIZE;
      } else if (this.#wanted === LENGTH_SIZE) {
        this.#wanted += readLength(bytes, start);
      } else {
        messages.push(bytes.subarray(start + LENGTH_SIZE, start + this.#wanted));
        start += this.#wanted;
        this.#wanted = LENGTH_SIZE;
      }
    }
    // The messages lie in these bytes, so that what follows gets a place of its own.
    this.#buffer = Buffer.from(bytes.subarray(start));
    this.#held = this.#buffer.length;
    return messages;
  }

  /** All that is held and these. */
  #hold(chunk: Uint8Array): Buffer {
    const length = this.#held + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(2 * this.#buffer.length, this.#wanted)));
      this.#buffer.copy(larger, 0, 0, this.#held);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#held);
    this.#held = length;
    return this.#buffer.subarray(0, length);
  }
}

/** A message as it goes over the wire. */
export function frameMessage(payload: Uint8Array): Uint8Array {
  const length = Buffer.alloc(LENGTH_SIZE);
  length.writeBigUInt64BE(BigInt(payload.length));
  return Buffer.concat([length, payload]);
}

/** A peer that does not speak PAIR v0, or announces what cannot be. */
export class PairError extends Error {
  override name = 'PairError';
}

function checkGreeting(bytes: Uint8Array): void {
  if (Buffer.compare(bytes, GREETING) === 0) return;
  const sent = Buffer.from(bytes).toString('hex');
  throw new PairError(
    `greets with ${sent}, which is not the greeting of PAIR v0 (${Buffer.from(GREETING).toString('hex')})`,
  );
}

function readLength(bytes: Buffer, start: number): number {
  const length = bytes.readBigUInt64BE(start);
  if (length > 0n && length <= MAX_MESSAGE_SIZE) return Number(length);
  throw new PairError(
    `announces a message of ${length} bytes; an event has at least 1 and at most ${MAX_MESSAGE_SIZE}`,
  );
}
