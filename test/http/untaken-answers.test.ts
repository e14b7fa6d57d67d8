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
      for (const [path, text] of Object.entries({ '/long': LONG, '/kept': LONG, '/short': 'x' })) {
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

test('where all hold too much, whoever holds most loses what waits longest to who holds nothing', async () => {
  const server = await start();
  const unread = [];
  for (const last of [3, 1, 1, 2]) unread.push(await askUnread(server.port, `192.0.2.${last}`));
  unread.push(await askUnread(server.port, '192.0.2.2', 1));
  expect(await statusFor(server, '192.0.2.3')).toBe(429);
  const closed = once(unread[1] as Socket, 'close');
  expect(await statusFor(server, '192.0.2.4')).toBe(200);
  unread[1]?.resume();
  await closed;
  expect(unread.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false, false]);
});

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

test('a body that is kept as bytes counts once for an address, however many wait for it', async () => {
  const server = await start();
  for (let i = 0; i < 6; i += 1) await askUnread(server.port, '192.0.2.1', 1, '/kept');
  expect(await statusFor(server, '192.0.2.1')).toBe(200);
  for (let i = 0; i < 2; i += 1) await askUnread(server.port, '192.0.2.1');
  expect(await statusFor(server, '192.0.2.1')).toBe(429);
  expect((await ask(server, '192.0.2.1', '/kept')).status).toBe(200);
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
