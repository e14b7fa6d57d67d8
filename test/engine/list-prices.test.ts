import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costOf, costOfEvent } from '../../src/engine/price/cost.ts';
import { schema } from '../../src/graphql/index.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { usedHeap } from '../support/heap.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { countStatements } from '../support/statements.ts';

const MOST_WAYS = 16_384;
const BLOCKS = 110;

const ids = (count: number) => Array.from({ length: count }, (_, n) => n.toString(36));
const listed = (count: number) => JSON.stringify(ids(count));
const aliases = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => `a${n}: ${text}`).join(' ');
const cost = (query: string, variableValues = {}) =>
  costOf({ schema, document: parse(query), variableValues }).cost;

describe('a value in a list costs 5', () => {
  test('in the document, in a variable, in its default and within an input object', () => {
    const plain = cost('{ trades(first: 1) { totalCount } }');
    for (const [query, variables] of [
      [`{ trades(first: 1, marketIds: ${listed(4)}) { totalCount } }`, {}],
      ['query ($i: [ID!]) { trades(first: 1, marketIds: $i) { totalCount } }', { i: ids(4) }],
      [`query ($i: [ID!] = ${listed(4)}) { trades(first: 1, marketIds: $i) { totalCount } }`, {}],
      ['query ($i: ID = "a") { trades(first: 1, marketIds: [$i, $i, $i, "b"]) { totalCount } }', {}],
      [`{ accounts(first: 1, filter: { partyIds: ${listed(4)} }) { totalCount } }`, {}],
      ['query ($i: [ID!]) { accounts(first: 1, filter: { partyIds: $i }) { totalCount } }', { i: ids(4) }],
      [
        'query ($f: AccountFilter) { accounts(first: 1, filter: $f) { totalCount } }',
        { f: { partyIds: ids(4) } },
      ],
      [
        `query ($f: AccountFilter = { partyIds: ${listed(4)} }) { accounts(first: 1, filter: $f) { totalCount } }`,
        {},
      ],
    ] as const)
      expect([query, cost(query, variables)]).toEqual([query, plain + 4 * 5]);
  });

  test('and no list, an empty one, or a value that stands for one, nothing', () => {
    const query = 'query ($i: [ID!] = ["a", "b"]) { trades(first: 1, marketIds: $i) { totalCount } }';
    const plain = cost('{ trades(first: 1) { totalCount } }');
    expect(cost(query)).toBe(plain + 2 * 5);
    for (const i of [null, [], 'a']) expect(cost(query, { i })).toBe(plain);
  });

  test('each time that its field is read: under each alias, below each row, as of each block', () => {
    const list = 'accounts(first: 0, filter: { marketIds: $i }) { totalCount }';
    const given = (text: string) =>
      cost(`query ($i: [ID!]) { ${text} }`, { i: ids(1000) }) -
      cost(`query ($i: [ID!]) { ${text} }`, { i: [] });
    expect(given(list)).toBe(5 * 1000);
    expect(given(aliases(7, list))).toBe(7 * 5 * 1000);
    expect(given(`parties(first: 30) { nodes { ${list} } }`)).toBe(30 * 5 * 1000);
    expect(given(`parties(first: 0) { nodes { ${list} } }`)).toBe(0);
    expect(given(`asOfEach(from: "1", to: "10", every: "1") { ${list} }`)).toBe(2 * 10 * 5 * 1000);
  });

  test('and once more for each series of its list, which looks into the filter again', () => {
    const series = 'series(points: 2) { buckets { close } }';
    const given = (text: string) =>
      cost(`query ($i: [ID!]) { ${text} }`, { i: ids(1000) }) -
      cost(`query ($i: [ID!]) { ${text} }`, { i: [] });
    const accounts = (below: string) => `accounts(first: 0, filter: { marketIds: $i }) { ${below} }`;
    expect(given(accounts(series))).toBe(2 * 5 * 1000);
    expect(given(accounts(aliases(7, series)))).toBe(8 * 5 * 1000);
    expect(given(accounts(`totalCount ... { ... { ${aliases(7, series)} } }`))).toBe(8 * 5 * 1000);
    expect(given(`parties(first: 30) { nodes { ${accounts(series)} } }`)).toBe(30 * 2 * 5 * 1000);
    const rewards = (below: string) => `rewards(first: 0, filter: { marketIds: $i }) { ${below} }`;
    expect(given(rewards('series { buckets { amount } }'))).toBe(2 * 5 * 1000);
    // Those of one account have no filter, and are none of the list around it.
    expect(given(accounts('nodes { series(points: 2) { close } }'))).toBe(5 * 1000);
  });

  test('once where a field has a value for each of it', () => {
    const query = 'query ($i: [ID!]!) { nodes(nodeIds: $i) { nodeId } }';
    expect(cost(query, { i: ids(50) })).toBe(50 * (100 + 8) + 50 * 5);
  });
});

