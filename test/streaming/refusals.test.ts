import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeReason } from '../../src/streaming/sockets.ts';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';
import { within } from '../support/message-queue.ts';
import { openDocumentedWebSocket, openGraphqlSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { withClient } from '../support/state.ts';

const PATH = '/api/v2/stream/accounts';
const handshakeFor = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';

const texts = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');

describe('a WebSocket whose stream is refused', () => {
  let network: AccountNetwork;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
  });

  afterAll(() => network[Symbol.asyncDispose]());

  const start = (settings: Readonly<Record<string, string>> = {}) => startTestGateway(network.url, settings);

  /** What is told on a socket that opens, and how it closes. */
  async function readRefused(url: string, query: string) {
    await using socket = await openDocumentedWebSocket(url, `${PATH}?${query}`);
    const told = await socket.next();
    expect(await socket.next()).toBeNull();
    return { told, ...(await socket.ended) };
  }

  test.each([
    ['an unknown name', 'type=general'],
    ['a long value of characters of several bytes', `type=${encodeURIComponent('ü€😀'.repeat(40))}`],
    ['a malformed escape', 'type=%zz'],
    ['a cursor of something else', 'after=x'],
    ['a cursor ahead of the database', `after=${cursorAt(1_000_000)}`],
  ])('opens, is told what an answer would say, and closes with 1008: %s', async (_, query) => {
    await using gateway = await start();
    const answer = await gateway.rest(`${PATH}?${query}`);
    const { told, code, reason } = await readRefused(gateway.url, query);
    expect(told).toEqual({ error: answer.body });
    expect(code).toBe(1008);
    expect(reason.length).toBeGreaterThan(20);
    expect(answer.body.message.startsWith(reason)).toBe(true);
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('is told so when the address has as many streams as it may', async () => {
    await using gateway = await start({ MAX_STREAMS_PER_CLIENT: '1' });
    await using first = await openNdjson(gateway.url, PATH);
    await first.next();
    const refused = await readRefused(gateway.url, '');
    const message = expect.stringContaining('has 1 streams open');
    expect(refused).toMatchObject({ told: { error: { code: 8, message } }, code: 1008, reason: message });
  });

  test.each<[string, (n: number) => object]>([
    [
      'documents',
      (n) => ({ query: `subscription { blocks { ${texts(300, (m) => `a${n}_${m}: cursor`)} } }` }),
    ],
    [
      'variables',
      (n) => ({
        query: 'subscription ($ids: [ID!]) { trades(marketIds: $ids) { cursor } }',
        variables: { ids: texts(200, (m) => `${n}-${m}`.padEnd(250, 'x')).split(' ') },
      }),
    ],
  ])('is told so when the %s of its open streams take too much memory', async (_, payloadOf) => {
    await using gateway = await start({ RATE_LIMIT: '0', MAX_OPERATIONS_PER_SOCKET: '200' });
    await using socket = await openGraphqlSocket(gateway.url);
    socket.send({ type: 'connection_init' });
    await socket.next();
    let asked = 0;
    const subscribe = async (n: number) => {
      asked += 1;
      socket.send({ type: 'subscribe', id: `${asked}`, payload: payloadOf(n) });
      return await socket.next();
    };
    let open = 0;
    let told = await subscribe(open);
    for (; told.payload.errors === undefined && open < 150; told = await subscribe(open)) open += 1;
    const message = expect.stringContaining("this address's open streams take");
    const extensions = { code: 'RESOURCE_EXHAUSTED' };
    expect(told.payload).toMatchObject({ errors: [{ message, extensions }] });
    expect(await socket.next()).toMatchObject({ type: 'complete' });
    expect(open).toBeGreaterThan(50);
    // There is room again when one is closed.
    socket.send({ type: 'complete', id: '1' });
    await expect.poll(() => gateway.openStreams).toBe(open - 1);
    expect((await subscribe(open)).payload.errors).toBeUndefined();
  });

  test('may have any number of streams that ask in the same words', async () => {
    await using gateway = await start({ RATE_LIMIT: '0', MAX_OPERATIONS_PER_SOCKET: '200' });
    await using socket = await openGraphqlSocket(gateway.url);
    socket.send({ type: 'connection_init' });
    await socket.next();
    const query = `subscription { blocks { ${texts(300, (m) => `a${m}: cursor`)} } }`;
    for (let n = 0; n < 150; n++) {
      socket.send({ type: 'subscribe', id: `${n}`, payload: { query } });
      expect(await socket.next()).toMatchObject({ type: 'next', id: `${n}` });
    }
  });

  test('has its own number of streams behind a proxy that is trusted', async () => {
    await using gateway = await start({ MAX_STREAMS_PER_CLIENT: '1', TRUSTED_PROXIES: 'loopback' });
    const ask = (client: string) =>
      fetch(`${gateway.url}${PATH}`, { headers: { 'X-Forwarded-For': client } });
    const first = await ask('192.0.2.1');
    expect((await ask('192.0.2.1')).status).toBe(429);
    const other = await ask('192.0.2.2');
    expect([first.status, other.status]).toEqual([200, 200]);
    for (const { body } of [first, other]) await body?.cancel();
  });

  test('names the parameters that have too many values together, as they are called there', async () => {
    await using gateway = await start();
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
    const told = 'the filter has 10100 combinations of values; a stream takes 10000 at most.';
    const query = new URLSearchParams({ marketIds: ids(101).join(), partyIds: ids(100).join() });
    const trades = await gateway.rest(`/api/v2/stream/trades?${query}`);
    const ofChanges = new URLSearchParams({
      nouns: 'trades',
      ...{ 'filter.partyIds': ids(100).join(), 'filter.marketIds': ids(101).join() },
    });
    const changes = await gateway.rest(`/api/v2/stream/changes?${ofChanges}`);
    const subscribe = async (subscription: string) => {
      const variables = { markets: ids(101), parties: ids(100) };
      const query = `subscription Many($markets: [ID!], $parties: [ID!]) { ${subscription} }`;
      await using socket = await openGraphqlWs(gateway.url, query, variables);
      return (await socket.next()).errors[0];
    };
    const filter = 'filter: { marketIds: $markets, partyIds: $parties }';
    const asked = [
      [trades.body, ['marketIds', 'partyIds']],
      [changes.body, ['filter.partyIds', 'filter.marketIds']],
      [
        await subscribe('trades(partyIds: $parties, marketIds: $markets) { cursor }'),
        ['partyIds', 'marketIds'],
      ],
      [await subscribe(`accounts(${filter}) { cursor }`), ['filter.marketIds', 'filter.partyIds']],
    ] as const;
    expect([trades.status, changes.status]).toEqual([400, 400]);
    for (const [{ message, details, extensions = { details } }, fields] of asked) {
      expect(message).toContain(`cannot be followed: ${told}`);
      const named = extensions.details[0].fieldViolations.map((one: { readonly field: string }) => one.field);
      expect([...named].sort()).toEqual([...fields].sort());
      for (const field of fields) expect(message).toContain(field);
    }
  });

  test('is told so when the database does not answer', async () => {
    await using gateway = await start({ STATEMENT_TIMEOUT_MS: '300' });
    const refused = await withClient(network.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE blocks');
      try {
        return await readRefused(gateway.url, `after=${cursorAt(2)}`);
      } finally {
        await client.query('ROLLBACK');
      }
    });
    const message = expect.stringContaining('The database cannot be reached');
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }];
    expect(refused).toMatchObject({
      told: { error: { code: 14, message, details } },
      code: 1008,
      reason: message,
    });
  });

  test.each([
    ['the documented stream', PATH, /"code":14,.*The gateway is stopping/, 1008],
    ['GraphQL', '/graphql', /^$/, 1001],
  ])('is told so when the gateway stops meanwhile: %s', async (_, path, told, code) => {
    const gateway = await start();
    await using other = await openNdjson(gateway.url, PATH);
    const socket = await connectTo(gateway.url);
    socket.write(`${handshakeFor(path)}Sec-WebSocket-Protocol: graphql-transport-ws\r\n`);
    await other.next();
    // By the time that a block has come through the gateway has read as much of the request, and waits for the rest.
    await network.block({ owner: party(1), balance: '11' });
    await other.next();
    const stopped = gateway.close();
    expect((await other.next()).error.code).toBe(14);
    socket.write('\r\n');
    const [head, ...frames] = splitFrames(await readAll(socket)) as Buffer[];
    expect(String(head)).toMatch(/^HTTP\/1.1 101 /);
    const close = frames.pop() as Buffer;
    expect(frames.join('')).toMatch(told);
    expect(close.readUInt16BE(0)).toBe(code);
    expect(close.toString('utf8', 2)).toContain('The gateway is stopping');
    await stopped;
  });

  test('counts as a WebSocket until it is closed, and is cut when the other side does not answer', async () => {
    await using gateway = await start({ MAX_SOCKETS_PER_CLIENT: '1', STREAM_HEARTBEAT_MS: '300' });
    const silent = await connectTo(gateway.url);
    silent.write(`${handshakeFor(`${PATH}?type=general`)}\r\n`);
    await once(silent, 'data');
    await expect(openDocumentedWebSocket(gateway.url, PATH)).rejects.toMatchObject({ status: 429 });
    await within(once(silent.resume(), 'close'), 'the cut');
    await expect
      .poll(() => openDocumentedWebSocket(gateway.url, PATH).then((socket) => socket.close(), String))
      .toBeUndefined();
  });
});

