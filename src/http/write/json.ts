import type { IncomingMessage, ServerResponse } from 'node:http';
import { COMPRESSED_FROM } from './compress.ts';
import { encodeText, type JsonText, toBody } from './json-text.ts';

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
