import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cutWhenStalled } from '../../src/http/server/stalls.ts';
import { within } from '../support/message-queue.ts';

const STALL_MS = 200;
/** More than the kernel holds for both ends. */
const MUCH = 64e6;

/** Both ends of a connection of which the far one does not read. */
async function connectUnread(): Promise<AsyncDisposable & { readonly near: Socket; readonly far: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const { port } = server.address() as { port: number };
  const far = connect(port, '127.0.0.1').pause();
  const [near] = (await accepted) as [Socket];
  for (const end of [near, far]) end.on('error', () => {});
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      for (const end of [near, far]) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a connection of which nothing is taken is told once, and then destroyed', async () => {
  await using connection = await connectUnread();
  const { near } = connection;
  const told: boolean[] = [];
  cutWhenStalled(near, STALL_MS, () => {
    told.push(near.destroyed);
    // The reason waits too, and begins no new time.
    near.write('the reason');
  });
  near.write(Buffer.alloc(MUCH));
  // Nobody else closes it: without the cut it stays as it is.
  await within(once(near, 'close'), 'the cut');
  expect(told).toEqual([false]);
});

test('so is one whose other side does not read but sends', async () => {
  await using connection = await connectUnread();
  const { near, far } = connection;
  near.resume();
  const sending = setInterval(() => far.write('x'), 10);
  let told = 0;
  cutWhenStalled(near, STALL_MS, () => {
    told += 1;
  });
  near.write(Buffer.alloc(MUCH));
  await within(once(near, 'close'), 'the cut').finally(() => clearInterval(sending));
  expect(told).toBe(1);
});

test('a connection that takes a part of a long write now and then is slow, not stalled', async () => {
  await using connection = await connectUnread();
  const { near, far } = connection;
  let told = 0;
  cutWhenStalled(near, 2000, () => {
    told += 1;
  });
  let isOut = false;
  near.write(Buffer.alloc(MUCH), () => {
    isOut = true;
  });
  for (const end = Date.now() + 4000; Date.now() < end; await sleep(50)) {
    // A small part of what waits, so that all of the time something does.
    far.read(64 * 1024);
    expect(isOut).toBe(false);
  }
  expect(told).toBe(0);
  far.resume();
  await expect.poll(() => isOut).toBe(true);
});

test('a quiet connection is never told, and one that is watched no more neither', async () => {
  await using connection = await connectUnread();
  const { near } = connection;
  let told = 0;
  const stop = cutWhenStalled(near, STALL_MS, () => {
    told += 1;
  });
  await sleep(2 * STALL_MS);
  stop();
  near.write(Buffer.alloc(MUCH));
  await sleep(3 * STALL_MS);
  expect([told, near.destroyed]).toEqual([0, false]);
  expect(near.listenerCount('close')).toBe(0);
});
