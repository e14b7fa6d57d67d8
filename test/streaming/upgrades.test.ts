import { once } from 'node:events';
import { createServer, get, IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { voteValues } from '../../src/domain/enumerations.ts';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import { createMinBlock } from '../../src/http/limits/min-block.ts';
import type { Caller } from '../../src/http/request-scope.ts';
import { takeUpgrades } from '../../src/streaming/upgrades.ts';
import { exchange } from '../http/serve.ts';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { usedHeap } from '../support/heap.ts';
import { within } from '../support/message-queue.ts';
import { openDocumentedWebSocket, openGraphqlSocket } from '../support/socket-clients.ts';
import { ask } from '../support/state.ts';
import { readRefusal } from '../support/stream-client.ts';

const STREAM = '/api/v2/stream/accounts';
const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
};

describe('a request to become a WebSocket', () => {
  let network: AccountNetwork;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
    gateway = await startTestGateway(network.url, {
      CORS_ORIGIN: 'https://friend.example',
      MAX_SOCKETS_PER_CLIENT: '3',
    });
  });

  afterAll(async () => {
    await gateway.close();
    await network[Symbol.asyncDispose]();
  });

  async function askFor(path: string, headers: Readonly<Record<string, string>>) {
    const answering = new Promise<IncomingMessage>((resolve, reject) => {
      get(`${gateway.url}${path}`, { agent: false, headers }, resolve).on('error', reject);
    });
    return readRefusal(await within(answering, 'the answer'));
  }

  test('is forgotten once it is one', async () => {
    const asked = watchUpgrade();
    await using client = await openDocumentedWebSocket(gateway.url, STREAM);
    await client.next();
    expect(asked()).toBeInstanceOf(IncomingMessage);
    // Others' garbage is collected with it: how many requests there are is no measure.
    const isForgotten = () => {
      usedHeap();
      return asked() === undefined;
    };
    await expect.poll(isForgotten).toBe(true);
  });

  test.each([
    ['without a key', STREAM, { 'Sec-WebSocket-Key': '' }],
    ['of an unknown version', '/graphql', { 'Sec-WebSocket-Version': '99' }],
    ['of a page from elsewhere', STREAM, { Origin: 'https://stranger.example' }],
  ])('%s is refused with the error body', async (_, path, headers) => {
    const refusal = await askFor(path, { ...HANDSHAKE, ...headers });
    expect(refusal).toMatchObject({ status: 400, body: { code: 3, message: expect.any(String) } });
    expect(refusal.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.any(String),
      connection: 'close',
    });
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('of a page that is let in is granted, and of one of our own', async () => {
    await using friend = await openGraphqlSocket(gateway.url, {
      headers: { Origin: 'https://friend.example' },
    });
    await using own = await openGraphqlSocket(gateway.url, { headers: { Origin: gateway.url } });
    friend.send({ type: 'connection_init' });
    own.send({ type: 'connection_init' });
    expect([await friend.next(), await own.next()]).toEqual([
      { type: 'connection_ack' },
      { type: 'connection_ack' },
    ]);
  });

  test.each([
    ['on a path that has none', '/api/v2/accounts', HANDSHAKE],
    ['for another protocol', '/api/v2/accounts', { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c' }],
  ])('%s is answered as if it had not asked', async (_, path, headers) => {
    const answer = await askFor(path, headers);
    expect(answer).toMatchObject({ status: 200, body: { accounts: { edges: [expect.anything()] } } });
  });

  test.each([
    ['for another protocol', 'Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    ['behind one that does not', `\r\nGET ${STREAM} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
  ])('%s has a stream go on that is more at first than the connection takes at once', async (_, rest) => {
    await using long = await startAccountNetwork();
    const accounts = Array.from({ length: 500 }, (_, n) => ({ owner: party(n + 1), balance: '10' }));
    await long.block(...accounts);
    await using serving = await startTestGateway(long.url);
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: x\r\n${rest}`);
    await expect.poll(() => received.includes('"lastPage":true')).toBe(true);
    await long.block({ owner: party(1), balance: '11' });
    await expect.poll(() => received.includes('"balance":"11"')).toBe(true);
    socket.destroy();
  });

  test.each([
    ['of a length', (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
    [
      'in chunks',
      (body: string) =>
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('for another protocol with a body %s is answered as if it had not asked', async (_, send) => {
    // As the client of Java's library sends it.
    const head =
      'POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAA\r\nUpgrade: h2c\r\n';
    const request = `${head}Content-Type: application/json\r\n${send('{"query":"{ __typename }"}')}`;
    const received = await exchange(Number(new URL(gateway.url).port), request);
    expect(received).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*\{"data":\{"__typename":"Query"\}\}$/s);
  });

  test('for another protocol with a body is refused as any other that is too long, or has too many fields', async () => {
    const ask = (fields: string) =>
      exchange(
        Number(new URL(gateway.url).port),
        `POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n${fields}\r\n`,
      );
    const json = 'Content-Type: application/json\r\n';
    expect(await ask(`${json}Content-Length: 99999999\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await ask(`${'a: b\r\n'.repeat(200)}Content-Length: 5\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('is refused with 429 when the address has as many as it may, and granted when one is closed', async () => {
    await using first = await openGraphqlSocket(gateway.url);
    await using _second = await openGraphqlSocket(gateway.url);
    await using _third = await openDocumentedWebSocket(gateway.url, STREAM);
    const refused = openGraphqlSocket(gateway.url).then(
      () => null,
      (error) => error,
    );
    expect(await refused).toMatchObject({ status: 429, body: { code: 8 } });
    first.close();
    await expect
      .poll(() =>
        openGraphqlSocket(gateway.url).then(
          (socket) => socket.close(),
          (error) => error.status,
        ),
      )
      .toBeUndefined();
  });

  test.each([
    ['a WebSocket', 1, STREAM, Object.entries(HANDSHAKE), /^HTTP\/1\.1 101 /],
    [
      'a WebSocket behind more than are begun at once',
      150,
      STREAM,
      Object.entries(HANDSHAKE),
      /^HTTP\/1\.1 101 /,
    ],
    [
      'another protocol',
      1,
      '/health/live',
      [
        ['Connection', 'Upgrade'],
        ['Upgrade', 'h2c'],
      ],
      /^HTTP\/1\.1 200 .*"live"/s,
    ],
  ])('sent behind others is answered after them: %s', async (_, probes, path, headers, last) => {
    const head = (of: string, lines: readonly (readonly string[])[]) =>
      [`GET ${of} HTTP/1.1`, 'Host: x', ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
        '\r\n',
      );
    const slow = '/api/v2/accounts?pagination.first=1';
    const sent = head(slow, []) + head('/health/live', []).repeat(probes) + head(path, headers);
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(sent);
    const answers = () => received.split(/(?=HTTP\/1\.1 \d{3} )/);
    await expect.poll(() => answers().at(probes + 1)).toMatch(last);
    expect(answers()[0]).toMatch(/^HTTP\/1\.1 200 .*"accounts"/s);
    for (const answer of answers().slice(1, probes + 1)) expect(answer).toMatch(/^HTTP\/1\.1 200 .*"live"/s);
    socket.destroy();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('is no danger when the client goes away in its middle', async () => {
    const sockets = Array.from({ length: 3 }, () => {
      const asking = get(`${gateway.url}${STREAM}`, { agent: false, headers: HANDSHAKE });
      asking
        .on('error', () => {})
        .on('socket', (socket) =>
          socket.once('connect', () => {
            setImmediate(() => asking.destroy());
          }),
        );
      return asking;
    });
    await Promise.all(sockets.map((asking) => new Promise((resolve) => asking.once('close', resolve))));
    await expect.poll(() => gateway.openStreams).toBe(0);
    await using socket = await openDocumentedWebSocket(gateway.url, STREAM);
    expect(await socket.next()).toMatchObject({ result: { snapshot: { lastPage: true } } });
  });

  describe('where answers are long', () => {
    beforeAll(() =>
      ask(
        network.url,
        `INSERT INTO votes (created_position, updated_position, proposal_id, party_id, value, timestamp,
          total_governance_token_balance, total_governance_token_weight, total_equity_like_share_weight)
        SELECT n, n, 'p', 'party-' || n, ${voteValues.numbers.VALUE_YES}, n, repeat('9', 400), '0', '0' FROM generate_series(1, 5000) AS n`,
      ),
    );

    test('is answered whole', async () => {
      const answer = await askFor('/votes', { Connection: 'Upgrade', Upgrade: 'h2c' });
      expect(answer.body.votes).toHaveLength(5000);
    });

    test('lets one that is on its way come to its end', async () => {
      const long = 'GET /votes HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity;q=0.5\r\n\r\n';
      const other =
        'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n';
      const received = await exchange(Number(new URL(gateway.url).port), long + other);
      expect(received).toMatch(
        /^HTTP\/1\.1 200 .*Transfer-Encoding: chunked.*"party-5000".*HTTP\/1\.1 200 .*"live"/s,
      );
    });
  });
});

test('a request to become a WebSocket waits for no block once its connection is gone', async () => {
  const callers: Caller[] = [];
  const wait = (_height: bigint, _field: string, caller: Caller) => {
    callers.push(caller);
    return new Promise<void>(() => {});
  };
  const enter = createMinBlock(wait, createClientAddresses(null, pino({ level: 'silent' })));
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const handlers = new Map([[STREAM, async () => {}]]);
  takeUpgrades({ server, answered: async () => {} }, { handlers, enter } as never);
  const { port } = server.address() as AddressInfo;
  const headers = { ...HANDSHAKE, 'X-Min-Block-Height': '9' };
  const asking = get({ host: '127.0.0.1', port, path: STREAM, headers }).on('error', () => {});
  await expect.poll(() => callers.map(({ signal }) => signal.aborted)).toEqual([false]);
  asking.destroy();
  await expect.poll(() => callers.map(({ signal }) => signal.aborted)).toEqual([true]);
});

/** Gives the next request to become another protocol that any server has, as long as anybody keeps it. */
function watchUpgrade(): () => IncomingMessage | undefined {
  let asked: WeakRef<IncomingMessage> | undefined;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name: string, ...args: unknown[]) {
    if (name === 'upgrade') asked ??= new WeakRef(args[0] as IncomingMessage);
    return Reflect.apply(emit, this, [name, ...args]);
  };
  onTestFinished(() => {
    Reflect.deleteProperty(Server.prototype, 'emit');
  });
  return () => asked?.deref();
}
