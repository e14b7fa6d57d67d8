import fc from 'fast-check';
import { initGraphQLTada } from 'gql.tada';
import { parse as parseDocument } from 'graphql';
import { expect, test } from 'vitest';
import type { introspection } from '../../src/rest/schema.generated.d.ts';
import { randomOperations } from '../../test/engine/random-operations.ts';
import { LISTS, readTables, tablesOf } from '../../test/graphql/simulated-lists.ts';
import { forAllTests } from '../../test/support/for-all-tests.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { textOf } from '../src/document.ts';
import { accounts, type Environment, follow, pages, query, RefusedError, system } from '../src/index.ts';
import { VirtualClock } from './virtual-clock.ts';

const BLOCKS = 60;
const TABLES = LISTS.flatMap(tablesOf);
const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { ID: string; Uint64: string; Integer: string };
}>();

const network = await forAllTests(
  createSimulatedDatabase({ seed: 3, blocks: BLOCKS, parties: 30, markets: 3 }),
);
const gateway = await forAllTests(startTestGateway(network.url));

const Assets = graphql(
  `query Assets($first: Int!) { assets(first: $first) { edges { node { id symbol decimals } } } }`,
);

const Accounts = graphql(`
  query Accounts($height: Uint64!, $after: String) {
    asOf(height: $height) {
      accounts(first: 7, after: $after, newestFirst: false) {
        edges { node { id balance } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

test('an answer has the types of its document, and variables are those of it', async () => {
  const { assets } = await query(Assets, { url: gateway.url, variables: { first: 2 } });
  const decimals: readonly number[] = assets.edges.map(({ node }) => node.decimals);
  expect(decimals).toHaveLength(2);
  // @ts-expect-error: `first` has to be given.
  await expect(query(Assets, { url: gateway.url })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  // A document that another parser made, with fragments, and plain text.
  const text = 'query { ...Root } fragment Root on Query { block { height } }';
  const answers = await Promise.all(
    [text, parseDocument(text)].map((one) => query(one, { url: gateway.url })),
  );
  expect(answers).toEqual(Array(2).fill({ block: { height: `${BLOCKS}` } }));
});

test('a document is sent as the text that it was made of', async () => {
  const tables = await readTables(network, TABLES);
  fc.assert(
    fc.property(randomOperations(tables), ({ text }) => {
      const read = (one: string) => parseDocument(one, { noLocation: true });
      expect(read(textOf(read(text)))).toEqual(read(text));
    }),
  );
  const rare = `query Q($a: [Int!]! = [1, -2] @d, $b: I = {a: null, b: "\\"\\n\\u0007", c: E, d: 1.5e3}) @d(a: $a) {
    x: a(b: """block "text" """, c: true) @include(if: $b) { ... on T @d { a } ...F @d ... { b } } }
    fragment F on T @d { a }`;
  const read = (one: string) => JSON.parse(JSON.stringify(parseDocument(one, { noLocation: true })));
  const isBlock = (key: string, value: unknown) => (key === 'block' ? false : value);
  expect(JSON.stringify(read(textOf(read(rare))), isBlock)).toBe(JSON.stringify(read(rare), isBlock));
});

test('what is refused is thrown in the words of the gateway, at once', async () => {
  const text = `{ asOf(height: "${BLOCKS + 1000}") { block { height } } }`;
  const asked = query(text, { url: gateway.url, timeoutMs: 60_000 });
  await expect(asked).rejects.toBeInstanceOf(RefusedError);
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining(`${BLOCKS}`) });
});

test('what is too large to be asked is refused in the words of the gateway, at once', async () => {
  const partyIds = Array.from({ length: 1_200 }, (_, n) => `${n}`.padStart(64, '0'));
  const options = { url: gateway.url, silenceMs: 5_000 };
  for (const asked of [
    query('query ($partyIds: [ID!]) { block { height } }', { ...options, variables: { partyIds } }),
    follow(accounts, { ...options, filter: { partyIds } }).next(),
  ])
    await expect(asked).rejects.toMatchObject({
      ...{ name: 'RefusedError', code: 'INVALID_ARGUMENT' },
      message: expect.stringMatching(/^The request body is larger than \d+ bytes\.$/),
    });
});

test('pages walk a list as of a block: every row once, while blocks come in', async () => {
  const told: string[] = [];
  const wanted = await query(
    `{ asOf(height: "${BLOCKS}") { accounts(first: 5000, newestFirst: false) { edges { node { id balance } } } } }`,
    { url: gateway.url },
  );
  for await (const { edges } of pages(
    Accounts,
    { url: gateway.url, variables: { height: `${BLOCKS}` } },
    ({ asOf }) => asOf?.accounts as NonNullable<typeof asOf>['accounts'],
  )) {
    told.push(...edges.map(({ node }) => `${node.id} ${node.balance}`));
    if (told.length === 7) await network.advanceTo(BLOCKS + 5);
  }
  const { edges } = (wanted as { asOf: { accounts: { edges: { node: { id: string; balance: string } }[] } } })
    .asOf.accounts;
  expect(told).toEqual(edges.map(({ node }) => `${node.id} ${node.balance}`));
  expect(told.length).toBeGreaterThan(50);
});

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const refusal = (code: string, details: readonly object[] = []) =>
  json({ errors: [{ message: code, extensions: { code, details } }] }, 503);

/** Gateways that answer so, one after another, and when they were asked. */
function answering(...answers: (() => Response | Promise<Response>)[]) {
  const clock = new VirtualClock();
  const begin = clock.now;
  const asked: [string, number][] = [];
  const environment: Environment = {
    ...system,
    now: () => clock.now,
    after: (ms, call) => clock.after(ms, call),
    random: () => 1,
    fetch: async (url, init) => {
      asked.push([String(url), clock.now - begin]);
      const answer = answers.shift();
      if (answer !== undefined) return answer();
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    },
  };
  const run = async <Data>(promise: Promise<Data>) => {
    const settled = promise.then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    );
    let isOver = false;
    void settled.then(() => {
      isOver = true;
    });
    for (let turn = 0; turn < 200 && !isOver; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isOver) await clock.step();
    }
    return settled;
  };
  return { asked, environment, run };
}

test('what passes is asked again at the next address, never sooner than the gateway says', async () => {
  const { asked, environment, run } = answering(
    () => Promise.reject(new Error('refused')),
    () => refusal('UNAVAILABLE'),
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    () => refusal('RESOURCE_EXHAUSTED', [{ '@type': 'RetryInfo', retryDelay: '2s' }]),
    () => json({ data: { a: 1 } }),
  );
  const answer = await run(query('{ a }', { url: ['http://one', 'http://two'], environment }));
  expect(answer).toEqual({ data: { a: 1 } });
  expect(asked).toEqual([
    ['http://one/graphql', 0],
    ['http://two/graphql', 50],
    ['http://one/graphql', 150],
    ['http://two/graphql', 350],
    ['http://one/graphql', 2_750],
  ]);
});

test('a documented error that is none of GraphQL is what it says, but for a request that was late', async () => {
  const { asked, environment, run } = answering(
    () => json({ code: 8, message: 'No room.', details: [{ retryDelay: '2s' }] }, 429),
    () => json({ code: 3, message: 'The request did not arrive in time.', details: [] }, 408),
    () => json({ code: 502, message: "A proxy's own." }, 502),
    () => json({ code: 12, message: 'Not so.', details: [] }, 405),
  );
  const answer = await run(query('{ a }', { url: 'http://one', environment }));
  expect(answer).toMatchObject({ error: { code: 'UNIMPLEMENTED', message: 'Not so.' } });
  expect(asked.map(([, at]) => at)).toEqual([0, 2_050, 2_150, 2_350]);
});

test('it is asked no more often than said, for no longer than said, and not at all once it is not wanted', async () => {
  const often = answering(...Array(9).fill(() => refusal('UNAVAILABLE')));
  const url = 'http://one';
  expect(await often.run(query('{ a }', { url, attempts: 3, environment: often.environment }))).toMatchObject(
    {
      error: { name: 'RefusedError', code: 'UNAVAILABLE' },
    },
  );
  expect(often.asked).toHaveLength(3);
  const silent = answering();
  expect(
    await silent.run(query('{ a }', { url, timeoutMs: 700, environment: silent.environment })),
  ).toMatchObject({
    error: { name: 'RefusedError', code: 'DEADLINE_EXCEEDED', message: 'There was no answer within 700 ms.' },
  });
  const late = answering(() => refusal('RESOURCE_EXHAUSTED', [{ retryDelay: '60s' }]));
  const begin = late.environment.now();
  expect(
    await late.run(query('{ a }', { url, timeoutMs: 700, environment: late.environment })),
    'with the reason, as there is no time to ask again',
  ).toMatchObject({ error: { code: 'RESOURCE_EXHAUSTED', message: 'RESOURCE_EXHAUSTED' } });
  expect([late.asked.length, late.environment.now() - begin]).toEqual([1, 0]);
  const aborter = new AbortController();
  const aborted = answering(async () => {
    aborter.abort(new Error('not wanted'));
    return refusal('UNAVAILABLE');
  });
  const { signal } = aborter;
  expect(await aborted.run(query('{ a }', { url, signal, environment: aborted.environment }))).toMatchObject({
    error: { message: 'not wanted' },
  });
  expect(aborted.asked).toHaveLength(1);
});

test('pages that lead nowhere end', async () => {
  const page = { edges: [], pageInfo: { hasNextPage: true, endCursor: 'c' } };
  const { environment } = answering(...Array(5).fill(() => json({ data: { list: page } })));
  const walk = pages('{ a }', { url: 'http://one', environment }, (data: { list: typeof page }) => data.list);
  await walk.next();
  await walk.next();
  await expect(walk.next()).rejects.toThrow('lead nowhere');
});

test('pages are taken of a document that asks for nodes alone', async () => {
  const Assets = graphql(
    `query Assets($after: String) { assets(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
  );
  const told: string[] = [];
  for await (const { nodes } of pages(Assets, { url: gateway.url }, ({ assets }) => assets))
    told.push(...nodes.map(({ id }) => id));
  expect(told.length).toBeGreaterThan(0);
});
