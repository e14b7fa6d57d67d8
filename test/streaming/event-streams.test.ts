import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { createClient, NetworkError } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { within } from '../support/message-queue.ts';

const SUBSCRIPTION =
  'subscription ($parties: [ID!]) { accounts(filter: { partyIds: $parties }) { block { height } snapshot { accounts { balance } } updates { accounts { balance } } } }';
const QUERY = '{ accounts(first: 1) { totalCount } }';
const TOKEN = 'X-GraphQL-Event-Stream-Token';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' }, { owner: party(2), balance: '20' });

const start = (settings: Readonly<Record<string, string>> = {}) => startTestGateway(network.url, settings);

// biome-ignore lint/suspicious/noExplicitAny: a test says of each message what it must be.
type Message = any;

/** graphql-sse's own client, with all of its operations on one connection. */
function connect(gateway: TestGateway) {
  const client = createClient({
    url: `${gateway.url}/graphql/stream`,
    singleConnection: true,
    retryAttempts: 0,
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.dispose() });
}

/** A client that says each request itself. */
async function reserve(gateway: TestGateway) {
  const url = `${gateway.url}/graphql/stream`;
  const made = await fetch(url, { method: 'PUT' });
  const token = await made.text();
  const send = (init: RequestInit, query = '') =>
    fetch(`${url}${query}`, { ...init, headers: { [TOKEN]: token, ...init.headers } });
  const post = (id: unknown, query: string, variables: object = {}) =>
    send({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables, extensions: { operationId: id } }),
    });
  return { made, token, url, send, post, read: () => readEvents(url, token) };
}

/** Reads the events of a reservation, as a browser's EventSource does: the token stands in the address. */
async function readEvents(url: string, token: string) {
  const leaving = new AbortController();
  const headers = { Accept: 'text/event-stream' };
  const response = await fetch(`${url}?token=${token}`, { headers, signal: leaving.signal });
  expect(response.status, response.ok ? '' : await response.text()).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  const beats = { count: 0 };
  async function next(): Promise<{ readonly event: string; readonly data: Message } | null> {
    while (true) {
      const end = rest.indexOf('\n\n');
      if (end === -1) {
        const { value, done } = await within(reader.read(), 'an event');
        if (done) return null;
        rest += value;
        continue;
      }
      const text = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (text.startsWith(':')) beats.count += 1;
      else {
        const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? [];
        return { event, data: JSON.parse(data) };
      }
    }
  }
  return { next, beats, headers: response.headers, leave: () => leaving.abort() };
}

