import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RequestSeries } from '../../src/http/watch/request-times.ts';
import { etagOf } from '../../src/http/write/answer.ts';
import { HANG_MS } from '../support/limits.ts';
import { parseAnswer } from './serve.ts';
import { type FrontSetup, LARGE_BYTES, POSTED, SMALL, serveFront } from './serve-front.ts';

// So that no second passes, with which Node begins anew.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const HOST = 'Host: x\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const ETAG = etagOf(JSON.stringify(SMALL));

function get(url: string, fields = ''): string {
  return `GET ${url} HTTP/1.1\r\n${HOST}${fields}\r\n`;
}

function post(body: string, fields = JSON_TYPE, url = '/graphql'): string {
  return `POST ${url} HTTP/1.1\r\n${HOST}${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** A connection on which whole requests are asked, each when the answer to the one before is there. */
async function open(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return {
    socket,
    async ask(request: string, isHead = false) {
      socket.write(request, 'latin1');
      return parseAnswer(await readAnswer(socket, isHead));
    },
  };
}

async function readAnswer(socket: Socket, isHead: boolean): Promise<string> {
  let text = '';
  while (!(isHead ? text.endsWith('\r\n\r\n') : isWhole(text))) {
    const [chunk] = await once(socket, 'data');
    text += chunk;
  }
  return text;
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/^Content-Length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return end >= 0 && text.length >= end + 4 + length;
}

describe('answers before Node has read the request', () => {
  test.each([
    ['what is kept', get('/kept/small'), 200],
    ['what the client has', get('/kept/small', `If-None-Match: ${ETAG}\r\n`), 304],
    ['what is kept compressed', get('/kept/middling', 'Accept-Encoding: gzip\r\n'), 200],
    ['an operation that is kept', post(POSTED), 200],
  ])('%s', async (_, request, status) => {
    const server = await serveFront();
    const { ask } = await open(server.port);
    const byNode = [await ask(request), await ask(request)];
    const { read } = server;
    const early = [await ask(request), await ask(request)];
    expect(server.read).toBe(read);
    for (const { headers } of [...byNode, ...early]) headers.delete('date');
    const ids = early.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    for (const answer of [...byNode, ...early]) answer.headers.set('x-request-id', 'one');
    expect(early[0]).toEqual(byNode[1]);
    expect(early[0]?.status).toBe(status);
  });

  test.each([
    ['a path', get('/made/a'), 'message'],
    ['an operation', post('{"query":"{ made }"}'), 'errors'],
  ])('what there is no room for, and nothing else: %s', async (_, request, key) => {
    let isCrowded = false;
    const server = await serveFront({ isCrowded: () => isCrowded });
    const { ask } = await open(server.port);
    for (const _ of [1, 2]) expect((await ask(request)).status).toBe(200);
    isCrowded = true;
    const { read } = server;
    const { status, headers, body } = await ask(request);
    expect([status, headers.get('retry-after'), server.read]).toEqual([503, '1', read]);
    expect(JSON.parse(body)).toHaveProperty(key);
    // A path that is none of ours is no work.
    expect((await ask(get('/nothing'))).status).toBe(404);
    isCrowded = false;
    expect((await ask(request)).status).toBe(200);
  });

  test('another address with the same fields, whoever has sent these', async () => {
    const server = await serveFront();
    const [first, second] = [await open(server.port), await open(server.port)];
    for (const { ask } of [first, second]) await ask(get('/kept/small'));
    const { read } = server;
    expect((await second.ask(get('/kept/middling'))).status).toBe(200);
    expect(server.read).toBe(read);
  });
});

describe('leaves to Node', () => {
  test.each([
    ['a request with an id of its own', get('/kept/small', 'X-Request-Id: mine\r\n')],
    ['a request that asks for a block', get('/kept/small', 'X-Min-Block-Height: 7\r\n')],
    ['a request of which not all has come', get('/kept/small').slice(0, -2), '\r\n'],
    ['two requests at once', get('/kept/small') + get('/kept/small')],
    ['HEAD', get('/kept/small').replace('GET', 'HEAD')],
    ['an answer that is made', get('/made/a')],
    ['what is no path of ours', get('/nothing')],
    ['HTTP/1.0', get('/kept/small').replace('1.1', '1.0')],
    ['a field that is folded', get('/kept/small', 'X: a\r\n b\r\n')],
    ['fields that are long', get('/kept/small', `X: ${'x'.repeat(9000)}\r\n`)],
  ])('%s', async (_, request, rest = '') => {
    const server = await serveFront();
    for (const times of [1, 2, 3]) {
      const { ask, socket } = await open(server.port);
      await ask(get('/kept/small', 'X: another\r\n'));
      const before = server.read;
      socket.write(request, 'latin1');
      if (rest !== '') await sleep(20);
      const { status } = await ask(rest, request.startsWith('HEAD'));
      expect([times, status]).toEqual([times, expect.toBeOneOf([200, 400, 404])]);
      expect(server.read).toBeGreaterThan(before);
      socket.destroy();
    }
  });

  test('what comes behind a body that nobody has read', async () => {
    const server = await serveFront();
    const { ask, socket } = await open(server.port);
    for (const _ of [1, 2]) await ask(get('/kept/small'));
    // It is refused by its head; its body, which comes later, is no request.
    const smuggled = get('/kept/small');
    const head = `POST /nothing HTTP/1.1\r\n${HOST}Content-Length: ${2 * smuggled.length}\r\n\r\n`;
    socket.write(head + smuggled);
    await sleep(20);
    socket.write(smuggled);
    expect((await ask('')).status).toBe(404);
    expect((await ask(get('/kept/middling'))).headers.get('etag')).not.toBe(ETAG);
    expect(server.read).toBe(3);
  });
});

test('refuses an address with a space, as Node does, whatever is kept by that name', async () => {
  const server = await serveFront();
  const { ask } = await open(server.port);
  for (const _ of [1, 2]) await ask(get('/kept/small'));
  await ask(post(POSTED));
  expect((await ask(get(`application/json ${POSTED}`))).status).toBe(400);
});

describe('a connection on which it answers', () => {
  /** One that is known, of which all to come is answered before Node reads it. */
  const openKnown = async (setup: FrontSetup = {}) => {
    const server = await serveFront(setup);
    const client = await open(server.port);
    for (const _ of [1, 2, 3]) await client.ask(get('/kept/small'));
    expect(server.read).toBe(2);
    return { server, ...client };
  };

  test('is cut where its reader takes nothing', async () => {
    const { server, socket } = await openKnown({ stallMs: 200 });
    socket.pause();
    socket.write(get('/kept/large'));
    await expect.poll(() => server.connections.open, { timeout: HANG_MS }).toBe(0);
    expect(server.log.at(-1)).toMatchObject({ path: '/kept/large', status: 200, aborted: true });
    expect([...server.times.series()].find(({ status }) => status === 'aborted')).toBeDefined();
    expect(server.read).toBe(2);
  });

  test('is kept for a reader who takes long, however short idle ones are', async () => {
    const { server, socket, ask } = await openKnown({ keepAliveTimeoutMs: 300 });
    let length = 0;
    socket.pause().on('data', (chunk) => {
      length += chunk.length;
    });
    socket.write(get('/kept/large'));
    await sleep(900);
    expect(server.read).toBe(2);
    socket.resume();
    await expect.poll(() => length, { timeout: HANG_MS }).toBeGreaterThan(LARGE_BYTES);
    expect((await ask(get('/kept/small'))).status).toBe(200);
    await expect.poll(() => server.connections.open, { timeout: HANG_MS }).toBe(0);
  });

  test('is told when it is to end', async () => {
    const { server, ask } = await openKnown();
    const closed = server.close({ graceMs: 500, deadlineMs: 5000 });
    expect((await ask(get('/kept/small'))).headers.get('connection')).toBe('close');
    expect(await closed).toBe(0);
  });

  test('can become something else, and is left alone then', async () => {
    const { server, socket, ask } = await openKnown();
    server.server.on('upgrade', (_request, taken) => {
      taken.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      taken.on('data', (bytes: Buffer) => taken.write(`<${bytes}>`));
    });
    const upgraded = await ask(get('/', 'Connection: Upgrade\r\nUpgrade: else\r\n'));
    expect(upgraded.status).toBe(101);
    socket.write(get('/kept/small'));
    const [echo] = await once(socket, 'data');
    expect(echo).toBe(`<${get('/kept/small')}>`);
  });
});

const FIELDS = [
  '',
  `If-None-Match: ${ETAG}\r\n`,
  'if-none-match: "other"\r\n',
  'Accept-Encoding: gzip\r\n',
  'Accept-Encoding: gzip;q=0\r\n',
  'X-Request-Id: given\r\n',
  'X-Min-Block-Height: 7\r\n',
  'X-Min-Block-Height: x\r\n',
  'Origin: https://app.example\r\n',
  'Expect: 100-continue\r\n',
  'Connection: keep-alive\r\n',
  'Host: twice\r\n',
  'X-Forwarded-For: 10.0.0.1\r\n',
  'X: \xe9\r\n',
  'X: a\r\n b\r\n',
  'Content-Length: 0\r\n',
];

const SMUGGLED = get('/kept/small');

const url = fc.constantFrom(
  '/made/a',
  '/nothing',
  '*',
  ...['?a=%20', '#f'].map((end) => `/kept/small${end}`),
);
const fields = fc.constantFrom(...FIELDS);

const request = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom('/kept/small', '/kept/middling').map((path) => get(path)) },
  { weight: 4, arbitrary: fields.map((line) => get('/kept/small', line)) },
  { weight: 4, arbitrary: url.map((path) => get(path)) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(POSTED, POSTED, '{"query":"{ made }"}', '{', '', SMUGGLED)
      .map((body) => post(body)),
  },
  fc.tuple(url, fields).map(([path, line]) => get(path, line).replace('GET', 'HEAD')),
  fc.constantFrom(
    get('http://x/kept/small'),
    post(POSTED, 'Content-Type: text/plain\r\n'),
    post(SMUGGLED, '', '/kept/small'),
    `POST /graphql HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n14\r\n${POSTED}\r\n0\r\n\r\n`,
    `GET /kept/small HTTP/1.1\r\n${HOST}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    `OPTIONS /kept/small HTTP/1.1\r\n${HOST}\r\n`,
    `\r\n${SMUGGLED}`,
  ),
);

