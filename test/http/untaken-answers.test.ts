import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Answer } from '../../src/http/write/answer.ts';
import { exchangeOf } from '../../src/http/write/exchange.ts';
import { serve } from './serve.ts';

/** More than the kernel takes for a connection of which nothing is read. */
const LONG = 'x'.repeat(16e6);
const LIMITS = { ofClient: 3 * LONG.length, ofAll: 5 * LONG.length };

/** A gateway with a long answer and a short one, whose clients are whoever a proxy says they are. */
const start = (untaken = LIMITS) =>
  serve({
    trustedProxies: 1,
    untaken,
    mount(app, writer) {
      const texts = { '/long': LONG, '/longer': LONG.repeat(3), '/kept': LONG, '/short': 'x' };
      for (const [path, text] of Object.entries(texts)) {
        const answer = new Answer('text/plain', text);
        if (path === '/kept') answer.keepForGood();
        app.get(path, (_request, response) => void writer.send(exchangeOf(response), answer));
      }
    },
  });

/** Asks for long answers on a connection of its own, and reads none; resolves when the first is handed over. */
async function askUnread(port: number, client: string, times = 1, path = '/long'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`.repeat(times));
  await once(socket, 'readable');
  return socket;
}

type Server = Awaited<ReturnType<typeof start>>;

async function ask({ get }: Server, client: string, path = '/long') {
  const headers = { 'x-forwarded-for': client, 'accept-encoding': 'identity' };
  const response = await get(path, { headers });
  const body = await response.text();
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
}

const statusFor = async (server: Server, client: string) => (await ask(server, client)).status;

test('an address that leaves its answers unread is refused more, until it is gone', async () => {
  const server = await start();
  const unread = [];
  for (let i = 0; i < 3; i += 1) unread.push(await askUnread(server.port, '192.0.2.1'));
  const { status, body, retryAfter } = await ask(server, '192.0.2.1');
  expect([status, retryAfter]).toEqual([429, '1']);
  expect(JSON.parse(body)).toMatchObject({ code: 8, message: expect.stringContaining('does not read') });
  // What is short is answered all the same, and so is everybody else.
  expect(await ask(server, '192.0.2.1', '/short')).toMatchObject({ status: 200, body: 'x' });
  expect((await ask(server, '192.0.2.1', '/health/live')).status).toBe(200);
  expect(await statusFor(server, '192.0.2.2')).toBe(200);
  for (const socket of unread) socket.destroy();
  await expect.poll(() => statusFor(server, '192.0.2.1')).toBe(200);
});

test('answers that wait for their turn on one connection count, and are let go of with it', async () => {
  const server = await start();
  const unread = await askUnread(server.port, '192.0.2.1', 5);
  await expect.poll(() => statusFor(server, '192.0.2.1')).toBe(429);
  unread.destroy();
  await expect.poll(() => statusFor(server, '192.0.2.1')).toBe(200);
});

test.each([
  ['nothing', '192.0.2.4'],
  ['less', '192.0.2.3'],
])(
  'where all hold too much, whoever holds most loses what waits longest to who holds %s',
  async (_, client) => {
    const server = await start();
    const unread = [];
    for (const last of [3, 1, 1, 2]) unread.push(await askUnread(server.port, `192.0.2.${last}`));
    unread.push(await askUnread(server.port, '192.0.2.2', 1));
    const closed = once(unread[1] as Socket, 'close');
    expect(await statusFor(server, client)).toBe(200);
    unread[1]?.resume();
    await closed;
    expect(unread.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false, false]);
  },
);

test('an answer of more than all may hold is sent in the place of all others', async () => {
  const server = await start({ ofClient: 1, ofAll: 1 });
  expect(await statusFor(server, '192.0.2.1')).toBe(200);
  const unread = await askUnread(server.port, '192.0.2.1');
  expect(await statusFor(server, '192.0.2.1')).toBe(429);
  const closed = once(unread, 'close');
  expect(await statusFor(server, '192.0.2.2')).toBe(200);
  unread.resume();
  await closed;
});

test('an answer of more than all may hold ends nobody else, and is the first to be cut', async () => {
  const server = await start({ ofClient: LONG.length, ofAll: 2 * LONG.length });
  const before = await askUnread(server.port, '192.0.2.1');
  const longer = await askUnread(server.port, '192.0.2.2', 1, '/longer');
  const closed = once(longer, 'close');
  expect(await statusFor(server, '192.0.2.2')).toBe(429);
  expect(await ask(server, '192.0.2.3', '/kept')).toMatchObject({ status: 200, body: LONG });
  longer.resume();
  await closed;
  before.resume();
  await expect.poll(() => before.bytesRead, { timeout: 10_000 }).toBeGreaterThan(LONG.length);
});

test('a body that is kept as bytes counts once for an address, however many wait for it', async () => {
  const server = await start();
  for (let i = 0; i < 6; i += 1) await askUnread(server.port, '192.0.2.1', 1, '/kept');
  expect(await statusFor(server, '192.0.2.1')).toBe(200);
  for (let i = 0; i < 2; i += 1) await askUnread(server.port, '192.0.2.1');
  expect(await statusFor(server, '192.0.2.1')).toBe(429);
  expect((await ask(server, '192.0.2.1', '/kept')).status).toBe(200);
});

test('a body that is kept as bytes counts once for all, and to end its readers comes last', async () => {
  const server = await start();
  const unread: Socket[] = [];
  for (let last = 1; last <= 6; last += 1)
    unread.push(await askUnread(server.port, `192.0.2.${last}`, 1, '/kept'));
  for (const last of [7, 7, 8, 8]) unread.push(await askUnread(server.port, `192.0.2.${last}`));
  expect(await statusFor(server, '192.0.2.9')).toBe(200);
  unread[6]?.resume();
  await expect.poll(() => unread.map(({ closed }) => closed).indexOf(true)).toBe(6);
  for (const socket of unread) socket.resume();
  await expect
    .poll(() => unread.reduce((sum, { bytesRead }) => sum + bytesRead, 0), { timeout: 10_000 })
    .toBeGreaterThan(9 * LONG.length);
  expect(unread.filter(({ closed }) => closed)).toEqual([unread[6]]);
});

test('a slow reader gets all of what was handed over, whatever it is refused meanwhile', async () => {
  const server = await start();
  const unread = [];
  for (let i = 0; i < 3; i += 1) unread.push(await askUnread(server.port, '192.0.2.1'));
  expect(await statusFor(server, '192.0.2.1')).toBe(429);
  for (const socket of unread) {
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    await expect.poll(() => length, { timeout: 10_000 }).toBeGreaterThan(LONG.length);
  }
  await expect.poll(() => statusFor(server, '192.0.2.1')).toBe(200);
});
