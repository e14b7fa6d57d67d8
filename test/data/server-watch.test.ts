import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { BLOCK_CHANNEL } from '../../src/data/servers/connect.ts';
import { nameListener } from '../../src/data/servers/listener-name.ts';
import { watchServer } from '../../src/data/servers/server-watch.ts';
import { createTestDatabase } from '../support/database.ts';
import { within } from '../support/message-queue.ts';
import { withClient } from '../support/state.ts';

test('wakes for each notification, and after each loss for what was said meanwhile', async () => {
  await using database = await createTestDatabase();
  let wakes = 0;
  const lost: string[] = [];
  const wake = () => {
    wakes += 1;
  };
  const watch = watchServer(database.url, {
    onSight: wake,
    onBlock: wake,
    onLost: ({ message }) => lost.push(message),
  });
  try {
    await withClient(database.url, async (client) => {
      await until(() => wakes === 1);
      await client.query(`NOTIFY ${BLOCK_CHANNEL}, '7'`);
      await until(() => wakes === 2);
      for (let times = 1; times <= 3; times++) {
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name LIKE 'periscope listener %' AND datname = current_database()`,
        );
        await until(() => wakes === 2 + times);
        expect(lost).toHaveLength(times);
      }
      await client.query(`NOTIFY ${BLOCK_CHANNEL}, '8'`);
      await until(() => wakes === 6);
    });
  } finally {
    await within(watch.close(), 'closing');
  }
});

test.each(['never answers', 'accepts and says nothing more after the greeting'])(
  'closes soon when the server %s',
  async (kind) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      // AuthenticationOk and ReadyForQuery, and then silence.
      if (kind.startsWith('accepts')) {
        socket.once('data', () => socket.write(Buffer.from('520000000800000000' + '5a0000000549', 'hex')));
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const watch = watchServer(`postgres://u@127.0.0.1:${port}/d?sslmode=disable`, {
      onSight() {},
      onBlock() {},
      onLost() {},
    });
    await until(() => sockets.size === 1);
    await sleep(50);
    // Before the server's answer is given up, after ten seconds.
    await within(watch.close(), 'closing', 8000);
    for (const socket of sockets) socket.destroy();
    server.close();
  },
);

test('has no signal follow that of the connection at each look, which Node.js 20 would keep', async () => {
  await using database = await createTestDatabase();
  const any = vi.spyOn(AbortSignal, 'any');
  let looks = 0;
  const onSight = () => {
    looks += 1;
  };
  const watch = watchServer(database.url, { onSight, onBlock() {}, onLost() {} }, { lookMs: 1 });
  try {
    await until(() => looks > 10);
    expect(any).not.toHaveBeenCalled();
  } finally {
    any.mockRestore();
    await within(watch.close(), 'closing');
  }
});

test('each gateway has a name of its own at the server, also in containers, where all are process 1', () => {
  const pods = ['x2k4q', 'b7m9z'].map((pod) => `periscope-gateway-production-7d9f8b6c5d-${pod}`);
  const hosts = ['gateway-1', 'gateway-2'].map((host) => `${host}.europe-west.internal.example.com`);
  const names = [
    ...[...pods, ...hosts].map((machine) => nameListener(machine, 1, 'pid:[4026532456]')),
    // On the network of one machine, each in a container.
    ...['pid:[4026532456]', 'pid:[4026532457]'].map((space) => nameListener('node-1', 1, space)),
    ...[7, 8].map((process) => nameListener('node-1', process, '')),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toMatch(/-x2k4q:1:/);
  const longest = nameListener('m'.repeat(64), 4_194_304, '');
  expect(`periscope ${longest}`.length).toBeLessThanOrEqual(63);
});

async function until(isSo: () => boolean): Promise<void> {
  const waiting = (async () => {
    while (!isSo()) await sleep(5);
  })();
  await within(waiting, 'what the test waits for');
}
