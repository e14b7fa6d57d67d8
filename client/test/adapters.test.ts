import { readFileSync } from 'node:fs';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, type TypePolicies } from '@apollo/client';
import { createCollection } from '@tanstack/db';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { firstValueFrom, from, take, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { keys } from '../../test/clients/graphcache-keys.mjs';
import { party, startAccountNetwork } from '../../test/support/account-network.ts';
import { forAllTests } from '../../test/support/for-all-tests.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import * as apollo from '../src/adapters/apollo.ts';
import { rowsCollection } from '../src/adapters/tanstack-db.ts';
import * as urql from '../src/adapters/urql.ts';
import {
  accounts,
  balanceSeries,
  changes,
  deposits,
  type Environment,
  follow,
  marketSeries,
  partyProfiles,
  RefusedError,
  riskFactors,
  system,
} from '../src/index.ts';
import { type AnySubscription, fieldsForCache } from '../src/subscription.ts';
import * as generated from '../src/subscriptions.generated.ts';

const OWNERS = [1, 2, 3].map(party);
const subscriptions: Readonly<Record<string, AnySubscription>> = generated;
/** What no row has. */
const WRONG = { accounts: 'id nothing' };
const [CHANGED = '', NEW] = [OWNERS[1], party(9)];
const QUERY = 'query Shown { accounts(newestFirst: false) { edges { node { id owner balance } } } }';

let balance = 1_000;

const network = await forAllTests(startAccountNetwork());
await network.block(...OWNERS.map((owner) => ({ owner, balance: '1000' })));
const gateway = await forAllTests(startTestGateway(network.url));

/** Where each connection is a request, which a test sees or answers. */
const fetching = (fetch: Environment['fetch']): Environment => ({ ...system, WebSocket: null, fetch });
const EVENTS = { headers: { 'Content-Type': 'text/event-stream' } };
const eventOf = (result: unknown) => `data: ${JSON.stringify(result)}\n\n`;

interface Shown {
  readonly accounts: {
    readonly edges: readonly { readonly node: { readonly owner: string; readonly balance: string } }[];
  };
}
type Balances = Readonly<Record<string, string>>;
const balancesOf = (rows: Iterable<{ readonly owner: string; readonly balance: string }>): Balances =>
  Object.fromEntries(Array.from(rows, ({ owner, balance }) => [owner, balance]));
const shownBy = (data: Shown | null | undefined) =>
  balancesOf((data?.accounts.edges ?? []).map(({ node }) => node));

/** Changes a balance, and waits until it is shown. */
async function expectChange(shown: () => Balances, owner = CHANGED) {
  balance += 1;
  await network.block({ owner, balance: `${balance}` });
  await expect.poll(shown).toMatchObject({ [owner]: `${balance}` });
}

test('a collection of TanStack DB has the rows, and is told of each block once', async () => {
  const collection = createCollection(rowsCollection(accounts, { url: gateway.url }));
  await collection.preload();
  const told: string[][] = [];
  collection.subscribeChanges(
    (changes) => {
      told.push(changes.map(({ type, value }) => `${type} ${value.owner}`));
    },
    { includeInitialState: true },
  );
  const shown = () => balancesOf(collection.values());
  expect(Object.keys(shown()).length).toBeGreaterThanOrEqual(OWNERS.length);
  await expectChange(shown);
  const rows = [...OWNERS, NEW].map((owner) => ({ owner, balance: '77' }));
  await network.block(...rows);
  await expect.poll(shown).toMatchObject(balancesOf(rows));
  expect(told.at(-1)?.sort()).toEqual([...OWNERS.map((owner) => `update ${owner}`), `insert ${NEW}`].sort());
  await collection.cleanup();
});

test('a collection of TanStack DB that the gateway refuses is an error', async () => {
  const collection = createCollection(rowsCollection(accounts, { url: gateway.url, fields: WRONG }));
  await expect(collection.preload()).rejects.toBeInstanceOf(RefusedError);
  expect(collection.status).toBe('error');
});

test("Apollo's queries show the rows as they are, and are asked again for rows that are new", async () => {
  const link = new HttpLink({ uri: `${gateway.url}/graphql` });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  let shown: Balances = {};
  let broadcasts = 0;
  const watched = client.watchQuery<Shown>({ query: gql(QUERY) }).subscribe(({ data }) => {
    shown = shownBy(data as Shown);
    broadcasts += 1;
  });
  const followed = apollo.followInto(client, accounts, { url: gateway.url, refetch: ['Shown'] });
  await followed.ready;
  await expectChange(() => shown);
  const before = broadcasts;
  await network.block(...OWNERS.map((owner) => ({ owner, balance: '88' })));
  await expect.poll(() => shown).toMatchObject(balancesOf(OWNERS.map((owner) => ({ owner, balance: '88' }))));
  expect(broadcasts, 'one block is one change').toBe(before + 1);
  await expectChange(() => shown, party(20));
  followed.close();
  await followed.done;
  watched.unsubscribe();
  client.stop();
  await expect(
    apollo.followInto(client, accounts, { url: gateway.url, fields: WRONG }).ready,
  ).rejects.toBeInstanceOf(RefusedError);
});

test("kinds without an `id` are written where Apollo's cache is told by what to tell them apart, else refused in words", async () => {
  const body = () => {
    const block = { height: '1', timestamp: '1' };
    const rows = [{ marketId: 'm', long: '1', short: '2' }];
    const told = { block, cursor: '1', snapshot: { riskFactors: rows, lastPage: true } };
    return eventOf({ data: { riskFactors: told } });
  };
  const environment = fetching(async () => new Response(body(), EVENTS));
  const followWith = (typePolicies: TypePolicies) => {
    const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache({ typePolicies }) });
    const followed = apollo.followInto(client, riskFactors, { url: 'http://one', environment });
    return { client, followed };
  };
  await expect(followWith({}).followed.ready).rejects.toThrow("RiskFactor apart by keyFields: ['marketId']");
  const { client, followed } = followWith({ RiskFactor: { keyFields: ['marketId'] } });
  await followed.ready;
  expect(client.cache.extract()).toHaveProperty(['RiskFactor:{"marketId":"m"}', 'long'], '1');
  followed.close();
  await followed.done;
});

