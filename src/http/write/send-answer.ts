import type { IncomingMessage, ServerResponse } from 'node:http';
import { MIN_BLOCK_HEADER } from '../limits/min-block.ts';
import type { Answer } from './answer.ts';
import { COMPRESSED_FROM, type Encoding } from './compress.ts';
import { type HeaderList, type ReadyHeaders, type SendOptions, writeHead } from './ready-head.ts';

/** Sets headers on a response whose head others go on with. */
export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let index = 0; index < headers.length; index += 2)
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
}

/**
 * What clients and those in between may do with an answer: keep it, and ask whether it still holds. Who stands in front for
 * many asks once a second. What is at hand may be given for a second while that is asked. It names its block to all of them.
 */
export const CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=1';
/** The headers of requests that an answer depends on, besides the address. */
export const VARY = `Accept-Encoding, ${MIN_BLOCK_HEADER}`;

/**
 * Sends an answer in a content coding. GET and HEAD are told what the answer is known by, or that they have it (304);
 * what POST asks is in its body, so that nobody can keep its answer by the address. Gives how long the body is that is sent.
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  encoding: Encoding | 'identity',
  { before = [], write = writeHead }: SendOptions = {},
): number | Promise<number> {
  const { method = 'GET', headers } = request;
  const send = ({ status, own, body, bytes }: Form) => {
    write(response, status, [...before, own]);
    // A text without any character beyond ASCII, as most are, needs no encoding.
    if (body === null) response.end();
    else response.end(body, body.length === bytes ? 'latin1' : 'utf8');
    return bytes;
  };
  const choose = () => chooseForm(answer, method, encoding, headers['if-none-match']);
  const form = choose();
  if (form !== null) return send(form);
  return Promise.resolve(answer.compressed(encoding as Encoding)).then(() => send(choose() as Form));
}

/** What is sent of an answer. */
export interface Form {
  readonly status: 200 | 304;
  /** The headers of its own. */
  readonly own: ReadyHeaders;
  readonly body: string | Buffer | null;
  /** How long the body is. */
  readonly bytes: number;
}

/** What is sent of an answer to a request with this `If-None-Match`; null where it has to be compressed before. */
export function chooseForm(
  answer: Answer,
  method: string,
  encoding: Encoding | 'identity',
  ifNoneMatch: string | undefined,
): Form | null {
  if (method !== 'POST' && ifNoneMatch !== undefined && namesEtag(ifNoneMatch, answer.etag)) {
    const own = answer.headersIn('304', () => whatItIsKnownBy(answer));
    return { status: 304, own, body: null, bytes: 0 };
  }
  const { length } = answer;
  if (method === 'HEAD') {
    // To what length GET would compress a long body is not known without doing so.
    const told = length < COMPRESSED_FROM ? length : null;
    const own = answer.headersIn('HEAD', () => headersOf(answer, method, 'identity', told));
    return { status: 200, own, body: null, bytes: 0 };
  }
  const coding = length < COMPRESSED_FROM ? 'identity' : encoding;
  const body = coding === 'identity' ? answer.body : answer.compressed(coding);
  if (body instanceof Promise) return null;
  const bytes = coding === 'identity' ? length : body.length;
  const own = answer.headersIn(`${method} ${coding}`, () => headersOf(answer, method, coding, bytes));
  return { status: 200, own, body, bytes };
}

function headersOf(
  answer: Answer,
  method: string,
  coding: Encoding | 'identity',
  length: number | null,
): HeaderList {
  return [
    ...(method === 'POST' ? answer.headers : whatItIsKnownBy(answer)),
    ...['Content-Type', answer.contentType],
    ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
    ...(length === null ? [] : ['Content-Length', `${length}`]),
  ];
}

function whatItIsKnownBy({ headers, etag }: Answer): HeaderList {
  return [...headers, 'Cache-Control', CACHE_CONTROL, 'ETag', etag];
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
