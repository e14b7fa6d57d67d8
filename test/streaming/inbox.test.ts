import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Engine } from '../../src/engine/engine.ts';
import { GatewayError } from '../../src/errors.ts';
import { Turns } from '../../src/http/limits/turns.ts';
import { FrameWriter } from '../../src/streaming/frames.ts';
import { Inbox } from '../../src/streaming/inbox.ts';
import { engineParts } from '../support/engine.ts';

/** What cannot even be begun to be read. */
const THROWS = 'throws';

/** A socket whose messages a test reads: each waits until the test says that it is read. */
async function openInbox() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[webSocket, { socket }]] = (await Promise.all([
    once(sockets, 'connection'),
    once(client, 'open'),
  ])) as [[WebSocket, { socket: Socket }], unknown];
  const frames = new FrameWriter(webSocket, socket);
  const begun: { readonly text: string; end(): void; fail(error: Error): void }[] = [];
  const faults: unknown[] = [];
  const inbox = new Inbox(webSocket, frames, {
    turns: new Turns(60_000),
    read: (bytes) => {
      if (String(bytes) === THROWS) throw new Error('thrown at once');
      return new Promise((end, fail) => {
        begun.push({ text: String(bytes), end, fail });
      });
    },
    onFault: (error) => faults.push(error),
  });
  webSocket.on('message', (data) => inbox.take(data as Buffer));
  return {
    ...{ client, webSocket, frames, begun, faults },
    texts: () => begun.map(({ text }) => text),
    async [Symbol.asyncDispose]() {
      client.terminate();
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('messages are read one after the other, and the socket no further while one waits', async () => {
  await using end = await openInbox();
  for (const text of ['a', 'b', 'c']) end.client.send(text);
  await expect.poll(end.texts).toEqual(['a']);
  expect(end.webSocket.isPaused).toBe(true);
  // An answer that is written does not change that.
  const answer = once(end.client, 'message');
  end.frames.answer('an answer');
  await answer;
  end.client.send('d');
  expect([end.webSocket.isPaused, end.texts()]).toEqual([true, ['a']]);
  for (const [at, text] of ['a', 'b', 'c', 'd'].entries()) {
    await expect.poll(() => end.texts().at(-1)).toBe(text);
    end.begun[at]?.end();
  }
  await expect.poll(() => end.webSocket.isPaused).toBe(false);
});

test('a socket is closed with 1013 and why where a message would wait too long', async () => {
  await using end = await openInbox();
  for (const text of ['a', 'b']) end.client.send(text);
  await expect.poll(end.texts).toEqual(['a']);
  const closed = once(end.client, 'close');
  end.begun[0]?.fail(new GatewayError('UNAVAILABLE', 'Try again.'));
  const [code, reason] = await closed;
  expect([code, String(reason), end.texts()]).toEqual([1013, 'Try again.', ['a']]);
  expect(end.faults).toEqual([]);
});

test.each([
  ['while it waits', 'a', 'later'],
  ['at once', THROWS, 'thrown at once'],
])(
  'a socket is closed with 4500 where a message fails as nobody expected, %s, and that is told here',
  async (_, text, message) => {
    await using end = await openInbox();
    const closed = once(end.client, 'close');
    end.client.send(text);
    if (text !== THROWS) {
      await expect.poll(end.texts).toEqual([text]);
      end.begun[0]?.fail(new Error(message));
    }
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([4500, 'Something went wrong here.']);
    expect(end.faults).toEqual([expect.objectContaining({ message })]);
  },
);

test('a message is read at once where the turn has room for it, else in another', async () => {
  const turns = new Turns(60_000);
  const engine = new Engine({ ...engineParts({} as never), turns });
  expect(engine.readMessage('a', 100, new AbortController().signal, () => 'read')).toBe('read');
  const since = performance.now();
  while (performance.now() - since < 30);
  const reading = engine.readMessage('a', 100, new AbortController().signal, () => 'read later');
  expect(reading).toBeInstanceOf(Promise);
  expect(await reading).toBe('read later');
});

test('a message waits for its turn longer than a question may: all of its socket would end with it', async () => {
  // Time passes by work alone.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(1000);
  const turns = new Turns(1);
  const engine = new Engine({ ...engineParts({} as never), turns });
  turns.hurry();
  turns.do('a', 1, 'unpriced', () => vi.advanceTimersByTime(10));
  const message = engine.readMessage('a', 5000, new AbortController().signal, () => 'read');
  let outcome: unknown;
  engine
    .readBytes('a', 5000, () => 'read')
    .then(
      (read) => (outcome = read),
      ({ code }) => (outcome = code),
    );
  // Connections keep coming, and no turn has room for either.
  while (outcome === undefined) {
    turns.hurry();
    await setImmediate();
  }
  expect(outcome).toBe('UNAVAILABLE');
  vi.advanceTimersByTime(1000);
  expect(await message).toBe('read');
});
