import fc from 'fast-check';
import { type Answer, findFault } from './answers.ts';
import type { Kind } from './campaign.ts';
import { cutAt, exchange } from './raw-connection.ts';
import { type Edit, editBytes, editsOf } from './texts.ts';

interface RawInput {
  readonly requests: readonly string[];
  readonly edits: readonly Edit[];
  readonly cuts: readonly number[];
}

const GRAPHQL_BODY = '{"query":"{ block { height } }"}';
const POST = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

/** Whole requests, of which any number stand on one connection. */
const REQUESTS = [
  'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /health/live HTTP/1.0\r\n\r\n',
  'GET /api/v2/deposits?pagination.first=1 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n',
  'GET /api/v2/deposit/%F0%9F%92%A5 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET http://other.example/votes?party=a HTTP/1.1\r\nHost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'OPTIONS /graphql HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\nAccess-Control-Request-Method: POST\r\n\r\n',
  `${POST}Content-Length: ${GRAPHQL_BODY.length}\r\n\r\n${GRAPHQL_BODY}`,
  `${POST}Transfer-Encoding: chunked\r\n\r\n${GRAPHQL_BODY.length.toString(16)};x="y"\r\n${GRAPHQL_BODY}\r\n0\r\nTrailer: t\r\n\r\n`,
  `${POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"q":`,
  `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `${POST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `${POST}Content-Length: 99999999\r\nConnection: close\r\n\r\n{}`,
  'PUT /votes HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc',
  'GET /votes HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET /votes HTTP/1.1\r\n\r\n',
  `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(120)}\r\n`,
  'GET /votes HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
];

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  '%',
  '%00',
  '%2e%2e/',
  '?',
  '#',
  ';',
  '\x80',
  '\xff',
  'HTTP/9.9',
  'HTTP/0.9',
  'GET ',
  'Content-Length: 0\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 1e3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  ' folded: x\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n',
  'Content-Encoding: gzip\r\n',
  'Host: a b\r\n',
  'ffffffffffffffff\r\n',
  '0\r\n\r\n',
  'g\r\n',
  'X-Request-Id: "\r\n',
];

/** Ends the connection, where the server still listens to it. */
const LAST = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Bytes that are requests, or nearly so, cut and pipelined in any way. Whatever they are, an answer is due, and then an end. */
export function rawHttpKind(port: number): Kind<RawInput> {
  return {
    name: 'raw http',
    share: 8,
    lanes: 32,
    inputs: fc.record({
      requests: fc.array(fc.constantFrom(...REQUESTS), { minLength: 1, maxLength: 3 }),
      edits: editsOf(PIECES, 3, 1),
      cuts: fc.array(fc.nat({ max: 4000 }), { maxLength: 3 }),
    }),
    show: (input) => JSON.stringify(bytesOf(input).toString('latin1')),
    async send(input) {
      const { received, cut } = await exchange(port, cutAt(bytesOf(input), input.cuts), () => false);
      const answers = readAnswers(received);
      // How many of several are whole, and so owed an answer, the edits decide; of one alone it is known.
      const isOwed = input.requests.length === 1 && input.edits.length === 0;
      const end = cut ?? 'ended';
      if (typeof answers === 'string')
        return {
          came: ['cut off'],
          fault: isOwed ? `${answers} (${end}): ${received.toString('latin1').slice(0, 300)}` : null,
        };
      if (answers.length === 0) return { came: ['none'], fault: isOwed ? `no answer (${end})` : null };
      const fault = answers.map(findFault).find((one) => one !== null) ?? null;
      return { came: answers.map(({ status }) => String(status)), fault };
    },
  };
}

function bytesOf({ requests, edits }: RawInput): Buffer {
  return Buffer.concat([editBytes(Buffer.from(requests.join(''), 'latin1'), edits), Buffer.from(LAST)]);
}

/** All answers in these bytes, or what is wrong with their form. */
export function readAnswers(bytes: Buffer): readonly Answer[] | string {
  const answers: Answer[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const head = readHead(rest);
    if (head === null) return 'the answer is no HTTP';
    const { status, headers } = head;
    rest = rest.slice(head.length);
    if (status < 200) continue;
    const read = readBody(rest, headers, status);
    if (read === null) return 'the answer is cut off';
    // Compressed ones are looked into by the kinds that have a client for it.
    const isPacked = headers['content-encoding'] !== undefined;
    answers.push({ status, headers, body: isPacked ? '' : Buffer.from(read.body, 'latin1').toString() });
    rest = rest.slice(read.length);
  }
  return answers;
}

/** The head that these bytes begin with, with its length; null where they do not begin with a whole one. */
export function readHead(bytes: string) {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...lines] = bytes.slice(0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\w '-]*$/.exec(line)?.[1] ?? 0);
  if (end < 0 || status === 0) return null;
  const headers: Readonly<Record<string, string>> = Object.fromEntries(
    lines.map((one) => [
      one.slice(0, one.indexOf(':')).toLowerCase(),
      one.slice(one.indexOf(':') + 1).trim(),
    ]),
  );
  return { status, headers, length: end + 4 };
}

function readBody(rest: string, headers: Readonly<Record<string, string>>, status: number) {
  if (status === 204 || status === 304) return { body: '', length: 0 };
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? rest.length);
    return rest.length < length ? null : { body: rest.slice(0, length), length };
  }
  let body = '';
  for (let at = 0; ; ) {
    const line = rest.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(rest.slice(at, line), 16);
    if (Number.isNaN(size) || rest.length < line + size + 4) return null;
    at = line + size + 4;
    if (size === 0) return { body, length: at };
    body += rest.slice(line + 2, line + 2 + size);
  }
}