describe("graphql-sse's client, on a single connection", () => {
  test('has subscriptions and queries side by side, and aborts one among many', async () => {
    await using gateway = await start();
    using client = connect(gateway);
    const first = client.iterate({ query: SUBSCRIPTION, variables: { parties: [party(1)] } });
    const second = client.iterate({ query: SUBSCRIPTION, variables: { parties: [party(2)] } });
    const next = async (results: AsyncIterator<Message>) => (await within(results.next(), 'a result')).value;
    expect((await next(first)).data.accounts.snapshot.accounts).toHaveLength(1);
    expect((await next(second)).data.accounts.snapshot.accounts).toHaveLength(1);
    const queried = client.iterate({ query: QUERY });
    expect(await next(queried)).toEqual({ data: { accounts: { totalCount: 2 } } });
    expect((await queried.next()).done).toBe(true);
    expect(gateway.openStreams).toBe(2);

    await first.return?.();
    await expect.poll(() => gateway.openStreams).toBe(1);
    await network.block({ owner: party(1), balance: '11' }, { owner: party(2), balance: '21' });
    expect((await next(second)).data.accounts.updates.accounts).toEqual([{ balance: '21' }]);
    await second.return?.();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('hears of a bad operation what is wrong with it, and its neighbour goes on', async () => {
    await using gateway = await start();
    using client = connect(gateway);
    const good = client.iterate({ query: SUBSCRIPTION, variables: { parties: [party(1)] } });
    expect((await within(good.next(), 'a result')).value.data).toBeDefined();
    const bad = client.iterate({ query: '{ nothingOfTheKind }' });
    const refusal: NetworkError<Response> = await bad.next().then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(refusal).toBeInstanceOf(NetworkError);
    expect(refusal.response?.status).toBe(400);
    await network.block({ owner: party(1), balance: '12' });
    expect((await within(good.next(), 'a result')).value).toMatchObject({
      data: { accounts: { updates: { accounts: [{ balance: '12' }] } } },
    });
    await good.return?.();
  });

  test('is told when the gateway stops, which then stops at once', async () => {
    const gateway = await start({ SHUTDOWN_DEADLINE_MS: '60000' });
    using client = connect(gateway);
    const results = client.iterate({ query: SUBSCRIPTION });
    await within(results.next(), 'a result');
    const idle = await reserve(gateway);
    const unread = await reserve(gateway);
    const events = await idle.read();
    const stopped = gateway.close();
    expect((await within(results.next(), 'the reason')).value).toMatchObject({
      errors: [{ extensions: { code: 'UNAVAILABLE' } }],
    });
    expect((await results.next()).done).toBe(true);
    expect(await events.next()).toBeNull();
    await within(stopped, 'the stop');
    await expect(unread.read()).rejects.toThrow('fetch failed');
  });
});

describe('a reservation', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await start({
      STREAM_HEARTBEAT_MS: '200',
      MAX_OPERATIONS_PER_SOCKET: '2',
      MIN_BLOCK_WAIT_MS: '100',
    });
  });

  afterAll(() => gateway?.[Symbol.asyncDispose]());

  test('is one token, and takes operations before it is read', async () => {
    const stream = await reserve(gateway);
    expect([stream.made.status, stream.made.headers.get('content-type')]).toEqual([201, 'text/plain']);
    expect(stream.made.headers.get('cache-control')).toBe('no-store');
    const accepted = await stream.post('q', QUERY);
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
    const events = await stream.read();
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    expect(events.headers.get('cache-control')).toContain('no-transform');
    const payload = { data: { accounts: { totalCount: 2 } } };
    expect(await events.next()).toEqual({ event: 'next', data: { id: 'q', payload } });
    expect(await events.next()).toEqual({ event: 'complete', data: { id: 'q' } });
    // The id is free again when its operation is over.
    expect((await stream.post('q', QUERY)).status).toBe(202);
    expect(await events.next()).toEqual({ event: 'next', data: { id: 'q', payload } });
    events.leave();
    await expect.poll(async () => (await stream.post('q', QUERY)).status).toBe(404);
  });

  test('has an id free again after its operation was ended, and what comes then is of the new one', async () => {
    const stream = await reserve(gateway);
    const events = await stream.read();
    for (const time of [1, 2, 3]) {
      expect((await stream.post('a', SUBSCRIPTION)).status, `time ${time}`).toBe(202);
      expect((await events.next())?.data.payload.data.accounts.snapshot).toBeDefined();
      expect((await stream.send({ method: 'DELETE' }, '?operationId=a')).status).toBe(200);
      expect(await events.next()).toEqual({ event: 'complete', data: { id: 'a' } });
    }
    await expect.poll(() => gateway.openStreams).toBe(0);
    events.leave();
  });

  test('takes no operation before the block is there that its request asks for', async () => {
    const stream = await reserve(gateway);
    const late = await stream.send({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Min-Block-Height': '1000000' },
      body: JSON.stringify({ query: QUERY, extensions: { operationId: 'late' } }),
    });
    expect(late.status).toBe(503);
    expect((await stream.post('late', QUERY)).status).toBe(202);
  });

  test('is read by one only', async () => {
    const stream = await reserve(gateway);
    const events = await stream.read();
    const another = await stream.send({});
    expect([another.status, await another.json()]).toMatchObject([409, { code: 9 }]);
    expect((await stream.post('q', QUERY)).status).toBe(202);
    expect((await events.next())?.data.id).toBe('q');
    events.leave();
  });

  test('has heartbeats while nothing happens', async () => {
    const stream = await reserve(gateway);
    const events = await stream.read();
    void events.next().catch(() => {});
    await expect.poll(() => events.beats.count).toBeGreaterThan(2);
    events.leave();
  });

  test('says of each request what is wrong with it', async () => {
    const stream = await reserve(gateway);
    const json = { 'Content-Type': 'application/json' };
    const cases: readonly (readonly [number, string, Promise<Response>])[] = [
      [400, 'extensions.operationId is missing', stream.post(undefined, QUERY)],
      [400, 'extensions.operationId is \\"5\\"', stream.post(5, QUERY)],
      [400, '(257 characters); it takes a text of 1 to 256', stream.post('x'.repeat(257), QUERY)],
      [400, 'Syntax Error', stream.post('a', '{')],
      [400, 'query is missing', stream.post('b', '')],

      [415, 'application/json', stream.send({ method: 'POST', body: '{}' })],
      [400, 'The body is no JSON', stream.send({ method: 'POST', headers: json, body: '{' })],
      [400, 'a JSON object, not', stream.send({ method: 'POST', headers: json, body: '[]' })],
      [400, 'The parameter operationId is missing', stream.send({ method: 'DELETE' })],
      [400, 'PUT /graphql/stream gives one', fetch(stream.url)],
      [404, 'no event stream with token', fetch(stream.url, { headers: { [TOKEN]: 'nobody' } })],
      [405, 'takes GET, HEAD, POST, PUT, DELETE, OPTIONS', stream.send({ method: 'PATCH' })],
    ];
    for (const [status, message, asked] of cases) {
      const response = await asked;
      const text = await response.text();
      expect([response.status, response.headers.get('cache-control')], text).toEqual([status, 'no-store']);
      expect(text).toContain(message);
      expect(JSON.parse(text)).toMatchObject({ code: expect.any(Number), details: expect.any(Array) });
    }
    expect((await stream.send({ method: 'HEAD' })).status).toBe(200);
    const events = await stream.read();
    events.leave();
  });

  test('has no more operations than a socket, and none with an id twice', async () => {
    const stream = await reserve(gateway);
    const events = await stream.read();
    expect((await stream.post('a', SUBSCRIPTION)).status).toBe(202);
    const twice = await stream.post('a', SUBSCRIPTION);
    expect([twice.status, await twice.text()]).toMatchObject([409, expect.stringContaining('operationId')]);
    expect((await stream.post('b', SUBSCRIPTION)).status).toBe(202);
    const third = await stream.post('c', SUBSCRIPTION);
    expect([third.status, await third.json()]).toMatchObject([
      429,
      { code: 8, errors: [{ message: expect.stringContaining('has 2 operations open') }] },
    ]);
    const ended = await stream.send({ method: 'DELETE' }, '?operationId=a');
    expect(ended.status).toBe(200);
    expect((await stream.post('c', SUBSCRIPTION)).status).toBe(202);
    events.leave();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });
});

