import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { HeadWriter, type ReadyHeaders, readyHeaders } from '../../src/http/write/ready-head.ts';
import { exchange } from './serve.ts';

const BODIES = {
  bytes: Buffer.from('{"a":1}'),
  'text of ASCII': '{"a":1}',
  'text beyond ASCII': '{"a":"ä€"}',
};
const SHARED = readyHeaders(['X-Shared', 'yes', 'Vary', 'Accept-Encoding']);

// So that no second passes unless the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A server of which `/ready` has heads that are ready, `/node` those of Node; counts what Node wrote for `/ready`. */
async function start({
  before = (_: ServerResponse) => {},
  body = BODIES['text of ASCII'] as string | Buffer,
} = {}) {
  const heads = new HeadWriter();
  const bytes = Buffer.byteLength(body);
  const own = readyHeaders(['Content-Type', 'application/json', 'Content-Length', `${bytes}`]);
  let byNode = 0;
  const server = createServer({ keepAliveTimeout: 7000 }, (request, response) => {
    before(response);
    const isKnown = request.headers['if-none-match'] !== undefined;
    const original = response.writeHead.bind(response);
    response.writeHead = ((...args: Parameters<typeof original>) => {
      if (request.url === '/ready') byNode += 1;
      return original(...args);
    }) as typeof response.writeHead;
    const [status, headers] = isKnown ? ([304, [SHARED]] as const) : ([200, [SHARED, own]] as const);
    const sent = isKnown || request.method === 'HEAD' ? null : body;
    if (request.url === '/ready') return heads.end(response, { status, body: sent, bytes }, headers);
    writeByNode(response, status, headers);
    response.end(sent);
  });
  // Nobody is bidden to go on: what is answered has no body.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  /** Asks the same thing so often on one connection, which the last one ends, and gives all that comes back. */
  const ask = async (line: string, times: number, header: string) => {
    const one = `${line} HTTP/1.1\r\nHost: x\r\n${header}\r\n`;
    const answer = await exchange(port, `${`${one}\r\n`.repeat(times - 1)}${one}Connection: close\r\n\r\n`);
    return answer.replaceAll(/^Date: .*GMT$/gm, 'Date: *');
  };
  return { ask, port, byNode: () => byNode };
}

function writeByNode(response: ServerResponse, status: number, headers: readonly ReadyHeaders[]): void {
  response.writeHead(
    status,
    headers.flatMap(({ list }) => list),
  );
}

test.each([
  ['GET', 'X: y', 'bytes'],
  ['GET', 'X: y', 'text of ASCII'],
  ['GET', 'X: y', 'text beyond ASCII'],
  ['HEAD', 'X: y', 'text of ASCII'],
  ['GET', 'If-None-Match: "a"', 'text of ASCII'],
] as const)(
  'answers with heads that are ready are those of Node, byte for byte: %s %s, %s',
  async (method, header, body) => {
    const server = await start({ body: BODIES[body] });
    const [ready, node] = [
      await server.ask(`${method} /ready`, 20, header),
      await server.ask(`${method} /node`, 20, header),
    ];
    expect(ready.match(/^Keep-Alive: timeout=7$/gm)).toHaveLength(19);
    expect(ready).toBe(node);
    // The first, from which it is taken what Node adds, and the last, which ends the connection.
    expect(server.byNode()).toBe(2);
  },
);

test.each([
  ['expects to be bidden', 'GET /ready HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n'],
  ['speaks HTTP/1.0', 'GET /ready HTTP/1.0\r\nConnection: keep-alive\r\nIf-None-Match: "a"\r\n\r\n'],
])('where Node ends the connection, that is said to nobody else: of a client that %s', async (_, request) => {
  const server = await start();
  expect(await exchange(server.port, request)).toContain('\r\nConnection: close\r\n');
  const others = await server.ask('GET /ready', 20, 'X: y');
  expect(others.match(/^Connection: close$/gm)).toHaveLength(1);
  expect(others).toBe(await server.ask('GET /node', 20, 'X: y'));
});

test('the date is not older than a second', async () => {
  const server = await start();
  await server.ask('GET /ready', 3, 'X: y');
  const before = server.byNode();
  vi.setSystemTime(Date.now() + 1000);
  await server.ask('GET /ready', 4, 'X: y');
  expect(server.byNode() - before).toBe(2);
});

test('what is set on a response before stays in its head', async () => {
  let asked = 0;
  const before = (response: ServerResponse) => {
    asked += 1;
    if (asked % 2 === 0) response.setHeader('X-Before', 'yes');
  };
  const server = await start({ before });
  const answer = await server.ask('GET /ready', 6, 'X: y');
  expect(answer.match(/^X-Before: yes$/gm)).toHaveLength(3);
  expect(answer).toBe(await server.ask('GET /node', 6, 'X: y'));
});

test.each([
  ['a line in a value', ['X', 'a\r\nY: b']],
  ['a line in a name', ['X: a\r\nY', 'b']],
  ['no name', ['', 'b']],
])('no head is made of %s', (_, list) => {
  expect(() => readyHeaders(list)).toThrow();
});
