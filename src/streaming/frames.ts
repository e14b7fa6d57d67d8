import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Reader } from '../readable.ts';
import { MOST_UNREAD } from './pump.ts';

/** The frame of a text, in parts to be written one after the other. */
export type Frame = readonly Buffer[];

const TEXT = 0x81;
/** Shorter frames are put together: a copy costs less than another part to write. */
const MOST_COPIED = 4000;

/**
 * The frame of a text (RFC 6455, 5.2), of which the part in the middle may be shared with other frames. Our own: ws has
 * no way to prepare a frame for many clients, https://github.com/websockets/ws/issues/617.
 */
export function frameOf(before: string, shared: Buffer, after = ''): Frame {
  const [first, last] = [Buffer.byteLength(before), Buffer.byteLength(after)];
  const length = first + shared.length + last;
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const isCopied = length <= MOST_COPIED;
  const bytes = Buffer.allocUnsafe(head + (isCopied ? length : first));
  bytes[0] = TEXT;
  if (head === 2) bytes[1] = length;
  else if (head === 4) bytes[1] = 126;
  else bytes[1] = 127;
  if (head === 4) bytes.writeUInt16BE(length, 2);
  if (head === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  bytes.write(before, head);
  if (!isCopied) return last === 0 ? [bytes, shared] : [bytes, shared, Buffer.from(after)];
  shared.copy(bytes, head + first);
  bytes.write(after, head + first + shared.length);
  return [bytes];
}

const frames = new WeakMap<Buffer, Frame>();

/** The frame of a text that goes to many as it is: made once. */
export function sharedFrameOf(bytes: Buffer): Frame {
  const known = frames.get(bytes);
  if (known !== undefined) return known;
  const frame = frameOf('', bytes);
  frames.set(bytes, frame);
  return frame;
}

/** How much may wait in a connection's buffers while more is written; beyond it, what comes waits as what all share. */
const MOST_BUFFERED = 64 * 1024;
/** A client is read no further while more answers than this wait for it. */
const MOST_WAITING = 1000;

/**
 * Writes frames to the connection below a WebSocket, those of one turn of the event loop together. A slow client has
 * no more than MOST_BUFFERED and one message in the buffers; the other messages are what their readers share.
 */
export class FrameWriter {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  #waiting: Reader[] = [];
  #answers = 0;
  #isCorked = false;
  #isHeld = false;

  constructor(webSocket: WebSocket, socket: Socket) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    const onRoom = () => {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const reader of waiting) reader.onReadable();
    };
    socket.on('drain', onRoom);
    socket.on('close', onRoom);
  }

  get hasRoom(): boolean {
    return this.#socket.writableLength < MOST_BUFFERED || this.#isClosed;
  }

  /** Tells the reader when there is room again, or nobody to read what is written. */
  whenRoom(reader: Reader): void {
    this.#waiting.push(reader);
  }

  write(frame: Frame): void {
    if (this.#isClosed) return;
    this.#corkForThisTurn();
    for (const part of frame) this.#socket.write(part);
  }

  /** Writes the answer to something that the client sent, which is read no further while too many or too long ones wait. */
  answer(text: string): void {
    if (this.#isClosed) return;
    this.#answers += 1;
    this.#corkForThisTurn();
    const parts = frameOf('', Buffer.from(text));
    for (const part of parts.slice(0, -1)) this.#socket.write(part);
    this.#socket.write(parts.at(-1) as Buffer, () => {
      this.#answers -= 1;
      if (this.#answers === 0 && this.#webSocket.isPaused && !this.#isHeld) this.#webSocket.resume();
    });
    // What the client sends makes answers: without this, one that never reads could fill the memory with them.
    if (this.mustWait) this.#webSocket.pause();
  }

  /** Has the client read no further until it is released, whatever becomes of answers. */
  hold(): void {
    this.#isHeld = true;
    this.#webSocket.pause();
  }

  release(): void {
    this.#isHeld = false;
    if (!this.mustWait) this.#webSocket.resume();
  }

  /** Whether so many answers wait for the client, or such long ones, that it is read no further. */
  get mustWait(): boolean {
    return this.#answers > MOST_WAITING || (this.#answers > 0 && this.#socket.writableLength > MOST_UNREAD);
  }

  /** After its goodbyes nothing may be written. */
  get #isClosed(): boolean {
    return this.#webSocket.readyState !== this.#webSocket.OPEN || !this.#socket.writable;
  }

  #corkForThisTurn(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }
}