describe('an operation that waits to be read', () => {
  /** Has what asks for an operation wait, until it is let in. */
  function holdReading() {
    let onCome: () => void;
    let letIn = () => {};
    const come = new Promise<void>((resolve) => (onCome = resolve));
    const isLetIn = new Promise<void>((resolve) => (letIn = resolve));
    const { readBytes } = Engine.prototype;
    const reading = vi.spyOn(Engine.prototype, 'readBytes').mockImplementation(async function (
      this: Engine,
      ...given: Parameters<typeof readBytes>
    ) {
      onCome();
      await isLetIn;
      return readBytes.apply(this, given);
    } as typeof readBytes);
    return { come, letIn, [Symbol.dispose]: () => reading.mockRestore() };
  }

  test('is not begun where its event stream ends meanwhile', async () => {
    await using gateway = await start();
    const stream = await reserve(gateway);
    const events = await stream.read();
    using reading = holdReading();
    const posted = stream.post('late', SUBSCRIPTION);
    await reading.come;
    events.leave();
    const end = async () => (await stream.send({ method: 'DELETE' }, '?operationId=late')).status;
    await expect.poll(end).toBe(404);
    reading.letIn();
    expect((await posted).status).toBe(404);
    expect(gateway.openStreams).toBe(0);
  });

  test('is stopped where whoever asks for it leaves meanwhile', async () => {
    await using gateway = await start();
    const stream = await reserve(gateway);
    const events = await stream.read();
    using reading = holdReading();
    const operate = vi.spyOn(Engine.prototype, 'operate');
    const gone = new Promise((resolve) => {
      const onRequest = (message: unknown) => {
        unsubscribe('http.server.request.start', onRequest);
        (message as { readonly response: ServerResponse }).response.once('close', resolve);
      };
      subscribe('http.server.request.start', onRequest);
    });
    const leaving = new AbortController();
    const posted = stream.send({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: SUBSCRIPTION, extensions: { operationId: 'left' } }),
      signal: leaving.signal,
    });
    await reading.come;
    leaving.abort();
    await expect(posted).rejects.toThrow('aborted');
    await gone;
    reading.letIn();
    await vi.waitFor(() => expect(operate).toHaveBeenCalled());
    await operate.mock.results[0]?.value;
    operate.mockRestore();
    await expect.poll(() => gateway.openStreams).toBe(0);
    events.leave();
  });
});

