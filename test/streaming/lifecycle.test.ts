import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createUpgrade } from '../../src/streaming/sockets.ts';
import { StreamCounts } from '../../src/streaming/stream-counts.ts';
import { readMetrics, sumOf } from '../metrics/exposition.ts';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { countMemberships } from '../support/memberships.ts';
import { openDocumentedWebSocket, openGraphqlSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { withClient } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';
import type { StreamClient } from '../support/stream-client.ts';

const PATH = '/api/v2/stream/accounts';
const SUBSCRIPTION =
  'subscription { accounts { cursor snapshot { accounts { balance } } updates { accounts { balance } } } }';

/** Every way to open a stream of all accounts. */
const openers: Readonly<Record<string, (url: string) => Promise<StreamClient>>> = {
  lines: (url) => openNdjson(url, PATH),
  events: (url) => openSse(url, PATH),
  frames: (url) => openDocumentedWebSocket(url, PATH),
  'GraphQL over WebSocket': (url) => openGraphqlWs(url, SUBSCRIPTION),
  'GraphQL over SSE': (url) => openGraphqlSse(url, SUBSCRIPTION),
};

describe('streams on all transports', () => {
  let network: AccountNetwork;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
  });

  afterAll(() => network[Symbol.asyncDispose]());

  const start = (settings: Readonly<Record<string, string>>) => startTestGateway(network.url, settings);

  async function openAll(gateway: TestGateway): Promise<readonly StreamClient[]> {
    const clients = await Promise.all(Object.values(openers).map((open) => open(gateway.url)));
    for (const client of clients) await client.next();
    return clients;
  }

  test('show while nothing happens that they are alive, and cost no statement', async () => {
    // The feed's own poll is one statement, however many streams there are.
    // A WebSocket that does not answer until the next beat is cut: long enough for a machine that is busy.
    await using gateway = await start({ STREAM_HEARTBEAT_MS: '400', FEED_POLL_MS: '600000' });
    const clients = await openAll(gateway);
    const askedWithinBeats = async () => {
      const statements = countStatements();
      const before = clients.map(({ heartbeats }) => heartbeats);
      await expect
        .poll(() => clients.map(({ heartbeats }, at) => heartbeats >= (before[at] ?? 0) + 3))
        .not.toContain(false);
      statements.stop();
      return statements.texts;
    };
    // A gateway that has just started has yet to listen for blocks, and to look for those before that once more.
    await expect
      .poll(async () => sumOf(await readMetrics(gateway.metricsUrl), 'periscope_feed_following'))
      .toBe(1);
    expect(await askedWithinBeats()).toEqual([]);
    await network.block({ owner: party(1), balance: '11' });
    for (const client of clients) expect(await client.nextText()).toContain('"balance":"11"');
    for (const client of clients) client.close();
  });

  test('are freed when the client goes away', async () => {
    using memberships = countMemberships();
    await using gateway = await start({});
    const clients = await openAll(gateway);
    await network.block({ owner: party(1), balance: '12' });
    for (const client of clients) expect(await client.nextText()).toContain('"balance":"12"');
    expect([gateway.openStreams, memberships.open]).toEqual([clients.length, clients.length]);
    for (const client of clients) client.close();
    await expect.poll(() => [gateway.openStreams, memberships.open]).toEqual([0, 0]);
  });

  test('are freed also where GraphQL over SSE was asked for by POST', async () => {
    await using gateway = await start({});
    const leaving = new AbortController();
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: SUBSCRIPTION }),
    });
    await response.body?.getReader().read();
    expect(gateway.openStreams).toBe(1);
    leaving.abort();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test.each(['frames', 'GraphQL over WebSocket'])(
    'are freed when a client answers no pings: %s',
    async (name) => {
      await using gateway = await start({ STREAM_HEARTBEAT_MS: '200' });
      const silent = { autoPong: false };
      await using client =
        name === 'frames'
          ? await openDocumentedWebSocket(gateway.url, PATH, silent)
          : await openGraphqlWs(gateway.url, SUBSCRIPTION, {}, silent);
      await client.next();
      expect((await client.ended).code).toBe(1006);
      await expect.poll(() => gateway.openStreams).toBe(0);
    },
  );

  test('stay while a client answers one ping in three: it is busy, and not gone', async () => {
    await using gateway = await start({ STREAM_HEARTBEAT_MS: '200' });
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${PATH}`, { autoPong: false });
    let pings = 0;
    socket.on('ping', () => {
      pings += 1;
      if (pings % 3 === 0) socket.pong();
    });
    await expect.poll(() => pings).toBeGreaterThan(10);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test.each(Object.entries(openers))(
    'are counted, and more than there may be refused: %s',
    async (name, open) => {
      await using gateway = await start({ MAX_STREAMS_PER_CLIENT: '1' });
      await using first = await openNdjson(gateway.url, PATH);
      await first.next();
      const refusal = await open(gateway.url).then(
        (client) => client.next(),
        (error) => error,
      );
      const message = expect.stringContaining('has 1 streams open');
      if (name === 'GraphQL over WebSocket')
        expect(refusal.errors).toMatchObject([{ message, extensions: { code: 'RESOURCE_EXHAUSTED' } }]);
      else if (name === 'frames') expect(refusal).toMatchObject({ error: { code: 8, message } });
      else expect(refusal).toMatchObject({ status: 429, body: { code: 8, message } });
      first.close();
      await expect.poll(() => gateway.openStreams).toBe(0);
      await using again = await open(gateway.url);
      expect(await again.nextText()).toContain('"balance"');
    },
  );

  test('are counted over all addresses too', async () => {
    await using gateway = await start({ MAX_STREAMS: '1' });
    await using first = await openNdjson(gateway.url, PATH);
    await first.next();
    const refused = openNdjson(gateway.url, PATH);
    await expect(refused).rejects.toMatchObject({ status: 429, body: { code: 8 } });
  });

  test('end with the reason when the gateway stops, which then stops at once', async () => {
    const gateway = await start({ SHUTDOWN_DEADLINE_MS: '5000' });
    const [lines, events, frames, graphqlWs, graphqlSse] = (await openAll(gateway)) as [
      StreamClient,
      StreamClient,
      StreamClient,
      StreamClient,
      StreamClient,
    ];
    await using idle = await openGraphqlSocket(gateway.url);
    idle.send({ type: 'connection_init' });
    await idle.next();
    const stopped = gateway.close();

    const message = expect.stringContaining('The gateway is stopping');
    const error = { code: 14, message, details: [] };
    expect(await lines.next()).toEqual({ error });
    expect(await events.next()).toEqual({ id: undefined, event: 'error', data: { error } });
    expect(await frames.next()).toEqual({ error });
    const masked = [{ message, extensions: { code: 'UNAVAILABLE', details: [] } }];
    expect(await graphqlWs.next()).toEqual({ errors: masked });
    expect(await graphqlSse.next()).toMatchObject({ errors: masked });
    for (const client of [lines, events, graphqlSse]) expect((await client.ended).code).toBe(1000);
    for (const client of [frames, graphqlWs, idle]) expect((await client.ended).code).toBe(1001);
    await stopped;
    await expect(openNdjson(gateway.url, PATH)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('end at once when the gateway stops, which for the grace still answers, and is not ready', async () => {
    const gateway = await start({ SHUTDOWN_GRACE_MS: '3000' });
    const clients = await openAll(gateway);
    const stopped = gateway.close();
    for (const client of clients) await client.ended;
    for (const path of ['/health', '/health/ready']) expect((await gateway.rest(path)).status).toBe(503);
    const accounts = await gateway.rest('/api/v2/accounts');
    expect([accounts.status, accounts.headers.get('connection')]).toEqual([200, 'close']);
    for (const [name, open] of Object.entries(openers)) {
      const refusal = await open(gateway.url).then(
        (client) => client.next(),
        (error) => error,
      );
      // A WebSocket opens before it is refused, so that a browser can read why; GraphQL's closes with 1001, without a message.
      if (name === 'frames') expect(refusal, name).toMatchObject({ error: { code: 14 } });
      else if (name === 'GraphQL over WebSocket') expect(refusal, name).toBeNull();
      else expect(refusal, name).toMatchObject({ status: 503, body: { code: 14 } });
    }
    await stopped;
  });

  test.each([
    ['GraphQL over WebSocket', openGraphqlWs],
    ['GraphQL over SSE', openGraphqlSse],
  ])(
    'end where what a message links to is out of reach, and are told it from the last cursor on: %s',
    async (_, open) => {
      await using gateway = await start({});
      const query = `subscription ($after: String) { accounts(after: $after) { cursor
      updates { accounts { balance party { id } assetNode { symbol } } } } }`;
      const client = await open(gateway.url, query);
      const { cursor } = (await client.next()).data.accounts;
      await withClient(network.url, async (other) => {
        await other.query('BEGIN; LOCK TABLE assets IN ACCESS EXCLUSIVE MODE');
        await network.block({ owner: party(1), balance: '13' });
        let message: object | null = null;
        const coming = client.next().then((next) => {
          message = next;
        });
        while (message === null)
          await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        await coming;
        expect(message).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
        expect(message).not.toHaveProperty('data');
        expect(await client.next()).toBeNull();
      });
      await using again = await open(gateway.url, query, { after: cursor });
      const accounts = [{ balance: '13', party: { id: party(1) }, assetNode: null }];
      expect((await again.next()).data.accounts.updates).toEqual({ accounts });
    },
  );

  test('cost one execution and one serialisation a change, however many are equal', async () => {
    const counters = { executions: 0, serialisations: 0, encodings: 0 };
    await using gateway = await startTestGateway(network.url, {}, counters);
    const equal = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? openGraphqlWs : openGraphqlSse)(gateway.url, SUBSCRIPTION),
      ),
    );
    const documented = await Promise.all(Array.from({ length: 20 }, () => openNdjson(gateway.url, PATH)));
    const clients = [...equal, ...documented];
    for (const client of clients) await client.next();
    const before = { ...counters };
    for (const balance of ['21', '22', '23']) {
      await network.block({ owner: party(1), balance });
      for (const client of clients) expect(await client.nextText()).toContain(`"balance":"${balance}"`);
    }
    // Two operations, each once a block: one written as GraphQL's JSON, the other as lines.
    expect(counters).toEqual({
      executions: before.executions + 2 * 3,
      serialisations: before.serialisations + 3,
      encodings: before.encodings + 3,
    });
    for (const client of clients) client.close();
  });
});

test('a WebSocket that the gateway does not read for a while is not cut for pings that seem to have no answer', async () => {
  const counts = new StreamCounts();
  const completeUpgrade = createUpgrade({ chooseProtocol: () => false, heartbeatMs: 80, counts });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connect = async () => {
    const upgraded = once(server, 'upgrade').then(([request, socket, head]) =>
      completeUpgrade(request, socket as Socket, head),
    );
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await once(client, 'open');
    return { client, webSocket: await upgraded };
  };
  const [paused, other] = [await connect(), await connect()];
  paused.webSocket.pause();
  // Both are looked after as often.
  for (let pings = 0; pings < 10; pings += 1) await once(other.client, 'ping');
  expect(counts).toMatchObject({ webSockets: { open: 2 }, cut: { unanswered: 0 } });
  paused.webSocket.resume();
  await once(paused.client, 'ping');
  const closed = [paused, other].map(({ webSocket }) => once(webSocket, 'close'));
  for (const { client } of [paused, other]) client.terminate();
  await Promise.all(closed);
  server.close();
});
