import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as turnEnd } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { HeldWrites } from '../../src/http/write/held-writes.ts';

test('what connections are sent in one turn goes out at its end, all of it before any is told', async () => {
  const held = new HeldWrites();
  const [first, second] = [await openPair(), await openPair()];
  const waiting = () => [first, second].map(({ own }) => own.writableLength);
  const told: (readonly number[])[] = [];
  for (const { own } of [first, second]) {
    held.hold(own, () => told.push(waiting()));
    own.write('answer');
  }
  expect([waiting(), told]).toEqual([[6, 6], []]);
  await turnEnd();
  expect(told).toEqual([
    [0, 0],
    [0, 0],
  ]);
  for (const { other } of [first, second]) expect(String((await once(other, 'data'))[0])).toBe('answer');
});

test('each turn is let go by itself, also where a connection is gone', async () => {
  const held = new HeldWrites();
  const { own, other } = await openPair();
  const gone = await openPair();
  let told = 0;
  for (const answer of ['one', 'two']) {
    for (const socket of [gone.own, own]) held.hold(socket, () => (told += 1));
    own.write(answer);
    gone.own.destroy();
    await turnEnd();
    expect(String((await once(other, 'data'))[0])).toBe(answer);
  }
  expect(told).toBe(4);
});

async function openPair(): Promise<{ readonly own: Socket; readonly other: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const other = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [own] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const socket of [own, other]) socket.destroy();
    server.close();
  });
  return { own, other };
}