test('rows are written where a cache that holds the past too looks for them, by `nodeId`', async () => {
  const asked: string[] = [];
  const told = { id: 'd', nodeId: 'n', status: 'STATUS_OPEN' };
  const environment = fetching(async (_, request) => {
    asked.push(String(request?.body));
    const snapshot = { deposits: [told], lastPage: true };
    const block = { height: '1', timestamp: '1' };
    return new Response(eventOf({ data: { deposits: { block, cursor: '1', snapshot } } }), EVENTS);
  });
  const options = { url: 'http://one', environment };
  const cache = new InMemoryCache({ typePolicies: { Deposit: { keyFields: ['nodeId'] } } });
  const client = new ApolloClient({ link: ApolloLink.empty(), cache });
  const followed = apollo.followInto(client, deposits, options);
  await followed.ready;
  followed.close();
  expect(cache.extract()).toHaveProperty(['Deposit:{"nodeId":"n"}', 'status'], 'STATUS_OPEN');
  const stop = urql.followInto(
    new Client({ url: 'http://one', exchanges: [urql.followExchange], preferGetMethod: false }),
    ...([deposits, options, () => {}] as const),
  );
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2);
  stop();
  for (const body of asked) expect(body).toMatch(/updates \{ deposits \{[^}]* nodeId \}/);
  told.nodeId = undefined as never;
  const fields = { deposits: 'id status' };
  await expect(apollo.followInto(client, deposits, { ...options, fields }).ready).rejects.toThrow(
    'Deposit apart by its id, or its nodeId: have both in `fields`.',
  );
});

test('what rows link to is known to the cache by its type, and what is given to fields stays as it is', async () => {
  const fields = {
    accounts: 'id market: marketNode { id h: history(a: "){", b: { c: 1 }) { nodes { id } } }',
  };
  expect(fieldsForCache(accounts, fields)['accounts']?.replace(/ +/g, ' ')).toBe(
    'id market: marketNode { __typename id h: history(a: "){", b: { c: 1 }) { __typename nodes { __typename id } } }',
  );
  const cache = new InMemoryCache();
  const client = new ApolloClient({ link: ApolloLink.empty(), cache });
  const linked = { accounts: 'id party { id }' };
  const followed = apollo.followInto(client, accounts, { url: gateway.url, fields: linked });
  await followed.ready;
  followed.close();
  const links = Object.values(cache.extract()).map((row) => row?.['party']);
  expect(links).toContainEqual({ __ref: expect.stringMatching(/^Party:/) });
});

test('whatever rows have an `id` have a `nodeId`', () => {
  const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const lists = Object.values(subscriptions).flatMap((one) => (one.isSeries ? [] : Object.values(one.lists)));
  const missing = lists.filter(({ type, key }) => {
    const row = schema.getType(type) as GraphQLObjectType;
    return 'nodeId' in row.getFields() !== (key === 'id');
  });
  expect([missing, lists.length > 10]).toEqual([[], true]);
});

