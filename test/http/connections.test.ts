import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mount, serve } from './serve.ts';

const REQUEST = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n';

/** Longer than a connection must have been idle before it makes room. */
const LONG_IDLE_MS = 1100;

describe('connections', () => {
  test('beyond the most allowed are dropped, and others served on', async () => {
    const { port, log } = await serve({ mount, maxConnections: 3 });
    const held = await Promise.all(Array.from({ length: 3 }, () => open(port)));
    expect(await outcome(await open(port))).toBe('closed');
    expect(refusals(log)).toMatchObject([{ refused: 1, limit: 'MAX_CONNECTIONS' }]);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => outcome(await open(port))).toBe('answered');
  });

  test('of one address beyond its most are closed, others have room, and the log tells it once', async () => {
    const { port, log } = await serve({ mount, maxConnectionsPerClient: 3 });
    const held = await Promise.all(Array.from({ length: 3 }, () => open(port)));
    for (const _ of [1, 2, 3]) expect(await outcome(await open(port))).toBe('closed');
    expect(refusals(log)).toMatchObject([
      { refused: 1, client: '127.0.0.1', limit: 'MAX_CONNECTIONS_PER_CLIENT' },
    ]);
    expect(await outcome(await open(port, '127.0.0.2'))).toBe('answered');
    held[0]?.destroy();
    await expect.poll(async () => outcome(await open(port))).toBe('answered');
    expect(await outcome(held[1] as Socket)).toBe('answered');
  });

  test('of a trusted proxy are not counted: they carry the requests of many', async () => {
    const { port } = await serve({ mount, maxConnectionsPerClient: 1, trustedProxies: ['loopback'] });
    const held = [await open(port), await open(port), await open(port)];
    for (const socket of held) expect(await outcome(socket)).toBe('answered');
  });

  test('that have been idle the longest make room for new ones of their address', async () => {
    const { port } = await serve({ mount, maxConnectionsPerClient: 3 });
    const [first, second, third] = [await open(port), await open(port), await open(port)];
    for (const socket of [first, second, third, first]) expect(await outcome(socket)).toBe('answered');
    await sleep(LONG_IDLE_MS);
    const gone = once(second, 'close');
    expect(await outcome(await open(port))).toBe('answered');
    await gone;
    for (const socket of [first, third]) expect(await outcome(socket)).toBe('answered');
  });

  test('that owe an answer, or wait for the rest of a request, make no room', async () => {
    const { port } = await serve({
      mount: (app) => app.get('/never', (_request, response) => void response.write('x')),
      maxConnectionsPerClient: 2,
    });
    const [answering, asking] = [await open(port), await open(port)];
    answering.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    asking.write('GET /small HTTP/1.1\r\n');
    await sleep(LONG_IDLE_MS);
    expect(await outcome(await open(port))).toBe('closed');
    expect([answering.closed, asking.closed]).toEqual([false, false]);
  });

  test('have a hundred of their requests begun at once, and are read on when the others have their turn', async () => {
    const begun: Response[] = [];
    const { port, server } = await serve({
      mount: (app, ...rest) => {
        mount(app, ...rest);
        app.get('/held', (_request, response) => void begun.push(response));
      },
    });
    let read = 0;
    server.on('request', () => {
      read += 1;
    });
    const socket = await open(port);
    const answered = countAnswers(socket);
    const held = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(held.repeat(99));
    await expect.poll(() => begun.length).toBe(99);
    // Whoever reads a body has its connection read on.
    socket.write(held.replace('\r\n\r\n', '\r\nContent-Length: 4\r\n\r\nbody') + held.repeat(50));
    await expect.poll(() => read).toBe(150);
    socket.write(held.repeat(50));
    // Had it been read, that would have been before what came later on others.
    for (const _ of [1, 2, 3]) expect(await outcome(await open(port))).toBe('answered');
    expect([begun.length, read]).toEqual([100, 153]);
    await expect
      .poll(() => {
        for (const response of begun.splice(0)) response.end();
        return answered();
      })
      .toBe(200);
    expect(read).toBe(203);
  });
});

async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  // A refusal may come as a reset.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** What becomes of a request on a connection. */
function outcome(socket: Socket): Promise<'answered' | 'closed'> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve('answered'));
    socket.once('close', () => resolve('closed'));
    if (socket.closed) resolve('closed');
    socket.write(REQUEST);
  });
}

/** Counts the answers that come on a connection. */
function countAnswers(socket: Socket): () => number {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text.split('HTTP/1.1 200 OK').length - 1;
}

function refusals(log: readonly Record<string, unknown>[]) {
  return log.filter(({ msg }) => msg === 'connections refused');
}
