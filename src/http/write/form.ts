import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import { COMPRESSED_FROM, type Encoding } from './compress.ts';
import type { HeaderList, ReadyHeaders } from './ready-head.ts';

/**
 * What clients and those in between may do with an answer: keep it, and ask whether it still holds. Who stands in front for
 * many asks once a second. What is at hand may be given for a second while that is asked. It names its block to all of them.
 */
export const CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=1';

/** What is sent of an answer. */
export interface Form {
  readonly status: number;
  /** The headers of its own. */
  readonly own: ReadyHeaders;
  readonly body: string | Buffer | null;
  /** How long the body is. */
  readonly bytes: number;
}

/**
 * What is sent of an answer to a request with this `If-None-Match`; null where it has to be compressed before. GET and
 * HEAD are told what data are known by, or that the client has them (304). What POST asks is in its body, so nobody can
 * keep its answer by the address.
 */
export function chooseForm(
  answer: Answer,
  method: string,
  encoding: Encoding | 'identity',
  ifNoneMatch: string | undefined,
): Form | null {
  if (isKnownByTag(answer, method) && ifNoneMatch !== undefined && namesEtag(ifNoneMatch, answer.etag)) {
    const own = answer.headersIn('304', () => cacheHeaders(answer));
    return { status: 304, own, body: null, bytes: 0 };
  }
  const { length, status } = answer;
  if (method === 'HEAD') {
    // To what length GET would compress a long body is not known without doing so.
    const told = length < COMPRESSED_FROM ? length : null;
    const own = answer.headersIn('HEAD', () => headersOf(answer, method, 'identity', told));
    return { status, own, body: null, bytes: 0 };
  }
  const coding = length < COMPRESSED_FROM ? 'identity' : encoding;
  const body = coding === 'identity' ? answer.body : answer.compressed(coding);
  if (body instanceof Promise) return null;
  const bytes = coding === 'identity' ? length : body.length;
  const own = answer.headersIn(`${method} ${coding}`, () => headersOf(answer, method, coding, bytes));
  return { status, own, body, bytes };
}

function isKnownByTag({ status }: Answer, method: string): boolean {
  return status === 200 && method !== 'POST';
}

function headersOf(
  answer: Answer,
  method: string,
  coding: Encoding | 'identity',
  length: number | null,
): HeaderList {
  return [
    ...(isKnownByTag(answer, method) ? cacheHeaders(answer) : answer.headers),
    ...['Content-Type', answer.contentType],
    ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
    ...(length === null ? [] : ['Content-Length', `${length}`]),
  ];
}

/** How long an answer may be kept, unless it says so itself, and its tag, unless nobody is to keep it. */
function cacheHeaders({ headers, etag }: Answer): HeaderList {
  if (headers.includes('no-store')) return headers;
  const usual = headers.includes('Cache-Control') ? [] : ['Cache-Control', CACHE_CONTROL];
  return [...headers, ...usual, 'ETag', etag];
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
  return etag.replace(/^W\//, '');
}
