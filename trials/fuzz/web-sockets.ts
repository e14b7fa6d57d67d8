import fc from 'fast-check';
import { type Answer, findFault, findLeak, isStream } from './answers.ts';
import type { Finding, Kind } from './campaign.ts';
import { findResultFault, operations } from './graphql.ts';
import { cutAt, exchange } from './raw-connection.ts';
import { readAnswers, readHead } from './raw-http.ts';
import { type Edit, editBytes, editsOf, editText, type Known } from './texts.ts';
import { encodeFrame, readFrames, type SentFrame } from './web-socket-frames.ts';

interface SocketInput {
  readonly path: string;
  readonly protocol: string;
  readonly headEdits: readonly Edit[];
  readonly frames: readonly SentFrame[];
  readonly frameEdits: readonly Edit[];
  readonly cuts: readonly number[];
}

const PATHS = [
  '/graphql',
  '/graphql',
  '/graphql',
  '/api/v2/stream/accounts',
  '/api/v2/stream/accounts?cursors=true&type=x',
  '/api/v2/stream/accounts?after=%',
  '/votes',
  '/nothing',
];
const HEAD_PIECES = [
  '\r\n',
  'Origin: http://a\r\n',
  'Sec-WebSocket-Version: 9\r\n',
  'Sec-WebSocket-Key: x\r\n',
  'Sec-WebSocket-Protocol: a,,b\r\n',
  'Sec-WebSocket-Extensions: permessage-deflate; x\r\n',
  '\0',
  ' ',
  '%',
];
const BYTE_PIECES = ['\0', '\x7f', '\x80', '\x88\x80', '\xff\xff\xff\xff', '\xc1', '\x89\xfe'];
/** What the server answers last of all: by a pong, where it still listens. */
const SENTINEL = 'that was all';

/** Handshakes, and frames after them: of the protocol, of graphql-transport-ws, and bent. All end with a pong or a close. */
export function webSocketKind(port: number, known: Known): Kind<SocketInput> {
  return {
    name: 'web sockets',
    share: 6,
    lanes: 32,
    inputs: fc.record({
      path: fc.constantFrom(...PATHS),
      protocol: fc.constantFrom(
        'graphql-transport-ws',
        'graphql-transport-ws',
        'graphql-transport-ws',
        'graphql-ws',
        '',
      ),
      headEdits: editsOf(HEAD_PIECES, 2, 6),
      frames: fc.array(sentFrames(known), { maxLength: 6 }),
      frameEdits: editsOf(BYTE_PIECES, 2, 3),
      cuts: fc.array(fc.nat({ max: 3000 }), { maxLength: 3 }),
    }),
    show: (input) => JSON.stringify(bytesOf(input).toString('latin1')),
    async send(input) {
      const { received, cut } = await exchange(port, cutAt(bytesOf(input), input.cuts), isEnough);
      if (!isOpen(received)) return findUnopened(received, cut);
      const frames = framesIn(received);
      if (frames === null) return { came: ['cut off'], fault: 'the frames cannot be read' };
      const fault = frames.map(findFrameFault).find((one) => one !== null) ?? null;
      return { came: [howEnded(frames)], fault };
    },
  };
}

type Frame = ReturnType<typeof readFrames>[number];

/** Whether all has come that will: the last pong, or a close. A handshake that is none may ask for a stream. */
function isEnough(received: Buffer): boolean {
  if (!isOpen(received)) return streamIn(received) !== null;
  const isLast = ({ opcode, payload }: Frame) =>
    opcode === 8 || (opcode === 10 && String(payload) === SENTINEL);
  return framesIn(received)?.some(isLast) ?? false;
}

/** What came where no WebSocket was opened: answers, of which a stream has no end. */
function findUnopened(received: Buffer, cut: string | null): Finding {
  const stream = streamIn(received);
  const answers = stream === null ? readAnswers(received) : [stream];
  if (typeof answers === 'string') {
    const begin = received.toString('latin1').slice(0, 300);
    return { came: ['cut off'], fault: `${answers} (${cut ?? 'ended'}): ${begin}` };
  }
  if (answers.length === 0) return { came: ['none'], fault: `no answer (${cut ?? 'ended'})` };
  const fault = answers.map(findFault).find((one) => one !== null) ?? null;
  return { came: stream === null ? answers.map(({ status }) => String(status)) : ['stream'], fault };
}

