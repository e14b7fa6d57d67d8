import { ApolloClient, CombinedProtocolErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { describe, expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { MessageQueue } from '../support/message-queue.ts';

const TEXT =
  'subscription ($after: String) { accounts(after: $after) { cursor snapshot { accounts { balance } } updates { accounts { balance } } } }';
const ACCEPT = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' });

const start = (settings: Readonly<Record<string, string>> = {}) => startTestGateway(network.url, settings);

// biome-ignore lint/suspicious/noExplicitAny: a test says of each message what it must be.
type Message = any;

/** Subscribes with Apollo's client, over HTTP alone. */
function subscribe(
  gateway: TestGateway,
  variables: Readonly<Record<string, unknown>> = {},
  method: 'GET' | 'POST' = 'POST',
) {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${gateway.url}/graphql`, useGETForQueries: method === 'GET' }),
    cache: new InMemoryCache(),
  });
  const results = new MessageQueue<Message>();
  const subscription = client.subscribe({ query: gql(TEXT), variables }).subscribe({
    next: (result) => results.push(result),
    error: (error) => results.push({ thrown: error }),
    complete: () => results.end(),
  });
  return { next: () => results.next(), leave: () => subscription.unsubscribe(), client };
}

describe("Apollo's client follows without a WebSocket", () => {
  test.each(['POST', 'GET'] as const)('with %s, and what it leaves ends', async (method) => {
    await using gateway = await start();
    const stream = subscribe(gateway, {}, method);
    const snapshot = await stream.next();
    expect(snapshot.data.accounts.snapshot.accounts[0].balance).toEqual(expect.any(String));
    const balance = method === 'GET' ? '11' : '12';
    await network.block({ owner: party(1), balance });
    expect((await stream.next()).data.accounts.updates.accounts).toMatchObject([{ balance }]);
    expect(gateway.openStreams).toBe(1);
    stream.leave();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('and its queries are answered as before', async () => {
    await using gateway = await start();
    const { client } = subscribe(gateway);
    const { data } = await client.query<Message>({ query: gql('{ accounts { totalCount } }') });
    expect(data.accounts.totalCount).toBe(1);
  });

  test('and learns why a stream ends, or cannot begin', async () => {
    const gateway = await start();
    const stream = subscribe(gateway);
    await stream.next();
    const stopped = gateway.close();
    const { error } = await stream.next();
    expect(error).toBeInstanceOf(CombinedProtocolErrors);
    expect(error.errors).toMatchObject([
      { message: expect.stringContaining('stopping'), extensions: { code: 'UNAVAILABLE' } },
    ]);
    expect(await stream.next()).toBeNull();
    await stopped;
    await using small = await start({ MAX_STREAMS_PER_CLIENT: '1' });
    const only = subscribe(small);
    await only.next();
    const refused = await subscribe(small).next();
    expect((refused.thrown ?? refused.error).message).toMatch(/429|has 1 streams open/);
    only.leave();
  });
});

describe('a subscription in parts', () => {
  const ask = (
    gateway: TestGateway,
    query: string,
    variables: object = {},
    accept = ACCEPT,
    signal?: AbortSignal,
  ) =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify({ query, variables }),
      ...(signal && { signal }),
    });

  test('is written as the protocol has it, with heartbeats and the end', async () => {
    const gateway = await start({ STREAM_HEARTBEAT_MS: '100' });
    const response = await ask(gateway, TEXT);
    expect(response.headers.get('content-type')).toBe(
      'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
    );
    expect(response.headers.get('cache-control')).toContain('no-transform');
    expect(response.headers.get('vary')).toContain('Accept');
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) chunks.push(chunk);
    })();
    const parts = () => chunks.join('').split('\r\n--graphql');
    await expect.poll(() => parts().length).toBeGreaterThan(5);
    await gateway.close();
    await reading;
    const [preamble, first, ...others] = parts();
    const head = '\r\nContent-Type: application/json\r\n\r\n';
    expect([preamble, first, others.at(-1)]).toEqual(['', `${head}{}`, '--\r\n']);
    const payloads = others.slice(0, -1).map((part) => JSON.parse(part.slice(head.length)));
    const messages = payloads.filter((one) => 'payload' in one);
    expect(payloads.length - messages.length).toBeGreaterThan(1);
    expect(messages).toMatchObject([
      { payload: { data: { accounts: { snapshot: {} } } } },
      { payload: null, errors: [{ extensions: { code: 'UNAVAILABLE' } }] },
    ]);
  });

  test('that cannot begin is refused as any operation', async () => {
    await using gateway = await start();
    for (const [query, message] of [
      ['subscription { nothingOfTheKind { a } }', 'nothingOfTheKind'],
      [`subscription { accounts(after: "x") { cursor } }`, 'after'],
    ] as const) {
      const response = await ask(gateway, query);
      const text = await response.text();
      expect([response.status, text]).toEqual([400, expect.stringContaining(message)]);
      expect(JSON.parse(text)).toMatchObject({ code: 3, errors: [{}] });
    }
    const head = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(TEXT)}`, {
      method: 'HEAD',
      headers: { Accept: ACCEPT },
    });
    expect(head.status).toBe(405);
  });

  test.each(['multipart/mixed', 'multipart/mixed;deferSpec=20220824', ACCEPT])(
    'leaves every other answer to %s as it is',
    async (accept) => {
      await using gateway = await start();
      const answer = await ask(gateway, '{ accounts { totalCount } }', {}, accept);
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining('{"data":{"accounts":{"totalCount":1}}}'),
      ]);
      if (accept === ACCEPT) return;
      const stream = await ask(gateway, TEXT, {}, accept);
      expect([stream.status, await stream.json()]).toMatchObject([406, { code: 3 }]);
    },
  );

  test('is one result for all', async () => {
    const counters = { executions: 0, serialisations: 0, encodings: 0 };
    await using gateway = await startTestGateway(network.url, {}, counters);
    const streams = [subscribe(gateway), subscribe(gateway)] as const;
    for (const stream of streams) await stream.next();
    const before = { ...counters };
    await network.block({ owner: party(1), balance: '13' });
    for (const stream of streams) await stream.next();
    expect(counters).toEqual({
      ...before,
      executions: before.executions + 1,
      serialisations: before.serialisations + 1,
    });
    for (const stream of streams) stream.leave();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });
});
