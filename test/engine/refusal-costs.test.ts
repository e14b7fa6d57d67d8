import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { type GraphqlSocket, openGraphqlSocket } from '../support/socket-clients.ts';

// Little comes back while a test runs.
const RATE = 5000;
const BURST = 10 * RATE;

const database = await forAllTests(createDisposableDatabase());
const gateway = await forAllTests(
  startTestGateway(database.url, {
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT: `${RATE}`,
    MAX_OPERATIONS_PER_SOCKET: '1',
  }),
);

let clients = 0;
const nextClient = () => {
  clients += 1;
  return `192.0.2.${clients}`;
};
const unknownFields = (count: number) =>
  `{ ${Array.from({ length: count }, (_, n) => `none${n}`).join(' ')} }`;
const BAD_VALUES = {
  query: 'query ($types: [AccountType!]) { accounts(filter: { accountTypes: $types }) { totalCount } }',
  variables: { types: Array.from({ length: 4000 }, (_, n) => `NONE_${n}`) },
};

describe('few errors are told of what has many', () => {
  test.each([
    ['a document', { query: unknownFields(300) }],
    ['variables', BAD_VALUES],
  ])('%s', async (_, body) => {
    const answer = await post(body, nextClient());
    const { errors } = await answer.json();
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.length).toBeLessThanOrEqual(6);
    expect(errors.at(-1).message).toMatch(/^Too many (?:validation errors|errors processing variables)/);
  });

  test('variables of a subscription', async () => {
    await using socket = await openGraphqlSocket(gateway.url);
    socket.send({ type: 'connection_init' });
    expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
    const query =
      'subscription ($types: [AccountType!]) { accounts(filter: { accountTypes: $types }) { cursor } }';
    socket.send({ id: '1', type: 'subscribe', payload: { ...BAD_VALUES, query } });
    const { payload } = (await socket.next()) as { payload: { errors: readonly unknown[] } };
    expect(payload.errors.length).toBeGreaterThan(1);
    expect(payload.errors.length).toBeLessThanOrEqual(6);
  });
});

describe('what is refused costs what it takes', () => {
  test.each<[string, number, unknown]>([
    ['by its tokens', 900 * 4, { query: unknownFields(900) }],
    ['by its length', 32_000 * 0.1, { query: `{ # ${'x'.repeat(32_000)}\n none }` }],
    ['by its values', 4000 * 5, BAD_VALUES],
    ['by its bytes, where they are no JSON', 60_000 * 0.05, '['.repeat(60_000)],
    [
      'by its documents',
      10 * 300 * 4,
      Array.from({ length: 10 }, (_, n) => ({ query: unknownFields(300 + n) })),
    ],
  ])('%s', async (_, least, body) => {
    const client = nextClient();
    const since = performance.now();
    await post(body, client);
    expect(await spentSince(client, since)).toBeGreaterThan(least);
  });

  test('by the fields that are looked at, also of a document that is known', async () => {
    const pages = Array.from({ length: 10 }, (_, n) => `a${n}: deposits(first: ${5000 - n}) { ...Rows }`);
    const query = `query ($x: Int) { x: deposits(first: $x) { ...Rows } ${pages.join(' ')} }
      fragment Rows on DepositConnection { nodes { ${'status '.repeat(400)} } }`;
    const client = nextClient();
    const ask = (x: number) => post({ query, variables: { x } }, client);
    expect(await (await ask(1)).text()).toContain('The operation can cost');
    const spentOn = async (x: number) => {
      const since = performance.now();
      const before = await spentBy(client);
      await ask(x);
      return (await spentSince(client, since)) - before;
    };
    const fields = 2 * 11 * 400;
    expect(await spentOn(2)).toBeGreaterThan(fields);
    // With sizes that it was asked with before: what comes back meanwhile is no more than was spent.
    const before = await spentBy(client);
    await ask(1);
    expect((await spentBy(client)) - before).toBeLessThan(fields);
  });

  test.each([
    ['a form', 0.05, 'application/x-www-form-urlencoded', `query={none}&variables={}&more=${LONG}`],
    // Its text is read again as a document.
    ['a document alone', 0.1, 'application/graphql', `{ none } # ${LONG.slice(30_000)}`],
    ['JSON by another name', 0.05, 'application/graphql+json', JSON.stringify({ query: '{ none }', LONG })],
  ])('by the bytes of %s', async (_, each, type, body) => {
    const client = nextClient();
    const since = performance.now();
    const headers = { 'Content-Type': type, 'X-Forwarded-For': client };
    for (let n = 0; n < 5; n += 1) await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
    expect(await spentSince(client, since)).toBeGreaterThan(5 * body.length * each + COST_OF_LAYERS);
  });

  test('by the bytes that ask for an operation on an event stream', async () => {
    const client = nextClient();
    const url = `${gateway.url}/graphql/stream`;
    const made = await fetch(url, { method: 'PUT', headers: { 'X-Forwarded-For': client } });
    const headers = {
      'Content-Type': 'application/json',
      'X-Forwarded-For': client,
      'X-GraphQL-Event-Stream-Token': await made.text(),
    };
    const since = performance.now();
    const before = await spentBy(client);
    for (let n = 0; n < 5; n += 1) await fetch(url, { method: 'POST', headers, body: '['.repeat(60_000) });
    const spent = (await spentSince(client, since)) - before;
    expect(spent).toBeGreaterThan(5 * 60_000 * 0.05 + COST_OF_LAYERS);
  });

  test('and on a WebSocket', async () => {
    const client = nextClient();
    await using socket = await greet(client);
    const since = performance.now();
    const before = await spentBy(client);
    socket.send({ id: '1', type: 'subscribe', payload: { query: unknownFields(900) } });
    expect(await socket.next()).toMatchObject({ type: 'error' });
    expect((await spentSince(client, since)) - before).toBeGreaterThan(900 * 4);
  });

  test.each<[string, (n: number) => object]>([
    ['a message there that asks for nothing', () => ({ type: 'pong', payload: { text: LONG } })],
    ['a message there that ends nothing', (n) => ({ type: 'complete', id: `none${n}`, payload: LONG })],
    [
      'an operation beyond those that a socket may have',
      (n) => ({
        type: 'subscribe',
        id: `more${n}`,
        payload: { query: '{ __typename }', extensions: { LONG } },
      }),
    ],
  ])('and %s, by its bytes', async (_, message) => {
    const client = nextClient();
    await using socket = await greet(client);
    socket.send({ type: 'subscribe', id: '1', payload: { query: 'subscription { blocks { cursor } }' } });
    await answered(socket);
    const since = performance.now();
    const before = await spentBy(client);
    for (let n = 0; n < 5; n += 1) socket.send(message(n));
    await answered(socket);
    const spent = (await spentBy(client)) - before;
    const cameBack = (RATE * (performance.now() - since)) / 1000;
    expect(spent + cameBack).toBeGreaterThan(5 * LONG.length * 0.05);
  });

  test('and what is sent on a documented stream, which nobody looks at', async () => {
    const client = nextClient();
    const address = `${gateway.url.replace('http', 'ws')}/api/v2/stream/accounts`;
    const socket = new WebSocket(address, { headers: { 'X-Forwarded-For': client } });
    await once(socket, 'message');
    const since = performance.now();
    const before = await spentBy(client);
    for (let n = 0; n < 200; n += 1) socket.send('');
    const pong = once(socket, 'pong');
    socket.ping();
    await pong;
    expect((await spentSince(client, since)) - before).toBeGreaterThan(200 * 10);
    socket.terminate();
  });

  test('and a socket of which all is spent is read no further until there is as much', async () => {
    const client = nextClient();
    await using socket = await greet(client);
    const since = performance.now();
    for (let n = 0; n < 18; n += 1) socket.send({ type: 'pong', payload: { text: LONG } });
    await answered(socket);
    const missing = 18 * LONG.length * 0.05 - BURST;
    expect(performance.now() - since).toBeGreaterThan((missing / RATE) * 1000 - 1);
  });

  test('until there is nothing left of what the client may ask for', async () => {
    const client = nextClient();
    const ask = async (number: number) => {
      const batch = Array.from({ length: 10 }, (_, n) => ({
        query: `${unknownFields(300)} # ${number} ${n}`,
      }));
      return (await post(batch, client)).text();
    };
    let text = '';
    for (let number = 0; !text.includes('has asked for more than it may'); number++) {
      text = await ask(number);
      expect(number).toBeLessThan(20);
    }
    expect((await post({ query: '{ __typename }' }, nextClient())).status).toBe(200);
  });
});

