import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import { COMPRESSED_FROM, type Encoding } from './compress.ts';

/** Names and values in turn, as Node takes them. */
export type HeaderList = readonly string[];

/** Sets headers on a response whose head others go on with. */
export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let index = 0; index < headers.length; index += 2)
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
}

/** What clients and those in between may do with an answer: keep it, and ask each time whether it still holds. */
export const CACHE_CONTROL = 'public, no-cache';

/**
 * Sends an answer in a content coding, after the headers given, to whose list its own are added: another list would
 * cost each request. GET and HEAD are told what the answer is known by, or that they have it (304); what POST asks
 * is in its body, so that nobody can keep its answer by the address.
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  headers: string[],
  encoding: Encoding | 'identity',
): void | Promise<void> {
  const { method } = request;
  headers.push(...answer.headers);
  if (method === 'POST') {
    headers.push('Content-Type', answer.contentType);
    return sendBody(response, answer, headers, encoding);
  }
  const { etag } = answer;
  headers.push('Cache-Control', CACHE_CONTROL, 'ETag', etag);
  if (hasAlready(request, etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  headers.push('Content-Type', answer.contentType);
  return method === 'HEAD'
    ? sendHead(response, answer.length, headers)
    : sendBody(response, answer, headers, encoding);
}

/** At once, or when the body is compressed. */
function sendBody(
  response: ServerResponse,
  answer: Answer,
  headers: string[],
  encoding: Encoding | 'identity',
): void | Promise<void> {
  const { body, length } = answer;
  if (encoding === 'identity' || length < COMPRESSED_FROM) return sendWhole(response, headers, body, length);
  headers.push('Content-Encoding', encoding);
  const compressed = answer.compressed(encoding);
  if (Buffer.isBuffer(compressed)) return sendWhole(response, headers, compressed, compressed.length);
  return compressed.then((bytes) => sendWhole(response, headers, bytes, bytes.length));
}

/** To what length GET would compress a long body is not known without doing so. */
function sendHead(response: ServerResponse, length: number, headers: string[]): void {
  if (length < COMPRESSED_FROM) headers.push('Content-Length', `${length}`);
  response.writeHead(200, headers).end();
}

function sendWhole(response: ServerResponse, headers: string[], body: string | Buffer, length: number): void {
  headers.push('Content-Length', `${length}`);
  // A text without any character beyond ASCII, as most are, needs no encoding.
  response.writeHead(200, headers).end(body, body.length === length ? 'latin1' : 'utf8');
}

/** Whether a client says that it has what an ETag names. */
export function hasAlready(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && namesEtag(known, etag);
}

/** Whether an If-None-Match names an ETag: `*` names every one, and the mark of a weak one does not count. */
function namesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  const opaque = opaqueTag(etag);
  return header.split(',').some((tag) => opaqueTag(tag.trim()) === opaque);
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