describe('each combination of the values of several lists costs 5', () => {
  const both = 'first: 1, filter: { partyIds: $p, marketIds: $m }';
  const query = `query ($p: [ID!], $m: [ID!]) { accounts(${both}) { totalCount } }`;
  const plain = cost(query);

  test.each([
    [1, 1, 2],
    [1, 20, 21],
    [3, 20, 60],
    [128, 128, MOST_WAYS],
    [1000, 1000, MOST_WAYS],
    [15_000, 5000, 20_000],
    [0, 20, 20],
  ])('%i and %i as %i values', (parties, markets, values) => {
    const given = { p: ids(parties), m: ids(markets) };
    expect(cost(query, given) - plain).toBe(5 * values);
    const f = { partyIds: given.p, marketIds: given.m };
    const ofObject = 'query ($f: AccountFilter) { accounts(first: 1, filter: $f) { totalCount } }';
    expect(cost(ofObject, { f }) - plain).toBe(5 * values);
    const literal = query.replace(/^query \S+ \S+ \S+ \S+ /, '').replace('$p', listed(parties));
    expect(cost(literal.replace('$m', listed(markets))) - plain).toBe(5 * values);
  });

  test('of one field: those of several add up', () => {
    const others = `query ($p: [ID!], $m: [ID!]) {
      a: accounts(first: 1, filter: { partyIds: $p }) { totalCount } b: accounts(first: 1, filter: { marketIds: $m }) { totalCount } }`;
    expect(cost(others, { p: ids(100), m: ids(100) }) - cost(others)).toBe(5 * 200);
  });
});

test('the rows of a page cost nothing where nothing is selected that shows them', () => {
  const variables = { no: false, yes: true };
  const rowsOf = (below: string) => {
    const fragments = 'fragment Page on DepositConnection { pageInfo { hasNextPage } }';
    const ofSize = (size: number) =>
      cost(
        `query ($no: Boolean!, $yes: Boolean!) { deposits(first: ${size}) { totalCount ${below} } } ${fragments}`,
        variables,
      );
    return [below, (ofSize(1000) - ofSize(0)) / 1000];
  };
  for (const below of [
    '__typename',
    'sums(by: [ASSET]) { amount }',
    'nodes: totalCount',
    'edges @skip(if: $yes) { cursor } ... @include(if: $no) { nodes { id } }',
    '...Page @include(if: $no)',
  ])
    expect(rowsOf(below)).toEqual([below, 0]);
  for (const [below, each] of [
    ['count: nodes { id }', 5 + 2 + 1],
    ['... { ... on DepositConnection { edges @skip(if: $no) { cursor } } }', 5 + 2 + 1],
    ['...Page @include(if: $yes)', 5],
    ['...Page ...Page @skip(if: $yes)', 5],
  ])
    expect(rowsOf(String(below))).toEqual([below, each]);
});

test('a document that is known costs what its lists are long, whatever they were before', () => {
  const query =
    'query ($f: AccountFilter, $n: Int) { accounts(first: $n, filter: $f) { totalCount edges { cursor } } }';
  const document = parse(query);
  const filters = [...[5, 1, 0, 5, 300].map((n) => ({ partyIds: ids(n) })), null, undefined, {}];
  const more = Array.from({ length: 20 }, (_, n) => ({ partyIds: ids(n), marketIds: ids(20 - n) }));
  for (const f of [...filters, ...more, ...filters])
    for (const n of [1, 20])
      expect(costOf({ schema, document, variableValues: { f, n } })).toEqual(
        costOf({ schema, document: parse(query), variableValues: { f, n } }),
      );
});

test('a document that is kept holds no list that a client gave', () => {
  const document = parse('query ($i: [ID!]) { trades(first: 1, marketIds: $i) { totalCount } }');
  const before = usedHeap();
  for (let n = 0; n < 8; n++)
    costOf({ schema, document, variableValues: { i: JSON.parse(listed(100_000 + n)) } });
  expect(usedHeap() - before).toBeLessThan(8_000_000);
});