test("Apollo's queries are asked again where a new snapshot has rows that are new", async () => {
  const snapshot = (height: string, ids: readonly string[]) => ({
    data: {
      accounts: {
        ...{ block: { height, timestamp: height }, cursor: height },
        snapshot: { accounts: ids.map((id) => ({ id })), lastPage: true },
      },
    },
  });
  const forgotten = { errors: [{ message: 'Gone.', extensions: { code: 'OUT_OF_RANGE' } }] };
  const results = [
    snapshot('1', ['a']),
    forgotten,
    snapshot('2', ['a', 'b']),
    forgotten,
    snapshot('3', ['a']),
  ];
  const environment = fetching(async () => {
    const body = results.length === 0 ? new ReadableStream() : eventOf(results.shift());
    return new Response(body, EVENTS);
  });
  const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache() });
  const asked: unknown[] = [];
  client.refetchQueries = ((options: unknown) => {
    asked.push(options);
    return Promise.resolve([]);
  }) as never;
  const fields = { accounts: 'id' };
  const options = { url: 'http://one', fields, environment, refetch: ['Shown'] };
  const followed = apollo.followInto(client, accounts, options);
  await expect.poll(() => results.length).toBe(0);
  await expect.poll(() => asked).toEqual([{ include: ['Shown'] }, { include: ['Shown'] }]);
  followed.close();
  await followed.done;
});

test("urql's queries show the rows as they are, through graphcache", async () => {
  const complaints: string[] = [];
  const logger = (severity: string, message: string) => {
    if (severity !== 'debug') complaints.push(message);
  };
  const client = new Client({
    url: `${gateway.url}/graphql`,
    exchanges: [cacheExchange({ keys: keys as never, logger }), urql.followExchange, fetchExchange],
    preferGetMethod: false,
  });
  let shown: Balances = {};
  const watched = client.query<Shown>(QUERY, {}).subscribe(({ data }) => {
    shown = shownBy(data);
  });
  const errors: Error[] = [];
  const onError = (error: Error) => errors.push(error);
  const signals: (AbortSignal | null | undefined)[] = [];
  const environment = fetching((url, request) => {
    signals.push(request?.signal);
    return fetch(url, request);
  });
  const begin = () => urql.followInto(client, accounts, { url: gateway.url, environment }, onError);
  const stops = [begin(), begin()];
  await expect.poll(() => Object.keys(shown)).toEqual(expect.arrayContaining(OWNERS));
  await expectChange(() => shown);
  await expectChange(() => shown);
  const areEnded = () => signals.map((signal) => signal?.aborted);
  for (const stop of stops) {
    stop();
    await expect.poll(areEnded, { timeout: 10_000 }).toEqual([true, stop === stops[1]]);
  }
  watched.unsubscribe();
  expect([errors, complaints]).toEqual([[], []]);
  urql.followInto(client, accounts, { url: gateway.url, fields: WRONG }, onError);
  await expect.poll(() => errors).toHaveLength(1);
});

test('series have no place in a cache: the buckets of one would overwrite those of another', () => {
  const series = [
    [marketSeries, { marketId: 'm', every: 'PT1M' }],
    [balanceSeries, { every: 'PT1M' }],
  ] as const;
  for (const [subscription, options] of series)
    for (const { followInto } of [apollo, urql] as { followInto(...given: readonly unknown[]): unknown }[])
      expect(() => followInto({}, subscription, { url: gateway.url, ...options })).toThrow(
        `No query shows the rows of ${subscription.name}: keep them with rows().`,
      );
});

test('urql is not given rows that its cache does not know again', () => {
  const begin = (subscription: AnySubscription, options: object = {}) =>
    urql.followInto(
      {} as Client,
      subscription as typeof accounts,
      { url: gateway.url, ...options },
      () => {},
    );
  // @ts-expect-error: they have no id.
  expect(() => urql.followInto({} as Client, riskFactors, { url: gateway.url }, () => {})).toThrow(
    "urql's cache has riskFactors as a part of what they belong to: keep them with rows().",
  );
  expect(() => begin(partyProfiles)).toThrow('partyProfiles as a part');
  expect(() => begin(changes)).toThrow(
    'partyProfiles and riskFactors as a part of what they belong to: keep them with rows(), and name the `nouns` of changes',
  );
  expect(() => begin(changes, { nouns: ['RISK_FACTORS'] })).toThrow('riskFactors as a part');
  // It goes on to the client, which is none here.
  expect(() => begin(changes, { nouns: ['ACCOUNTS'] })).toThrow('client.subscription is not a function');
});

test('RxJS takes what is followed, and who leaves ends it', async () => {
  const following = follow(accounts, { url: gateway.url });
  const two = firstValueFrom(from(following).pipe(take(2), toArray()));
  await expect.poll(() => following.state).toBe('live');
  await network.block({ owner: CHANGED, balance: '99' });
  expect((await two).map(({ kind }) => kind)).toEqual(['snapshot', 'changes']);
  expect(following.state).toBe('ended');
  const refused = follow(accounts, { url: gateway.url, fields: WRONG });
  await expect(firstValueFrom(from(refused))).rejects.toBeInstanceOf(RefusedError);
});