/** Node may end a connection with it, which nothing else here does. */
const last = fc.constantFrom(
  '',
  get('/kept/small').replace('1.1', '1.0'),
  'GET /kept/small HTTP/1.1\r\nX: a\nY: b\r\n\r\n',
  'GET  /kept/small HTTP/1.1\r\n\r\n',
  'GET /kept/small HTTP/1.1 \r\n\r\n',
  // What is kept for the operation has this name.
  get(`application/json ${POSTED}`),
);
const END = get('/kept/small', 'Connection: close\r\n');

test.each<[string, FrontSetup]>([
  ['as it is', {}],
  ['for some origins', { corsOrigin: ['https://app.example'] }],
  ['within limits', { limits: { perSecond: 10, burst: 20_000 } }],
  ['without room', { isCrowded: () => true }],
])(
  'Node alone would have answered the same, byte for byte, however the requests come: %s',
  async (_, setup) => {
    const [early, alone] = [await serveFront(setup), await serveFront({ ...setup, isFast: false })];
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 12 }),
        last,
        fc.oneof(fc.constant([]), fc.array(fc.nat(), { maxLength: 3 })),
        async (requests, end, cuts) => {
          const pieces = cutAlso([...requests, end, END], cuts);
          const answers = await Promise.all([early, alone].map(({ port }) => converse(port, pieces)));
          expect(comparable(answers[0])).toBe(comparable(answers[1]));
          asked += requests.length;
        },
      ),
      { numRuns: 80, endOnFailure: true },
    );
    for (const { close } of [early, alone]) await close({ graceMs: 0, deadlineMs: 1000 });
    expect(early.log.map(comparableLine)).toEqual(alone.log.map(comparableLine));
    expect([...early.times.series()].map(comparableSeries).sort()).toEqual(
      [...alone.times.series()].map(comparableSeries).sort(),
    );
    // The end of a connection, and what must come as one, are Node's.
    expect(early.read).toBeLessThan(0.9 * alone.read);
    expect(asked).toBeGreaterThan(300);
  },
);

/** Cuts requests in pieces, at these places besides. */
function cutAlso(requests: readonly string[], cuts: readonly number[]): readonly string[] {
  const text = requests.join('');
  const places = new Set(cuts.map((cut) => cut % text.length)).add(0);
  let end = 0;
  for (const { length } of requests) {
    end += length;
    places.add(end);
  }
  const ends = [...places].sort((a, b) => a - b);
  return ends.slice(1).map((place, index) => text.slice(ends[index], place));
}

/** Sends the pieces one after the other, and gives all that comes back until the server ends. */
async function converse(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await sleep(3);
  }
  if (!socket.closed) await once(socket, 'close');
  return text;
}

function comparable(text = ''): string {
  return text
    .replaceAll(/^(?:Date|RateLimit-Reset): .*$/gm, '*')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
}

function comparableLine({ time: _, ms: __, pid: ___, hostname: ____, id, ...line }: Record<string, unknown>) {
  return JSON.stringify({ ...line, id: id === 'given' ? id : 'ID' });
}

function comparableSeries({ route, method, status, durations }: RequestSeries): string {
  return `${method} ${route} ${status} ${durations.counts.reduce((sum, count) => sum + count, 0)}`;
}