describe('health is asked for without a price', () => {
  test.each([
    ['GET', '/health/live', true],
    ['GET', '/health/ready?x=1', true],
    ['HEAD', '/health', true],
    ['POST', '/health/live', false],
    ['GET', '/healthy', false],
    ['GET', '/health/live/x', false],
  ])('%s %s: %s', async (method, path, isFree) => {
    const client = nextClient();
    // As often as takes longer to come back than the test.
    for (let n = 0; n < 100; n++)
      await fetch(`${gateway.url}${path}`, { method, headers: { 'X-Forwarded-For': client } });
    const spent = await spentBy(client);
    if (isFree) expect(spent).toBeLessThan(50);
    else expect(spent).toBeGreaterThan(1000);
  });
});

test('an address that is written in another way is the same', async () => {
  const client = nextClient();
  const [plain, encoded] = [
    await get('/api/v2/deposits?pagination.first=3', client),
    await get('/api/v2/%64epo%73its?pagination.first=3', client),
  ];
  expect([encoded.status, encoded.headers.get('etag')]).toEqual([200, plain.headers.get('etag')]);
  expect(await encoded.text()).toBe(await plain.text());
  // What an address has to encode stays as it is.
  expect((await get('/api/v2%2Fdeposits', client)).status).toBe(404);
});

/** What GraphQL in an unusual form is charged for besides, five times. */
const COST_OF_LAYERS = 5 * 500;
const LONG = 'x'.repeat(60_000);

async function greet(client: string): Promise<GraphqlSocket> {
  const socket = await openGraphqlSocket(gateway.url, { headers: { 'X-Forwarded-For': client } });
  socket.send({ type: 'connection_init' });
  expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
  return socket;
}

/** All that was sent before is read. */
async function answered(socket: GraphqlSocket): Promise<void> {
  socket.send({ type: 'ping' });
  while ((await socket.next()).type !== 'pong');
}

function post(body: unknown, client: string): Promise<Response> {
  return fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function get(path: string, client: string): Promise<Response> {
  return fetch(`${gateway.url}${path}`, { headers: { 'X-Forwarded-For': client } });
}

/** What a client has spent, but for what comes back meanwhile; asking costs 50. */
async function spentBy(client: string): Promise<number> {
  const answer = await get('/nothing', client);
  return BURST - Number(answer.headers.get('ratelimit-remaining')) - 50;
}

/** The same without what came back since then. */
async function spentSince(client: string, since: number): Promise<number> {
  return (await spentBy(client)) + (RATE * (performance.now() - since)) / 1000;
}
