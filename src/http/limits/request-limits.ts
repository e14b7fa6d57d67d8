import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { GatewayError, quoted } from '../../errors.ts';
import { HttpError } from '../write/error-body.ts';

/** How many header fields a request may have. Node reads one more than this, so that too many can be noticed. */
export const MAX_HEADERS = 100;

/** How many chunks a body may come in that have fewer bytes than these, on average. */
const MOST_SMALL_CHUNKS = 1000;
const SMALL_CHUNK = 64;

/**
 * Reads the body of a request, a Buffer of at most `limit` bytes, once. A longer one fails with 413, and so does one in
 * many small chunks. One that stops in the middle never ends here: its connection is gone, or the server's time limit ends it.
 */
export function takeBody(
  request: IncomingMessage & { body?: unknown },
  limit: number,
  done: (body: Buffer) => void,
  fail: (error: HttpError) => void,
): void {
  if (Buffer.isBuffer(request.body)) {
    done(request.body);
    return;
  }
  const refuse = (message: string) => discardBody(request, () => fail(new HttpError(413, message)));
  const refuseLong = () => refuse(`The request body is larger than ${limit} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    refuseLong();
    return;
  }
  let body: Buffer = Buffer.alloc(0);
  let [size, chunks] = [0, 0];
  const onData = (chunk: Buffer) => {
    chunks += 1;
    const isLong = size + chunk.length > limit;
    if (!isLong && (chunks <= MOST_SMALL_CHUNKS || size >= chunks * SMALL_CHUNK)) {
      body = append(body, size, chunk);
      size += chunk.length;
      return;
    }
    request.off('data', onData).off('end', onEnd);
    if (isLong) refuseLong();
    else refuse(`The request body comes in more than ${MOST_SMALL_CHUNKS} chunks of a few bytes each.`);
  };
  const onEnd = () => {
    const whole = body.subarray(0, size);
    request.body = whole;
    done(whole);
  };
  request.on('data', onData).on('end', onEnd).on('error', ignoreLostClient);
}

/** Puts a chunk behind the first bytes of a body. A chunk that is kept takes more memory than a small one holds. */
function append(body: Buffer, size: number, chunk: Buffer): Buffer {
  if (size === 0) return chunk;
  const grown = size + chunk.length > body.length ? Buffer.allocUnsafe(2 * (size + chunk.length)) : body;
  if (grown !== body) body.copy(grown, 0, 0, size);
  chunk.copy(grown, size);
  return grown;
}

/** Throws what is wrong with the head of a request, apart from what Node itself refuses. */
export function checkHead(request: IncomingMessage): void {
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    throw new HttpError(431, `The request has more than ${MAX_HEADERS} header fields.`);
  }
  checkHost(request);
  checkTransferEncoding(request);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity' && hasBody(request)) {
    throw new HttpError(415, 'The request body is encoded (Content-Encoding); send it as it is.');
  }
}

/**
 * Whether what a request is for can be read: a path, `*` or a whole address. Express reads it before any handler, and
 * answers in words of its own where it cannot.
 */
export function hasTarget({ url = '' }: IncomingMessage): boolean {
  if (url.startsWith('/') || url === '*') return true;
  const [, host = ''] = AUTHORITY.exec(url) ?? [];
  return host.length <= MOST_OF_HOST && URL.canParse(url);
}

/** What stands for the host in a whole address, as browsers read it: however many slashes precede it, and which. */
const AUTHORITY = /^[^:]*:[\\/]*([^\\/?#]*)/;

/**
 * Writes characters plainly that an address need not encode, so that two addresses which are the same (RFC 3986, 6.2.2.2)
 * find the same path and the same kept answer.
 */
export function normalizeTarget(request: IncomingMessage): void {
  const { url = '' } = request;
  if (!url.includes('%')) return;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  // What is no escape could become one, with what was written plainly behind it.
  if (ENCODED_PLAIN.test(path) && !BROKEN_ESCAPE.test(path))
    request.url = path.replaceAll(EACH_ENCODED_PLAIN, decodeURIComponent) + url.slice(path.length);
}

/** Letters, digits, `-`, `.`, `_` and `~`. */
const ENCODED_PLAIN = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i;
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;
const EACH_ENCODED_PLAIN = new RegExp(ENCODED_PLAIN, 'gi');

/** One who is in between may go by another of two hosts than we do, so that HTTP has both refused. */
function checkHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = findHosts(rawHeaders);
  const [host] = hosts;
  if (hosts.length > 1) {
    const message = `The request has ${hosts.length} Host headers: ${hosts.map(quoted).join(', ')}. HTTP takes one.`;
    throw new GatewayError('INVALID_ARGUMENT', message);
  }
  if (host === undefined && httpVersion === '1.1') {
    throw new GatewayError('INVALID_ARGUMENT', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  if (host !== undefined && !isHost(host)) {
    throw new GatewayError(
      'INVALID_ARGUMENT',
      `The Host header is ${quoted(host)}, which is no host and port.`,
    );
  }
}

/** The values of all Host headers. Of two, Node's `headers` have one. */
function findHosts(rawHeaders: readonly string[]): readonly string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length first: this is done for every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  return hosts;
}

/** Only the chunks are taken off a body here, and HTTP/1.0 does not know them. */
function checkTransferEncoding({ headers, httpVersion }: IncomingMessage): void {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined || (encoding.toLowerCase() === 'chunked' && httpVersion === '1.1')) return;
  throw new GatewayError(
    'INVALID_ARGUMENT',
    `Transfer-Encoding is ${quoted(encoding)} in HTTP/${httpVersion}; it may be chunked, in HTTP/1.1.`,
  );
}

/** Whether it can be that of an address: whoever makes one of another, as GraphQL Yoga does, would throw. */
function isHost(host: string): boolean {
  if (host.length > MOST_OF_HOST) return false;
  const known = knownHosts.get(host);
  if (known !== undefined) return known;
  const isOne = HOST.test(host) && (host === '' || URL.canParse(`http://${host}`));
  knownHosts.set(host, isOne);
  return isOne;
}

/** 255 characters of a name, and a port. To read a longer one, in other letters than Latin ones, takes long. */
const MOST_OF_HOST = 255 + ':65535'.length;

/** To read one costs more than the rest of a head, and most requests name one of a few. */
const knownHosts = new LRUCache<string, boolean>({ max: 100 });

/** A name, an IPv4 address or an IPv6 address in brackets, and a port or none; empty where the client knows no host. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Whether a body comes behind the head of a request. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads on for a bounded time and size before a refusal: most clients look for an answer only when their request is
 * out, and an answer followed by a reset connection would be lost to them.
 */
function discardBody(request: IncomingMessage, done: () => void): void {
  let room = DISCARD_BYTES;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', onData).off('end', finish);
    request.pause();
    done();
  };
  const onData = (chunk: Buffer) => {
    room -= Math.max(chunk.length, CHUNK_BYTES);
    if (room < 0) finish();
  };
  const timer = setTimeout(finish, DISCARD_MS);
  request.on('data', onData).on('end', finish).on('error', ignoreLostClient);
  request.resume();
}

/** Without a listener, a client that goes away in the middle of its body would end the process. */
function ignoreLostClient(): void {}

const DISCARD_BYTES = 4 * 2 ** 20;
/** What a chunk counts for at least: to read one takes a while, however small it is. */
const CHUNK_BYTES = 1024;
const DISCARD_MS = 1000;
