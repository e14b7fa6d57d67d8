import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import type { RequestScope } from '../../src/http/request-scope.ts';
import { Exchange, exchangeOf } from '../../src/http/write/exchange.ts';

/** Has so many requests come whose answers are awaited; each with the scope it has and the client's end. */
async function openRequests(count: number) {
  const clients = createClientAddresses(null, pino({ level: 'silent' }));
  const come: { scope: RequestScope; response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    const { scope } = new Exchange(request, response, { id: '', line: null, steps: null, clients });
    come.push({ response, scope });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => {});
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    sockets.push(client);
    await expect.poll(() => come.length).toBe(index + 1);
  }
  onTestFinished(() => {
    for (const client of sockets) client.destroy();
    server.close();
  });
  const leave = async (index: number) => {
    const closed = once(come[index]?.response as ServerResponse, 'close');
    sockets[index]?.destroy();
    await closed;
  };
  return { scopes: come.map(({ scope }) => scope) as [RequestScope, RequestScope], come, leave };
}

test.each([
  ['the first', 0, 1],
  ['the second', 1, 0],
])('work for two ends when both have left: %s first', async (_, first, then) => {
  const { scopes, leave } = await openRequests(2);
  scopes[0].join(scopes[1]);
  await leave(first);
  expect(scopes[0].signal.aborted).toBe(false);
  await leave(then);
  expect(scopes[0].signal.aborted).toBe(true);
  expect(String(scopes[0].signal.reason)).toContain('The client has left.');
});

test('who has left already when another joins counts as gone', async () => {
  const { scopes, leave } = await openRequests(2);
  await leave(1);
  scopes[0].join(scopes[1]);
  expect(scopes[0].signal.aborted).toBe(false);
  await leave(0);
  expect(scopes[0].signal.aborted).toBe(true);
});

test('a request that is answered has not left', async () => {
  const { scopes, come, leave } = await openRequests(2);
  come[0]?.response.end();
  await leave(0);
  expect(scopes[0].signal.aborted).toBe(false);
});

test('all who ask for the scope of a request get the same', async () => {
  const { scopes, come } = await openRequests(1);
  const [{ response }] = come as [(typeof come)[0]];
  expect(exchangeOf(response).scope).toBe(scopes[0]);
});