describe('what clients may have open', () => {
  test('counts reservations, which end by themselves where nobody comes for them', async () => {
    await using gateway = await start({ MAX_SOCKETS_PER_CLIENT: '1' });
    const stream = await reserve(gateway);
    expect((await stream.post('a', SUBSCRIPTION)).status).toBe(202);
    expect(gateway.openStreams).toBe(1);
    const refused = await reserve(gateway);
    expect(refused.made.status).toBe(429);
    expect(JSON.parse(refused.token).message).toContain('has 1 event streams open');
    await expect.poll(() => gateway.openStreams, { interval: 500 }).toBe(0);
    expect((await reserve(gateway)).made.status).toBe(201);
    expect((await stream.post('a', QUERY)).status).toBe(404);
  });

  test('counts the subscriptions among all streams of the client', async () => {
    await using gateway = await start({ MAX_STREAMS_PER_CLIENT: '1' });
    const stream = await reserve(gateway);
    const events = await stream.read();
    expect((await stream.post('a', SUBSCRIPTION)).status).toBe(202);
    const refused = await stream.post('b', SUBSCRIPTION);
    expect([refused.status, await refused.text()]).toMatchObject([
      429,
      expect.stringContaining('has 1 streams open'),
    ]);
    expect((await events.next())?.data.id).toBe('a');
    events.leave();
  });

  test("is charged, and a token is one client's", async () => {
    await using gateway = await start({ TRUSTED_PROXIES: 'loopback', RATE_LIMIT: '1000' });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const url = `${gateway.url}/graphql/stream`;
    const made = await fetch(url, { method: 'PUT', headers: from('192.0.2.1') });
    const token = { [TOKEN]: await made.text() };
    expect((await fetch(url, { headers: { ...token, ...from('192.0.2.2') } })).status).toBe(404);
    const ended = await fetch(`${url}?operationId=a`, {
      method: 'DELETE',
      headers: { ...token, ...from('192.0.2.1') },
    });
    expect(ended.status).toBe(200);
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1)
      statuses.push((await fetch(url, { method: 'PUT', headers: from('192.0.2.3') })).status);
    expect(statuses).toContain(429);
    // What is refused is not reserved: the first are.
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(201));
  });

  test.each([
    ['is full, and takes operations again when that is read', '60000', 429],
    ['ends, with the streams on it', '300', 404],
  ])('an event stream that is not read %s', async (_, STREAM_STALL_MS, expected) => {
    await using large = await startAccountNetwork();
    await large.block(...Array.from({ length: 2000 }, (_, n) => ({ owner: party(n + 1), balance: '1' })));
    await using gateway = await startTestGateway(large.url, { STREAM_STALL_MS });
    const stream = await reserve(gateway);
    const events = await stream.read();
    expect((await stream.post('a', SUBSCRIPTION)).status).toBe(202);
    const long = '{ accounts(first: 2000) { edges { node { owner asset marketId type balance } cursor } } }';
    let refused = await stream.post('0', long);
    for (let id = 1; refused.status !== expected; id += 1) {
      expect([202, 429]).toContain(refused.status);
      refused = await stream.post(`${id}`, long);
    }
    expect(await refused.text()).toContain(
      expected === 429 ? 'bytes of the event stream wait to be read' : 'no event stream',
    );
    if (expected === 404) {
      await expect.poll(() => gateway.openStreams).toBe(0);
    } else {
      const asked = { status: 429 };
      for (let read = 0; asked.status === 429; read += 1) {
        await events.next();
        if (read % 4 === 0) asked.status = (await stream.post('again', QUERY)).status;
      }
      expect(asked.status).toBe(202);
    }
    events.leave();
  });
});
