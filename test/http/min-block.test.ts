import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import { createMinBlock } from '../../src/http/limits/min-block.ts';
import type { Caller } from '../../src/http/request-scope.ts';

test('nobody waits for a block on a connection that is gone, behind another either', async () => {
  const callers: Caller[] = [];
  const minBlock = createMinBlock(
    (_height, _field, caller) => {
      callers.push(caller);
      return new Promise(() => {});
    },
    createClientAddresses(null, pino({ level: 'silent' })),
  );
  const server = createServer((request) => void minBlock(request)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = '/ HTTP/1.1\r\nHost: x\r\nX-Min-Block-Height: 9\r\n';
  socket.write(`GET ${head}\r\nGET ${head}\r\nPOST ${head}Content-Length: 4\r\n\r\nbody`);
  await expect.poll(() => callers.length).toBe(3);
  const states = () => callers.map(({ client, signal }) => [client, signal.aborted]);
  expect(states()).toEqual(Array(3).fill(['127.0.0.1', false]));
  socket.destroy();
  await expect.poll(states).toEqual(Array(3).fill(['127.0.0.1', true]));
});
