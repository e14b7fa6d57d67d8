import type { IncomingMessage, ServerResponse } from 'node:http';
import { COMPRESSED_FROM } from './compress.ts';

/**
 * Answers with a value as JSON in the reference's form: compact (or indented by one space where the query has
 * `pretty`, with any value), and safe to stand inside a page. Ends the response; leaves out the body for HEAD.
 */
export function writeJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  value: unknown,
): void {
  const body = toReferenceForm([JSON.stringify(value)], request.url ?? '');
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  const length = Buffer.byteLength(body);
  // To what length GET would compress it is not known without doing so.
  if (request.method !== 'HEAD' || length < COMPRESSED_FROM) response.setHeader('Content-Length', length);
  response.end(body);
}

/** Compact JSON as an answer to a request for an address has it. */
export function toReferenceForm(json: JsonText, url: string): string | Buffer {
  const body = toBody(wantsPretty(url) ? [JSON.stringify(JSON.parse(json.join('')), null, 1)] : json);
  if (typeof body === 'string') return escapeJson(body);
  const isPlain = ESCAPED_BYTES.every((byte) => !body.includes(byte));
  return isPlain ? body : encodeText([escapeJson(body.toString())]);
}

/** What the characters that are escaped begin with in UTF-8. */
const ESCAPED_BYTES = [...Buffer.from('<>&'), Buffer.from('\u2028').readUInt8()];

/** JSON text with `<`, `>`, `&` and the two line separators of JavaScript escaped, as the reference writes it. */
export function escapeJson(json: string): string {
  let escaped = json;
  // Nearly none is in any text, and to look for one character is done many bytes at a time.
  for (const [char, written] of ESCAPES)
    if (escaped.includes(char)) escaped = escaped.replaceAll(char, written);
  return escaped;
}

/** Whether a request's query has the parameter `pretty`, with or without a value. */
export function wantsPretty(url: string): boolean {
  return /[?&]pretty(?:[=&]|$)/.test(url);
}

const ESCAPES = [
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
] as const;

/** JSON in pieces that follow on each other. What is long is copied once: into the bytes that are sent. */
export type JsonText = readonly string[];

/** The longest that a character is in UTF-8. */
const LONGEST_CHARACTER = 4;

/** From how many characters on a text is longer to join than to write piece by piece. */
const LONG = 16_384;

/** Pieces of text as a body: a short one as text, which goes out with its head; a long one as bytes. */
export function toBody(pieces: JsonText): string | Buffer {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length < LONG ? pieces.join('') : encodeText(pieces);
}

/** Of pieces together. Each write costs about as much as copying so many characters. */
const PART = 4096;

/** Encodes pieces of text. Nearly always all is ASCII, so that its length in bytes is known. */
export function encodeText(pieces: JsonText): Buffer {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  // Not of the pool: one small body that is kept would hold all of its block. With the room that is spare, a part that
  // is not ASCII is more bytes than characters, even where not all of it has a place.
  const bytes = Buffer.allocUnsafeSlow(length + LONGEST_CHARACTER);
  let end = 0;
  let part = '';
  for (const [index, piece] of pieces.entries()) {
    part += piece;
    if (part.length < PART && index + 1 < pieces.length) continue;
    if (bytes.write(part, end) !== part.length) return encodeWhole(pieces.join(''));
    end += part.length;
    part = '';
  }
  return bytes.subarray(0, length);
}

function encodeWhole(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
