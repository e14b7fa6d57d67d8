import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { exchange } from './serve.ts';

const GRAPHQL = 'Content-Type: application/json\r\nAccept: application/graphql-response+json';
const HANDSHAKE = 'Upgrade: websocket\r\nSec-WebSocket-Version: 13';

/** What is asked: the request's first line, and what follows it. */
const REQUESTS: readonly (readonly [line: string, headers?: string, body?: string])[] = [
  ['GET /api/v2/deposits?pagination.first=1'],
  ['HEAD /api/v2/deposits?pagination.first=1'],
  ['GET /api/v2/deposits', 'Accept-Encoding: gzip'],
  ['GET /api/v2/deposits?pagination.first=x'],
  ['GET /api/v2/deposits/'],
  ['GET /votes'],
  ['POST /votes'],
  ['OPTIONS /votes'],
  ['OPTIONS /votes', 'Origin: https://app.example\r\nAccess-Control-Request-Method: GET'],
  ['POST /graphql', GRAPHQL, '{"query":"{ block { height } }"}'],
  ['POST /graphql', GRAPHQL, '{"query":"{ nothing }"}'],
  ['GET /graphql?query={block{height}}'],
  ['HEAD /graphql?query={block{height}}'],
  ['GET /graphql', 'Accept: text/html'],
  ['PUT /graphql'],
  ['GET /health'],
  ['HEAD /health'],
  ['GET /health/ready'],
  ['GET /health/live'],
  ['GET /health/live', 'Host: twice'],
  ['GET /health/live', 'Content-Length: 0\r\nContent-Length: 0'],
  ['GET /graphql', `Connection: Upgrade\r\n${HANDSHAKE}`],
  [
    'GET /graphql',
    `Host: twice\r\nConnection: Upgrade\r\n${HANDSHAKE}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
  ],
];

const database = await forAllTests(createSimulatedDatabase({ seed: 7, blocks: 20, parties: 40, markets: 1 }));
const gateway = await forAllTests(startTestGateway(database.url, { CORS_ORIGIN: '*' }));

/** A header that comes, goes or changes shows here; `npx vitest run test/http/heads.test.ts --update` takes it over. */
test('every kind of answer has exactly the headers that it should', async () => {
  const port = Number(new URL(gateway.url).port);
  const heads: string[] = [];
  for (const [line, headers, body = ''] of REQUESTS) {
    const request = [
      `${line} HTTP/1.1`,
      'Host: x',
      ...(headers === undefined ? [] : [headers]),
      ...(headers?.includes('Connection:') ? [] : ['Connection: close']),
      ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    ];
    const answer = await exchange(port, `${request.join('\r\n')}\r\n\r\n${body}`);
    const asked = [line, ...(headers?.split('\r\n') ?? []), ...(body === '' ? [] : [body])];
    heads.push([...asked.map((text) => `> ${text}`), ...readHead(answer), ''].join('\n'));
  }
  await expect(heads.join('\n')).toMatchFileSnapshot('heads.golden.txt');
});

test.each(['%00', '1.2.3.4.5', '256.1.1.1', '[::::]', 'x:99999', 'xn--a', 'a.0x'])(
  'a host that no address can have is refused for what it is: %s',
  async (host) => {
    const port = Number(new URL(gateway.url).port);
    const body = '{"query":"{ block { height } }"}';
    // The path on which an address is made of it.
    for (const type of ['application/json', 'text/plain']) {
      const head = `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nConnection: close`;
      const answer = await exchange(port, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      const message = `The Host header is "${host}", which is no host and port.`;
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code: 3, message });
    }
  },
);

test.each([
  'http://[x/votes',
  'http://xn--a/votes',
  'http://[::1]x/votes',
  'http://ab:x/votes',
  'x://[/votes',
])('an address that is none is refused for what it is: %s', async (address) => {
  const port = Number(new URL(gateway.url).port);
  const answer = await exchange(port, `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  const message = `The request is for "${address}", which is no address.`;
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code: 3, message });
});

/** The status and the sorted headers, without what differs from run to run. */
function readHead(answer: string): readonly string[] {
  const [status = '', ...headers] = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n');
  const steady = headers.map((line) =>
    line.replace(/^(X-Request-Id|Date|Content-Length|ETag): .+/i, '$1: *'),
  );
  return [status, ...steady.sort()];
}
