import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GraphqlSocket, openGraphqlSocket, type SocketOptions } from '../support/socket-clients.ts';

const BLOCKS = 'subscription { blocks { block { height } } }';
const QUERY = '{ block { height } }';

describe('GraphQL over WebSocket', () => {
  let network: AccountNetwork;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
    gateway = await startTestGateway(network.url, { MAX_OPERATIONS_PER_SOCKET: '3' });
  });

  afterAll(async () => {
    await gateway.close();
    await network[Symbol.asyncDispose]();
  });

  const connect = (options?: SocketOptions) => openGraphqlSocket(gateway.url, options);

  async function connectAndGreet(): Promise<GraphqlSocket> {
    const socket = await connect();
    socket.send({ type: 'connection_init' });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  const subscribe = (id: string, query: string, variables?: object) => ({
    id,
    type: 'subscribe',
    payload: { query, variables },
  });

  test('answers a query with its result and a complete', async () => {
    await using socket = await connectAndGreet();
    socket.send(subscribe('a', QUERY));
    expect(await socket.next()).toEqual({
      id: 'a',
      type: 'next',
      payload: { data: { block: { height: '1' } } },
    });
    expect(await socket.next()).toEqual({ id: 'a', type: 'complete' });
  });

  test('streams until the client completes, and frees the stream then', async () => {
    await using socket = await connectAndGreet();
    socket.send(subscribe('a', BLOCKS));
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
    expect(gateway.openStreams).toBe(1);
    socket.send({ id: 'a', type: 'complete' });
    await expect.poll(() => gateway.openStreams).toBe(0);
    // The socket serves on, and nothing more comes of the stream.
    const height = await network.block({ owner: party(1), balance: '11' });
    socket.send(subscribe('b', QUERY));
    expect(await socket.next()).toMatchObject({
      id: 'b',
      payload: { data: { block: { height: `${height}` } } },
    });
  });

  test('takes an id again as soon as it is completed', async () => {
    await using socket = await connectAndGreet();
    for (let round = 0; round < 20; round += 1) {
      socket.send(subscribe('a', BLOCKS));
      expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
      socket.send({ id: 'a', type: 'complete' });
    }
    socket.send(subscribe('a', BLOCKS));
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
    const height = await network.block({ owner: party(1), balance: '12' });
    expect(await socket.next()).toMatchObject({
      id: 'a',
      payload: { data: { blocks: { block: { height: `${height}` } } } },
    });
  });

  test('serves several operations at once, told apart by their ids', async () => {
    await using socket = await connectAndGreet();
    socket.send(subscribe('a', BLOCKS));
    socket.send(subscribe('b', BLOCKS));
    expect([await socket.next(), await socket.next()].map(({ id }) => id).sort()).toEqual(['a', 'b']);
    const height = await network.block({ owner: party(1), balance: '13' });
    const messages = [await socket.next(), await socket.next()];
    expect(messages.map(({ id }) => id).sort()).toEqual(['a', 'b']);
    for (const { payload } of messages) expect(payload.data.blocks.block.height).toBe(`${height}`);
  });

  test('answers pings, with the payload of the ping', async () => {
    await using socket = await connectAndGreet();
    socket.send({ type: 'ping', payload: { n: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { n: 1 } });
    socket.send({ type: 'pong' });
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
  });

  test('takes messages in binary frames too', async () => {
    await using socket = await connect();
    socket.send(Buffer.from('{"type":"connection_init"}'));
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
  });

  test('takes ids that are names of properties, and long ones', async () => {
    await using socket = await connectAndGreet();
    for (const id of ['__proto__', 'constructor', 'toString', 'x'.repeat(256)]) {
      socket.send(subscribe(id, QUERY));
      expect(await socket.next()).toMatchObject({ id, type: 'next' });
      expect(await socket.next()).toEqual({ id, type: 'complete' });
    }
  });

  test.each([
    ['no JSON', 'x'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no type', '{}'],
    ['an unknown type', { type: 'connection_terminate' }],
    ['a subscribe without an id', { type: 'subscribe', payload: { query: QUERY } }],
    ['a subscribe with an empty id', { id: '', type: 'subscribe', payload: { query: QUERY } }],
    ['a subscribe with a number for an id', { id: 1, type: 'subscribe', payload: { query: QUERY } }],
    ['a subscribe without a payload', { id: 'a', type: 'subscribe' }],
    ['a subscribe without a query', { id: 'a', type: 'subscribe', payload: {} }],
    ['variables that are a list', { id: 'a', type: 'subscribe', payload: { query: QUERY, variables: [] } }],
    ['a complete without an id', { type: 'complete' }],
    ['a subscribe with an id of 257 characters', subscribe('x'.repeat(257), QUERY)],
    ['a ping of more than 1024 characters', { type: 'ping', payload: { text: 'x'.repeat(1000) } }],
  ])('closes with 4400 after %s', async (_, message) => {
    await using socket = await connectAndGreet();
    socket.send(message);
    expect((await socket.ended).code).toBe(4400);
  });

  test('closes with 4401 when an operation comes before the greeting', async () => {
    await using socket = await connect();
    socket.send(subscribe('a', QUERY));
    expect((await socket.ended).code).toBe(4401);
  });

  test('closes with 4406 without its protocol', async () => {
    await using socket = await connect({ protocols: [] });
    expect((await socket.ended).code).toBe(4406);
  });

  test('closes with 4408 when no greeting comes', async () => {
    await using socket = await connect();
    expect((await socket.ended).code).toBe(4408);
  });

  test('closes with 4409 when an id is in use', async () => {
    await using socket = await connectAndGreet();
    socket.send(subscribe('a', BLOCKS));
    await socket.next();
    socket.send(subscribe('a', BLOCKS));
    expect((await socket.ended).code).toBe(4409);
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('closes with 4429 after a second greeting', async () => {
    await using socket = await connectAndGreet();
    socket.send({ type: 'connection_init' });
    expect((await socket.ended).code).toBe(4429);
  });

  test('closes with 1009 after a message of more than 64 KiB', async () => {
    await using socket = await connectAndGreet();
    socket.send({ type: 'ping', payload: { text: 'x'.repeat(65_536) } });
    expect((await socket.ended).code).toBe(1009);
  });

  test.each([
    ['a syntax error', '{ block {'],
    ['an unknown field', 'subscription { nothing }'],
    ['a query too long', `{ ${'__typename '.repeat(5000)} }`],
    ['a NUL', '{ party(id: "\\u0000") { id } }'],
    ['no operation', 'fragment F on Block { height }'],
    ['a filter that cannot be read', 'subscription { accounts(after: "x") { cursor } }'],
  ])('tells %s as an error of the operation, and serves its neighbours on', async (_, query) => {
    await using socket = await connectAndGreet();
    socket.send(subscribe('neighbour', BLOCKS));
    await socket.next();
    socket.send(subscribe('bad', query));
    const told = await socket.next();
    const errors = told.type === 'error' ? told.payload : told.payload.errors;
    expect(told.id).toBe('bad');
    expect(errors[0]).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT' } });
    if (told.type === 'next') expect(await socket.next()).toEqual({ id: 'bad', type: 'complete' });
    const height = await network.block({ owner: party(1), balance: '14' });
    expect(await socket.next()).toMatchObject({
      id: 'neighbour',
      payload: { data: { blocks: { block: { height: `${height}` } } } },
    });
  });

  test.each([
    [
      'several operations and no name',
      'query A { block { height } } query B { block { height } }',
      undefined,
    ],
    ['a name that no operation has', 'query A { block { height } }', 'C'],
    ['no operation', 'fragment F on Block { height }', undefined],
    ['a bad variable', 'query ($x: Uint64) { block(height: $x) { height } }', undefined],
    [
      'a subscription with a bad variable',
      'subscription ($x: AccountFilter) { accounts(filter: $x) { cursor } }',
      undefined,
    ],
  ])('says of %s what HTTP says of it', async (_, query, operationName) => {
    const payload = { query, operationName, variables: { x: '-1' } };
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    const { errors } = await response.json();
    expect([response.status, errors[0].extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    await using socket = await connectAndGreet();
    socket.send({ id: 'bad', type: 'subscribe', payload });
    const told = await socket.next();
    expect(told.type === 'error' ? told.payload : told.payload.errors).toEqual(errors);
  });

  test('refuses more operations than a socket may have, and serves the others on', async () => {
    await using socket = await connectAndGreet();
    for (const id of ['a', 'b', 'c']) {
      socket.send(subscribe(id, BLOCKS));
      await socket.next();
    }
    socket.send(subscribe('d', BLOCKS));
    expect(await socket.next()).toMatchObject({
      id: 'd',
      type: 'error',
      payload: [{ extensions: { code: 'RESOURCE_EXHAUSTED' } }],
    });
    socket.send({ id: 'a', type: 'complete' });
    socket.send(subscribe('d', QUERY));
    expect(await socket.next()).toMatchObject({ id: 'd', type: 'next' });
  });

  test('frees the streams of a client that goes away without a word', async () => {
    const socket = await connectAndGreet();
    socket.send(subscribe('a', BLOCKS));
    await socket.next();
    expect(gateway.openStreams).toBe(1);
    socket.close();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });
});