/** As far as it has come, where the first answer is a stream that has begun; else null. */
function streamIn(received: Buffer): Answer | null {
  const head = readHead(received.toString('latin1'));
  if (head === null || !isStream(head)) return null;
  const body = received.subarray(head.length).toString();
  return body === '' ? null : { ...head, body };
}

function howEnded(frames: readonly Frame[]): string {
  const close = frames.find(({ opcode }) => opcode === 8);
  if (close === undefined) return 'pong';
  return `close ${close.payload.length < 2 ? 'without a code' : close.payload.readUInt16BE()}`;
}

const CLOSE_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 4400, 4401, 4406, 4408, 4409, 4429];

function findFrameFault({ opcode, payload }: Frame): string | null {
  const text = opcode === 8 ? payload.subarray(2).toString() : payload.toString();
  if (opcode === 8) {
    const code = payload.length < 2 ? 1000 : payload.readUInt16BE();
    // 1005: no code; ws sends back what the client sent.
    const isOwn = CLOSE_CODES.includes(code) || (code >= 3000 && code < 5000 && code !== 4500);
    return isOwn ? findLeak(text) : `closed with ${code} ${text}`;
  }
  if (opcode !== 1) return null;
  const message = JSON.parse(text);
  if (message.error !== undefined)
    return message.error.code === 13 ? `the stream failed: ${text}` : findLeak(text);
  if (message.type === 'error') return findResultFault({ errors: message.payload }) ?? findLeak(text);
  if (message.type === 'next') return findResultFault(message.payload) ?? findLeak(text);
  return null;
}

/** Whether a WebSocket was opened, whatever comes on it. */
function isOpen(received: Buffer): boolean {
  return received.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'));
}

/** The frames after the head of the answer; null where they are none. */
function framesIn(received: Buffer) {
  const end = isOpen(received) ? received.indexOf('\r\n\r\n') : -1;
  return end < 0 ? null : readFrames(received.subarray(end + 4));
}

function sentFrames(known: Known): fc.Arbitrary<SentFrame> {
  const id = fc.constantFrom('1', '2', '', 'a'.repeat(500), '__proto__');
  const query = fc.oneof(operations('query', known), operations('subscription', known));
  const edited = fc
    .tuple(query, editsOf(['{', '"', '$', '...F', '#', '\0'], 2, 3))
    .map(([text, edits]) => editText(text, edits));
  const messages = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ type: 'connection_init' }) },
    {
      weight: 6,
      arbitrary: fc.record({ type: fc.constant('subscribe'), id, payload: fc.record({ query: edited }) }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('complete'), id }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('ping'), payload: fc.jsonValue({ maxDepth: 3 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constantFrom('pong', 'next', 'start', 'error', ''),
        id,
        payload: fc.jsonValue({ maxDepth: 2 }),
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
  const plain = messages.map((message) => ({
    opcode: 1,
    isLast: true,
    isMasked: true,
    reserved: 0,
    payload: Buffer.from(JSON.stringify(message)),
  }));
  const odd = fc.record({
    opcode: fc.constantFrom(0, 1, 2, 3, 8, 9, 10, 11, 15),
    isLast: fc.boolean(),
    isMasked: fc.constantFrom(true, true, true, false),
    reserved: fc.constantFrom(0, 0, 0, 1, 4),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 130 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(70_000, 65_536, 126, 0).map((length) => Buffer.alloc(length, '{')),
    ),
  });
  return fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: odd });
}

function bytesOf({ path, protocol, headEdits, frames, frameEdits }: SocketInput): Buffer {
  const offered = protocol === '' ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${offered}\r\n`;
  const last = encodeFrame({
    opcode: 9,
    isLast: true,
    isMasked: true,
    reserved: 0,
    payload: Buffer.from(SENTINEL),
  });
  const body = editBytes(Buffer.concat(frames.map(encodeFrame)), frameEdits);
  return Buffer.concat([editBytes(Buffer.from(head, 'latin1'), headEdits), body, last]);
}
