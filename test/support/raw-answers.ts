import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { exchange, parseAnswer } from '../http/serve.ts';

/** What an answer says, but for what differs from one to the next. Of a compressed body it is what was compressed. */
export interface ComparableAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly length: number; readonly start: string; readonly hash: string };
}

/** Sends the lines of a head and a body, and gives the answer in a form in which two can be compared. */
export async function askRaw(url: string, lines: readonly string[], body = ''): Promise<ComparableAnswer> {
  const head = [...lines, 'Connection: close'].join('\r\n');
  const answer = await exchange(Number(new URL(url).port), `${head}\r\n\r\n${body}`);
  const { status, headers } = parseAnswer(answer);
  const sent = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const isGiven = lines.includes('X-Request-Id: given');
  for (const name of ['date', ...(isGiven ? [] : ['x-request-id'])]) headers.delete(name);
  const whole = headers.get('transfer-encoding') === 'chunked' ? unchunk(sent) : sent;
  // An answer to HEAD names a coding and has no body.
  const coding = lines[0]?.startsWith('HEAD ') ? '' : headers.get('content-encoding');
  const decompress = DECOMPRESS.get(coding ?? '') ?? ((bytes) => bytes);
  // How long it becomes, and how it is framed, differ with when it is flushed.
  if (headers.has('content-encoding'))
    for (const name of ['transfer-encoding', 'content-length']) headers.delete(name);
  const text = decompress(Buffer.from(whole, 'latin1')).toString().replace(UUID, 'ID');
  return {
    status,
    headers: Object.fromEntries([...headers].sort()),
    body: { length: text.length, start: text.slice(0, 500), hash: hash('sha256', text) },
  };
}

const DECOMPRESS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflateSync],
]);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function unchunk(body: string): string {
  const end = body.indexOf('\r\n');
  const size = Number.parseInt(body.slice(0, end), 16);
  return size > 0 ? body.slice(end + 2, end + 2 + size) + unchunk(body.slice(end + 4 + size)) : '';
}