test('the reason of a close is as much of a text as a close has room for, in whole characters', () => {
  expect(closeReason('short')).toBe('short');
  expect(closeReason('a'.repeat(200))).toBe('a'.repeat(123));
  expect(closeReason(`${'a'.repeat(122)}é`)).toBe('a'.repeat(122));
  expect(closeReason('😀'.repeat(40))).toBe('😀'.repeat(30));
});

async function connectTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything that comes before the other side closes; it is answered by closing too, as a client's kernel does. */
async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    // The empty close frame of a client, masked.
    if (chunk.includes('The gateway is stopping')) socket.write(Buffer.from('888000000000', 'hex'));
  });
  await within(once(socket, 'close'), 'the end of the connection');
  return Buffer.concat(chunks);
}

/** The head of the answer, and what each of the server's frames holds. */
function splitFrames(bytes: Buffer): readonly Buffer[] {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const parts = [bytes.subarray(0, end)];
  for (let at = end; at < bytes.length; ) {
    const short = bytes.readUInt8(at + 1);
    const [start, length] = short === 126 ? [at + 4, bytes.readUInt16BE(at + 2)] : [at + 2, short];
    parts.push(bytes.subarray(start, start + length));
    at = start + length;
  }
  return parts;
}

function cursorAt(height: number): string {
  return Buffer.from(`stream1.accounts.${BigInt(height) * 2n ** 20n + 1n}`).toString('base64url');
}
