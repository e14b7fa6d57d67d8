import { setImmediate } from 'node:timers/promises';
import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';

const COUNT = '{ accounts(first: 1) { totalCount } }';

/** Costs about 150,000. */
const DEAR =
  '{ accounts(first: 5000) { edges { node { nodeId owner balance type marketId asset party { id } } cursor } } }';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' });
const gateway = await forAllTests(startTestGateway(network.url));

async function post(body: unknown, { url } = gateway, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** A query of an account, which costs about so many rows. */
const rows = (first: number) => ({ query: `{ accounts(first: ${first}) { edges { node { balance } } } }` });

test("Apollo's link sends several operations at once, and gets each its answer", async () => {
  const sent: unknown[] = [];
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new BatchHttpLink({
      uri: `${gateway.url}/graphql`,
      fetch: (url, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return fetch(url, init);
      },
    }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each answer what it must be.
  const ask = (query: string) => client.query<any>({ query: gql(query), errorPolicy: 'all' });
  const [count, bad, block] = await Promise.all([
    ask(COUNT),
    ask('{ deposit(id: "nobody") { id } }'),
    ask('{ block { height } }'),
  ]);
  expect(sent).toMatchObject([[{}, {}, {}]]);
  expect(count.data.accounts.totalCount).toBe(1);
  expect([bad.data?.deposit ?? null, block.data.block.height]).toEqual([null, '1']);
});

describe('a batch', () => {
  test('is answered in order, and one bad operation is its own failure', async () => {
    const { status, headers, body } = await post([
      { query: COUNT },
      { query: '{ nothingOfTheKind }' },
      { query: 'query ($n: Int) { accounts(first: $n) { totalCount } }', variables: { n: -1 } },
      { query: 5 },
      'x',
      { query: 'subscription { blocks { block { height } } }' },
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'unknown' } } },
      rows(1_000_000),
      { query: '{ block { height } }' },
    ]);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toHaveLength(9);
    expect([body[0], body[8]]).toEqual([
      { data: { accounts: { totalCount: 1 } } },
      { data: { block: { height: '1' } } },
    ]);
    const messages = body
      .slice(1, 8)
      .map(({ errors }: { errors: { message: string }[] }) => errors[0]?.message);
    expect(messages).toEqual([
      expect.stringContaining('nothingOfTheKind'),
      expect.stringContaining('first'),
      expect.stringContaining('query takes a string'),
      expect.stringContaining('An operation is a JSON object'),
      expect.stringContaining('A subscription is no part of a batch'),
      'PersistedQueryNotFound',
      expect.stringMatching(/first|can cost/),
    ]);
    for (const { errors } of body.slice(1, 8))
      expect(errors[0].extensions).toMatchObject({ code: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain('"http"');
  });

  test('is of the type that is asked for', async () => {
    const accept = 'application/graphql-response+json,application/json;q=0.9';
    const { headers, body } = await post([{ query: COUNT }], gateway, { Accept: accept });
    expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(body).toHaveLength(1);
  });

  test.each([
    [[], 'The batch has 0 operations; it takes 1 to 10.'],
    [Array(11).fill({ query: COUNT }), 'The batch has 11 operations; it takes 1 to 10.'],
    ['[{"query":', 'The body is no JSON'],
    [Array(3).fill({ query: `{ ${counts(8)} }` }), 'select totalCount 24 times together'],
    [Array(10).fill({ query: DEAR }), 'together; the most is 1000000'],
  ])('that is no list to take is refused: %#', async (given, message) => {
    const { status, body } = await post(given);
    expect([status, body.code]).toEqual([400, 3]);
    expect(body.message).toContain(message);
    expect(body.errors).toMatchObject([{ message: body.message, extensions: { code: 'INVALID_ARGUMENT' } }]);
    expect(body.details[0].fieldViolations[0].field).toBe('body');
  });

  test('has a turn for each of its operations, though their documents are known', async () => {
    const batch = Array.from({ length: 10 }, (_, n) => rows(n + 1));
    await post(batch);
    // Time passes by reading alone, which takes longer than a turn may.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { read } = Engine.prototype;
    const readIn: number[] = [];
    let turn = 0;
    const spy = vi.spyOn(Engine.prototype, 'read').mockImplementation(function (this: Engine, ...given) {
      readIn.push(turn);
      vi.advanceTimersByTime(30);
      return read.apply(this, given);
    });
    onTestFinished(() => spy.mockRestore());
    let isAnswered = false;
    const answered = post(batch).finally(() => {
      isAnswered = true;
    });
    for (; !isAnswered; turn += 1) await setImmediate();
    expect((await answered).body).toHaveLength(10);
    expect(readIn).toHaveLength(10);
    expect(new Set(readIn).size).toBe(10);
  });

  test('is charged the sum of what its operations may cost', async () => {
    await using limited = await startTestGateway(network.url, { RATE_LIMIT: '10000' });
    const left = async (body: unknown) => {
      const { status, headers } = await post(body, limited, { 'X-Test': 'dear' });
      return { status, left: Number(headers.get('ratelimit-remaining')) };
    };
    const full = (await left([{ query: '{ __typename }' }])).left;
    const { status } = await left(Array(10).fill(rows(1000)));
    expect(status).toBe(200);
    const after = (await left([{ query: '{ __typename }' }])).left;
    // Ten pages of a thousand rows, each of which costs 5 and its fields.
    expect(full - after).toBeGreaterThan(50_000);
    const refused = await post(Array(10).fill(rows(1000)), limited);
    expect([refused.status, refused.body]).toMatchObject([429, { code: 8, errors: [{}] }]);
  });

  test('is not admitted where there is no room', async () => {
    await using busy = await startTestGateway(network.url, { ADMITTED_COST: '1000', ADMISSION_WAIT_MS: '1' });
    const asked = await Promise.all(Array.from({ length: 40 }, () => post(Array(10).fill(rows(4000)), busy)));
    const statuses = new Set(asked.map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
    expect(statuses).toContain(200);
    for (const { status, body } of asked)
      if (status === 503) expect(body).toMatchObject({ code: 14, errors: [{}] });
      else expect(body).toHaveLength(10);
  });
});

function counts(times: number): string {
  return Array.from({ length: times }, (_, n) => `a${n}: accounts(first: 1) { totalCount }`).join(' ');
}