test('a page of a snapshot costs the lists of its stream, what a block changed does not', () => {
  const message = (kind: string, count: number) => {
    const rows = '{ accounts { balance } }';
    const text = `subscription ($i: [ID!]) { accounts(filter: { partyIds: $i }) { snapshot ${rows} updates ${rows} } }`;
    const of = (part: string) => [part, part === kind ? 1 : 0] as const;
    const lengths = new Map([of('snapshot'), of('updates'), ['accounts', 10] as const]);
    const variableValues = { i: ids(count) };
    return costOfEvent({ schema, document: parse(text), variableValues }, { rows: 10, lengths });
  };
  expect(message('snapshot', 100) - message('snapshot', 0)).toBe(5 * 100);
  expect(message('updates', 100)).toBe(message('updates', 0));
  expect(message('updates', 0)).toBe(message('snapshot', 0));
});

describe('over HTTP', () => {
  let database: SimulatedDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await createSimulatedDatabase({ seed: 3, blocks: BLOCKS, parties: 25, markets: 3 });
    gateway = await startTestGateway(database.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  // As many as a request has room for.
  const MANY = ids(9000);
  const PAGE = 'fragment P on AccountConnection { pageInfo { hasNextPage } }';
  const asOfEach = `asOfEach(from: "${BLOCKS - 100}", to: "${BLOCKS - 1}", every: "1")`;

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    [
      'a long list under many aliases as of many blocks',
      `query ($f: AccountFilter) { ${asOfEach} { ${aliases(50, 'accounts(filter: $f, first: 0) { ...P }')} } } ${PAGE}`,
      { f: { partyIds: MANY } },
    ],
    [
      'a long list below each row',
      'query ($i: [ID!]) { parties(first: 5000) { nodes { accounts(filter: { marketIds: $i }, first: 0) { totalCount } } } }',
      { i: MANY },
    ],
    [
      'two lists that multiply, under many aliases',
      `query ($f: AccountFilter) { ${aliases(50, 'accounts(filter: $f, first: 0) { ...P }')} } ${PAGE}`,
      { f: { partyIds: ids(128), marketIds: ids(128) } },
    ],
    [
      'two lists of the document that multiply, below a few rows',
      `{ assets(first: 20) { nodes { accounts(filter: { partyIds: ${listed(128)}, marketIds: ${listed(128)} }, first: 0) { ...P } } } } ${PAGE}`,
      {},
    ],
  ])('%s: refused before anything is read', async (_, query, variables) => {
    const statements = countStatements();
    try {
      const { status, errors } = await gateway.graphql(query, variables);
      expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
      expect(errors?.[0]?.message).toMatch(
        /^The operation can cost \d+,.* the most is 1000000\..* a value that is given in a list 5\..*shorter lists/,
      );
      expect(statements.texts.filter((text) => text.includes('accounts'))).toEqual([]);
    } finally {
      statements.stop();
    }
  });

  test('what clients ask is answered: a long list once, short ones together, a list below rows', async () => {
    const { data } = await gateway.graphql(
      '{ accounts(first: 20) { totalCount nodes { id owner marketId } } parties { nodes { id } } markets { nodes { id } } }',
    );
    const parties = data.parties.nodes.map(({ id }: { id: string }) => id);
    const markets = data.markets.nodes.map(({ id }: { id: string }) => id);
    const long = await gateway.graphql(
      'query ($i: [ID!]) { accounts(first: 20, filter: { partyIds: $i }) { nodes { id owner marketId } } }',
      { i: [...MANY, ...data.accounts.nodes.map(({ owner }: { owner: string }) => owner)] },
    );
    expect(long.errors).toBeUndefined();
    expect(long.data.accounts.nodes.length).toBeGreaterThan(0);
    const short = await gateway.graphql(
      `query ($p: [ID!], $m: [ID!]) { accounts(first: 20, filter: { partyIds: $p, marketIds: $m, accountTypes: [ACCOUNT_TYPE_MARGIN, ACCOUNT_TYPE_BOND] }) { nodes { marketId } } }`,
      { p: parties, m: markets },
    );
    expect(short.errors).toBeUndefined();
    for (const { marketId } of short.data.accounts.nodes) expect(markets).toContain(marketId);
    const below = await gateway.graphql(
      `query ($m: [ID!]) { parties(first: 1000) { nodes { accounts(first: 5, filter: { marketIds: $m }) { totalCount nodes { marketId } } } } }`,
      { m: markets },
    );
    expect(below.errors).toBeUndefined();
  });
});
