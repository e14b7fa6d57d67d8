import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { FrameWriter, frameOf, sharedFrameOf } from '../../src/streaming/frames.ts';

/** A WebSocket of each end, and the connection below the server's. */
async function connect() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on('message', (data) => received.push(String(data)));
  const [[webSocket, { socket }]] = (await Promise.all([
    once(sockets, 'connection'),
    once(client, 'open'),
  ])) as [[WebSocket, { socket: Socket }], unknown];
  return {
    client,
    received,
    socket,
    webSocket,
    frames: new FrameWriter(webSocket, socket),
    async [Symbol.asyncDispose]() {
      client.terminate();
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a frame of any length in parts reads as the text that they make, between those that ws writes', async () => {
  await using end = await connect();
  const lengths = fc.constantFrom(0, 1, 60, 125, 126, 3000, 4001, 65_535, 65_536, 200_000);
  await fc.assert(
    fc.asyncProperty(fc.tuple(lengths, lengths, lengths), async ([before, shared, after]) => {
      const parts = ['<'.repeat(before), 'é'.repeat(shared), '>'.repeat(after)] as const;
      const first = end.received.length;
      end.webSocket.send('first');
      end.frames.write(frameOf(parts[0], Buffer.from(parts[1]), parts[2]));
      end.webSocket.send('last');
      await expect.poll(() => end.received.length, { interval: 1 }).toBe(first + 3);
      expect(end.received.splice(first)).toEqual(['first', parts.join(''), 'last']);
    }),
    { numRuns: 50 },
  );
});

test('the frame of a text that goes to many is made once', () => {
  const bytes = Buffer.from('{"result":{}}');
  expect(sharedFrameOf(bytes)).toBe(sharedFrameOf(bytes));
});

test('there is no room while a client reads nothing, and whoever waits is told when there is', async () => {
  await using end = await connect();
  end.client.pause();
  const large = frameOf('', Buffer.alloc(1e6, 'x'));
  let written = 0;
  for (; end.frames.hasRoom; written += 1) {
    end.frames.write(large);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(end.socket.writableLength).toBeLessThan(3e6);
  const told = new Promise<void>((resolve) => end.frames.whenRoom({ onReadable: resolve }));
  end.client.resume();
  await told;
  expect(end.frames.hasRoom).toBe(true);
  await expect.poll(() => end.received.length).toBe(written);
});

test('a client that does not read its answers is read no further while more than a megabyte of them waits', async () => {
  await using end = await connect();
  end.client.pause();
  const large = 'x'.repeat(1e6);
  let written = 0;
  // More than both ends of the connection hold, and less than there may be answers.
  for (; !end.webSocket.isPaused && written < 100; written += 1) {
    end.frames.answer(large);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([end.webSocket.isPaused, end.frames.mustWait]).toEqual([true, true]);
  expect(end.socket.writableLength).toBeLessThan(3e6);
  end.client.resume();
  await expect.poll(() => [end.webSocket.isPaused, end.frames.mustWait]).toEqual([false, false]);
  await expect.poll(() => end.received.length).toBe(written);
  const heard = once(end.webSocket, 'message');
  end.client.send('again');
  expect(String((await heard)[0])).toBe('again');
});
