import { readFileSync } from 'node:fs';
import {
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  getIntrospectionQuery,
  isCompositeType,
  isObjectType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { costOf } from '../../src/engine/price/cost.ts';
import { costs, declaredCost, OPERATION_LIMITS } from '../../src/graphql/costs.ts';
import { schema } from '../../src/graphql/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { usedHeap } from '../support/heap.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { countStatements } from '../support/statements.ts';

const gateway = await forAllTests(startOwnGateway());

const repeat = (times: number, text: (n: number) => string) =>
  Array.from({ length: times }, (_, n) => text(n)).join(' ');
const deep = (levels: number, open: string) => `{${open.repeat(levels)} __typename ${'}'.repeat(levels)}}`;
const INTROSPECTION = getIntrospectionQuery();
const FULL_TYPE = INTROSPECTION.slice(INTROSPECTION.indexOf('fragment FullType'));
const REWARDS = '{ rewards(first: 3) { edges { node { amount } } } }';
const NODE_IDS = Array.from({ length: 1000 }, (_, n) => btoa(`Party:${n}`));
const PARTY = 'party { accounts(first: 5000) { edges { node {';

/** Every field of a type that takes no page: its scalars, the lists within its rows and what those have. */
function everyField(typeName: string, links: string): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object`);
  const own = Object.values(type.getFields()).map((field) => {
    const named = schema.getType(String(field.type).replace(/[![\]]/g, ''));
    if (!isCompositeType(named)) return field.name;
    const isPart = isObjectType(named) && named.getInterfaces().length === 0 && field.args.length === 0;
    return isPart ? `${field.name} { ${everyField(named.name, '')} }` : '';
  });
  return `${own.join(' ')} ${links}`;
}

type Fields = (type: keyof typeof FIELDS_OF_071) => string;

const accountsWith = (
  rows: number,
  fields: Fields,
) => `{ accounts(first: ${rows}) { totalCount edges { cursor node {
  ${fields('Account')} party { ${fields('Party')} } assetNode { ${fields('Asset')} } market { ${fields('Market')} }
} } } }`;
const marketDataWith = (
  rows: number,
  fields: Fields,
) => `{ markets(first: ${rows}) { edges { node { marketData {
  ${fields('MarketData')} marketNode { ${fields('Market')} }
} } } } }`;

/** Every field that types had before those of release 0.72 and newer: what was let through is let through. */
const FIELDS_OF_071 = {
  Account: 'asset balance id marketId nodeId owner type',
  Party: 'id nodeId',
  Asset: `contractAddress decimals id lifetimeLimit maxFaucetAmount name nodeId quantum status symbol
    withdrawThreshold`,
  Market: `closeTimestamp collateralRelease decimalPlaces id infrastructureFee initialMargin instrumentCode instrumentId
    instrumentName linearSlippageFactor liquidityFee lpPriceRange makerFee nodeId openTimestamp pendingTimestamp
    positionDecimalPlaces proposedTimestamp quadraticSlippageFactor quoteName riskFactor { long short } searchLevel
    settlementAsset state tags tradingMode`,
  MarketData: `auctionEnd auctionStart bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume bestStaticBidPrice
    bestStaticBidVolume bestStaticOfferPrice bestStaticOfferVolume extensionTrigger id indicativePrice indicativeVolume
    lastTradedPrice liquidityProviderFeeShare { averageEntryValuation averageScore equityLikeShare party } markPrice market
    marketState marketTradingMode marketValueProxy midPrice nextMarkToMarket nodeId openInterest
    priceMonitoringBounds { maxValidPrice minValidPrice referencePrice trigger { auctionExtension horizon probability } }
    staticMidPrice suppliedStake targetStake timestamp trigger`,
};
const of071: Fields = (type) => FIELDS_OF_071[type];
const ofAll: Fields = (type) => everyField(type, '');

const REFUSED: readonly (readonly [string, string, string, object])[] = [
  ['a deep document', deep(5000, 'a {'), '1000 tokens', {}],
  [
    'a deep list value',
    `{ deposits(partyId: ${'['.repeat(3000)}${']'.repeat(3000)}) { totalCount } }`,
    'tokens',
    {},
  ],
  ['thousands of aliases', `{ ${repeat(1500, (n) => `a${n}: __typename`)} }`, 'tokens', {}],
  ['pages below pages', `{ accounts { edges { node { ${PARTY} balance } } } } } } } }`, '1000000', {}],
  [
    'pages below pages by default',
    '{ deposits { edges { node { assetNode { deposits { edges { node { id } } } } } } } }',
    '1000000',
    {},
  ],
  [
    'pages of which nothing is selected',
    '{ accounts { edges { node { party { rewards { pageInfo { hasNextPage } } } } } } }',
    '1000000',
    {},
  ],
  [
    'fragments that multiply',
    `{ accounts(first: 5) { ...f0 } } ${repeat(40, (n) => `fragment f${n} on AccountConnection { ${`...f${n + 1} `.repeat(3)} }`)}
     fragment f40 on AccountConnection { edges { node { balance } } }`,
    'countless',
    {},
  ],
  ...[
    [1, 5000],
    [5000, 1],
  ].map(
    ([one, other]) =>
      [
        `a fragment under a page of ${one}, then of ${other}`,
        `{ a: accounts(first: ${one}) { ...F } b: accounts(first: ${other}) { ...F } }
         fragment F on AccountConnection { edges { node { ${repeat(200, (n) => `a${n}: asset`)} } } }`,
        '1000000',
        {},
      ] as const,
  ),
  [
    'a document padded with comments',
    `{ block { height } } ${'#\n'.repeat(17_000)}`,
    'The document has 34021 characters; the most is 32768.',
    {},
  ],
  [
    'a document padded with spaces',
    `{ block { height } } ${' '.repeat(OPERATION_LIMITS.length)}`,
    'The document has 32789 characters; the most is 32768.',
    {},
  ],
  [
    'fields that fragments multiply',
    `query ($i: [ID!]!) { ${repeat(2, (n) => `n${n}: nodes(nodeIds: $i) { ...F }`)} }
     fragment F on Party { accounts(first: 30) { edges { node { ...L } } } }
     fragment L on Account { ${repeat(280, (n) => `a${n}: asset`)} }`,
    '1000000',
    { i: NODE_IDS },
  ],
  [
    'links under many aliases',
    `{ accounts(first: 5000) { edges { node { ${repeat(60, (n) => `a${n}: party { id }`)} } } } }`,
    '1000000',
    {},
  ],
  [
    'lists within rows under many aliases',
    `{ markets(first: 5000) { edges { node { marketData {
       ${repeat(20, (n) => `a${n}: priceMonitoringBounds { trigger { horizon } } b${n}: liquidityProviderFeeShare { party }`)}
     } } } } }`,
    '1000000',
    {},
  ],
  [
    'objects by id, many times over',
    `query ($i: [ID!]!) { ${repeat(20, (n) => `n${n}: nodes(nodeIds: $i) { nodeId }`)} }`,
    'nodes',
    { i: NODE_IDS },
  ],
  [
    'introspection, many times over',
    `{ ${repeat(10, (n) => `s${n}: __schema { types { ...FullType } }`)} } ${FULL_TYPE}`,
    String(OPERATION_LIMITS.introspection),
    {},
  ],
  [
    'the descriptions of all types, many times over',
    `{ ${repeat(5, (n) => `s${n}: __schema { types { ...Words } }`)} }
     fragment Words on __Type { ${repeat(150, (n) => `a${n}: ${n % 2 === 0 ? 'description' : '__typename'}`)} }`,
    String(OPERATION_LIMITS.introspection),
    {},
  ],
  [
    'introspection of one type, many times over',
    `{ ${repeat(10, (n) => `t${n}: __type(name: "MarketData") { ...T }`)} }
     fragment T on __Type { ${repeat(30, (n) => `f${n}: fields { ...F }`)} }
     fragment F on __Field { ${repeat(200, (n) => `a${n}: description`)} }`,
    '1000000',
    {},
  ],
  [
    'many counts',
    `{ ${repeat(45, (n) => `a${n}: votes(first: 1) { totalCount }`)} }`,
    'totalCount 45 times',
    {},
  ],
  [
    'counts that fragments multiply',
    `{ ${repeat(5, (n) => `a${n}: assets(first: 1) { edges { node { ...A } } }`)} }
     fragment A on Asset { ${repeat(5, (n) => `d${n}: deposits(first: 1) { totalCount }`)} }`,
    'totalCount 25 times',
    {},
  ],
];

describe('operations that would cost too much are refused, never with a 500', () => {
  test.each(REFUSED)('%s', async (_, query, told, variables) => {
    const { status, errors } = await gateway.graphql(query, { ...variables });
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(errors?.[0]?.message).toContain(told);
  });

  test.each(REFUSED)('%s, over a WebSocket', async (_, query, told, variables) => {
    await using socket = await openGraphqlWs(gateway.url, query, { ...variables });
    const { errors } = await socket.next();
    expect(errors[0].extensions.code).toBe('INVALID_ARGUMENT');
    expect(errors[0].message).toContain(told);
  });

  test('with the query as the field at fault, and what to do', async () => {
    const { errors } = await gateway.graphql(
      '{ markets { edges { node { accounts { edges { cursor } } } } } }',
    );
    const description = errors?.[0]?.message;
    expect(description).toMatch(
      /^The operation can cost \d+, .* the most is 1000000\. .* Ask for smaller pages/,
    );
    expect(errors?.[0]?.extensions.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'query', description }],
      },
    ]);
  });

  test('whether a size stands in the document, in a variable or in its default', async () => {
    const list =
      'votes(first: $n) { edges { node { proposal { votes(first: $n) { edges { node { value } } } } } } }';
    const whole = (first: number) => 40 + first * (5 + 2 + 10 + 40 + first * (5 + 2 + 1));
    const told = async (query: string, variables = {}) =>
      (await gateway.graphql(query, variables)).errors?.[0]?.message;
    expect(await told(`query ($n: Int) { ${list} }`, { n: 5000 })).toContain(`cost ${whole(5000)},`);
    expect(await told(`query ($n: Int = 4000) { ${list} }`)).toContain(`cost ${whole(4000)},`);
    expect(await told(`{ ${list.replaceAll('$n', '3000')} }`)).toContain(`cost ${whole(3000)},`);
    expect(await told(`query ($n: Int) { ${list} }`)).toContain(`cost ${whole(1000)},`);
    expect(await told(`query ($n: Int = 5000) { ${list} }`, { n: null })).toContain(`cost ${whole(1000)},`);
    expect(await told(`query ($n: Int = 5000) { ${list} }`, { n: 300 })).toBeUndefined();
  });
});

const LINKS: Readonly<Record<string, string>> = {
  marketData: 'marketNode',
  riskFactors: 'market',
  trades: 'buyerNode',
};

/** The subscriptions whose messages are whole, and the lists in them. */
const READ_WHOLE = ['accountSums', 'depositSums', 'rewardSums', 'proposalTally'];

describe('subscriptions', () => {
  const subscription = schema.getSubscriptionType()?.getFields() ?? {};
  const followed = Object.keys(subscription).filter(
    (name) => !['blocks', 'changes', 'marketSeries', 'balanceSeries', ...READ_WHOLE].includes(name),
  );

  test('every one is tested', () => {
    const nouns = ['accounts', 'assets', 'deposits', 'marginLevels', 'marketData', 'markets', 'parties'];
    expect(followed.sort()).toEqual([
      ...nouns,
      'partyProfiles',
      'proposals',
      'rewards',
      'riskFactors',
      'trades',
      'votes',
    ]);
  });

  describe.each(followed)('%s', (name) => {
    // What has rewards of its own, or an object that its rows link to.
    const link = ['assets', 'markets', 'parties'].includes(name) ? '' : (LINKS[name] ?? 'party');
    const linked = (below: string) => (link === '' ? below : `${link} { ${below} }`);
    const dear = linked(
      'rewards(first: 190) { edges { node { asset { rewards { edges { node { epoch } } } } } } }',
    );
    const less = linked('rewards(first: 190) { edges { node { epoch } } }');

    test.each(['snapshot', 'updates'])('counts the rows of its %s', async (part) => {
      const query = (below: string) => `subscription { ${name} { cursor ${part} { ${name} { ${below} } } } }`;
      for (const below of [dear, less]) {
        await using socket = await openGraphqlWs(gateway.url, query(below));
        expect((await socket.next()).errors[0].message).toContain('1000000');
        const { status, errors } = await gateway.graphql(query(below));
        expect([status, errors?.[0]?.message]).toEqual([400, expect.stringContaining('1000000')]);
      }
    });

    test('lets every field of its rows through', async () => {
      const type = String(schema.getType(`${name[0]?.toUpperCase()}${name.slice(1)}Snapshot`));
      const rows = schema.getType(type);
      const row = isObjectType(rows) ? String(rows.getFields()[name]?.type).replace(/[![\]]/g, '') : '';
      const of = `${name} { ${everyField(row, linked('nodeId'))} }`;
      await using socket = await openGraphqlWs(
        gateway.url,
        `subscription { ${name} { block { height } cursor snapshot { ${of} lastPage } updates { ${of} } } }`,
      );
      expect((await socket.next()).errors).toBeUndefined();
    });
  });
});

test.each(['accountSums', 'depositSums', 'rewardSums'])('counts the groups of %s', async (name) => {
  const query = (party: string) =>
    `subscription { ${name}(by: [ASSET, PARTY]) { cursor sums { amount count key { assetId party { ${party} } } } } }`;
  const refused = await gateway.graphql(query('rewards(first: 2000) { edges { node { epoch } } }'));
  expect([refused.status, refused.errors?.[0]?.message]).toEqual([400, expect.stringContaining('1000000')]);
  await using socket = await openGraphqlWs(gateway.url, query('id'));
  expect((await socket.next()).errors).toBeUndefined();
});

describe('what people ask is let through', () => {
  test.each([
    ['the introspection of tools', INTROSPECTION],
    [
      'the introspection of tools, with all that it can tell',
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ],
    [
      'a document of as many characters as there may be',
      '{ block { height } }'.padEnd(OPERATION_LIMITS.length),
    ],
    ['5000 accounts with every field and link that release 0.71 has', accountsWith(5000, of071)],
    ['5000 market data with every field and link that release 0.71 has', marketDataWith(5000, of071)],
    ['2000 accounts with every field and link', accountsWith(2000, ofAll)],
    ['2000 market data with every field and link', marketDataWith(2000, ofAll)],
    [
      'a page with its count and links',
      '{ deposits(first: 5000) { totalCount edges { node { id party { id } assetNode { id } } } } }',
    ],
    [
      'a count of every list, and of one below every row',
      `{ ${['accounts', 'assets', 'deposits', 'markets', 'proposals', 'rewards', 'votes'].map((list) => `${list}(first: 1) { totalCount }`).join(' ')}
         each: markets(first: 5000) { edges { node { marginLevels(first: 1) { totalCount } } } } }`,
    ],
  ])('%s', async (_, query) => {
    expect((await gateway.graphql(query)).errors).toBeUndefined();
  });
});

test('a document costs what its variables ask for, whatever they asked for before', () => {
  const query =
    'query Q($n: Int, $ids: [ID!]!) { deposits(first: $n) { edges { cursor } } nodes(nodeIds: $ids) { id } }';
  const document = parse(query);
  const sizes = [1, 5000, undefined, 1, 20, ...Array.from({ length: 20 }, (_, index) => index + 1), 5000];
  for (const [index, n] of sizes.entries()) {
    const variableValues = { n, ids: Array.from({ length: index % 3 }, String) };
    expect(costOf({ schema, document, variableValues })).toEqual(
      costOf({ schema, document: parse(query), variableValues }),
    );
  }
});

test.each([
  ['object', () => Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`f${index}`, index]))],
  ['long text', (index: number) => `${index}`.repeat(2_000_000)],
])('a document that is kept holds no %s that a client gave as a size', (_, make) => {
  const document = parse('query ($n: Int) { deposits(first: $n) { edges { cursor } } }');
  const before = usedHeap();
  for (let index = 0; index < 8; index++)
    costOf({ schema, document, variableValues: { n: JSON.parse(JSON.stringify(make(index))) } });
  expect(usedHeap() - before).toBeLessThan(8_000_000);
  expect(costOf({ schema, document, variableValues: { n: 1 } }).cost).toBeGreaterThan(0);
});

test('a variable that is not given is not what every object has under its name', () => {
  for (const name of ['toString', 'constructor', '__proto__', 'valueOf', 'size'])
    expect(
      costOf({
        schema,
        document: parse(`query ($${name}: Int = 5000) { parties(first: $${name}) { nodes { id } } }`),
        variableValues: {},
      }).cost,
    ).toBeGreaterThan(5000);
});

test('a document costs what all of its sizes ask for together', () => {
  const query =
    'query Q($n: Int, $m: Int) { deposits(first: $n) { edges { cursor } } votes(first: $m) { edges { cursor } } }';
  const document = parse(query);
  const sizes = [1, 2, 5000, undefined];
  for (const variableValues of sizes.flatMap((n) => sizes.map((m) => ({ n, m })))) {
    const anew = costOf({ schema, document: parse(query), variableValues });
    for (let again = 0; again < 2; again++)
      expect(costOf({ schema, document, variableValues })).toEqual(anew);
  }
});

test.each([
  ['a page', 'query ($n: Int) { deposits(first: $n) { edges { cursor } } }'],
  ['sums', 'query ($n: Int) { deposits { sums(by: [ASSET], first: $n) { amount } } }'],
  ['results', 'query ($n: Int) { search(text: "a", first: $n) { kind } }'],
  ['the width of a series', 'query ($n: String) { markets { nodes { series(every: $n) { start } } } }'],
  [
    'a page followed',
    'subscription ($n: Int) { accounts { cursor updates { accounts { party { deposits(first: $n) { totalCount } } } } } }',
  ],
])('a size that is made no number is refused in its own words: %s', async (_, query) => {
  const odd = { toString: 1, valueOf: 1 };
  for (const n of [odd, [odd], [[odd]]]) {
    const { status, errors } = await gateway.graphql(query, { n });
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(errors?.[0]?.extensions.details).toMatchObject([{ fieldViolations: [{ field: 'n' }] }]);
  }
});

test('a list is counted as often as the schema can make it', () => {
  const cost = (query: string) => costOf({ schema, document: parse(query) }).cost;
  expect(cost('{ accounts(first: 7) { edges { node { balance type } } } }')).toBe(40 + 7 * (5 + 2 + 1 + 1));
  expect(cost('{ __typename }')).toBe(1);
  expect(cost('{ markets(last: 2) { edges { node { tags } } } }')).toBe(40 + 2 * (5 + 2 + 5));
  expect(cost('{ node(nodeId: "x") { nodeId } }')).toBe(10 + 8);
  expect(cost('subscription { votes { updates { votes { value } } } }')).toBe(2 + 2 + 1000 * (5 + 1));
  expect(cost('{ __schema { types { name } } }')).toBe(Object.keys(schema.getTypeMap()).length);
});

test('what a directive leaves out costs nothing, whether a variable, its default or the document says so', () => {
  const cost = (query: string, variableValues = {}) =>
    costOf({ schema, document: parse(query), variableValues }).cost;
  const page = 'assets(first: 9) { edges { node { id } } }';
  const both = (directive: string) => `{ block { height } ... ${directive} { ${page} } }`;
  const whole = cost(both(''));
  const without = cost('{ block { height } }');
  expect(whole).toBeGreaterThan(without);
  const given = 'query($on: Boolean = true)';
  for (const [query, variables, expected] of [
    [both('@include(if: false)'), {}, without],
    [both('@skip(if: true)'), {}, without],
    [both('@include(if: true) @skip(if: false)'), {}, whole],
    [both('@include(if: true) @skip(if: true)'), {}, without],
    [`${given} ${both('@include(if: $on)')}`, {}, whole],
    [`${given} ${both('@include(if: $on)')}`, { on: false }, without],
    [`${given} ${both('@skip(if: $on)')}`, {}, without],
    [`${given} ${both('@skip(if: $on)')}`, { on: false }, whole],
  ] as const)
    expect([query, cost(query, variables)]).toEqual([query, expected]);
  const document = parse(`query($on: Boolean!) ${both('@include(if: $on)')}`);
  const again = [true, false, true].map((on) => costOf({ schema, document, variableValues: { on } }).cost);
  expect(again).toEqual([whole, without, whole]);
});

test('what stands below the keys of series of rewards is priced for as many series as there may be, however few epochs they have', () => {
  const cost = (below: string) =>
    costOf({
      schema,
      document: parse(
        `{ rewards(first: 0) { series(fromEpoch: "9", toEpoch: "9") { key { party { ${below} } } } } }`,
      ),
    }).cost;
  const page = 'trades(first: 500) { nodes { price } }';
  const alone = costOf({ schema, document: parse(`{ party(id: "a") { ${page} } }`) }).cost;
  expect(cost(`id ${page}`) - cost('id')).toBeGreaterThan(99 * (alone - 100));
});

test('a fragment is counted for the page that it stands under, whichever is counted first', () => {
  const pages = (...sizes: readonly number[]) =>
    sizes.map((size, n) => `a${n}: accounts(first: ${size}) { ...Rows }`).join(' ');
  const cost = (query: string) => costOf({ schema, document: parse(query) }).cost;
  for (const rows of [
    'fragment Rows on AccountConnection { edges { node { balance } } }',
    'fragment Rows on AccountConnection { ... { ...Inner } } fragment Inner on AccountConnection { edges { node { balance } } }',
  ]) {
    const whole = 40 + 1 * (5 + 2 + 1) + (40 + 5000 * (5 + 2 + 1));
    expect(cost(`{ ${pages(1, 5000)} } ${rows}`)).toBe(whole);
    expect(cost(`{ ${pages(5000, 1)} } ${rows}`)).toBe(whole);
  }
});

test.each([
  ['a linked object', '{ market(id: "m") { riskFactor { short } } }', 10 + 10 + 1],
  [
    'an object within a row',
    '{ marketData(marketId: "m") { priceMonitoringBounds { trigger { horizon } } } }',
    10 + 5 * (2 + 2 + 1),
  ],
  ['the block', '{ block { height } }', 10 + 1],
  ['each of nodes', '{ nodes(nodeIds: ["a", "b"]) { nodeId } }', 2 * (100 + 8) + 2 * 5],
  ['a node of one type', '{ node(nodeId: "a") { ... on Vote { value party { id } } } }', 10 + 1 + 10 + 1],
  [
    'a page',
    '{ votes(first: 3) { totalCount pageInfo { endCursor } edges { cursor } } }',
    40 + 3 * 5 + 10 + (2 + 1) + 3 * (2 + 1),
  ],
  [
    'an id that is the global one',
    '{ node(nodeId: "a") { ... on Vote { id } ... on Asset { id } } }',
    10 + 8 + 1,
  ],
  ['a page of no rows', '{ votes(first: 0) { totalCount edges { node { nodeId } } } }', 40 + 10],
  [
    'a list below a row',
    '{ party(id: "p") { votes(last: 2) { edges { node { nodeId } } } } }',
    10 + 40 + 2 * (5 + 2 + 8),
  ],
  [
    'a page of the snapshot',
    'subscription { accounts { block { height } snapshot { accounts { balance } lastPage } } }',
    2 + (2 + 1) + (2 + 1000 * (5 + 1) + 1),
  ],
  [
    'each order that an estimate is asked with',
    '{ estimatePosition(marketId: "m", openVolume: "1", orders: [{}, {}, {}]) { margin { bestCase { initialMargin } } } }',
    2 + 3 * 5 + 2 + 2 + 1 + 3 * 5,
  ],
  ['an estimate', '{ estimateFee(marketId: "m", price: "1", size: "1") { makerFee } }', 2 + 1],
  [
    'introspection of a type',
    '{ __type(name: "Vote") { fields { args { name } } interfaces { name } } }',
    10 * (5 + 1),
  ],
])('%s costs what is declared of it', (_, query, cost) => {
  expect(costOf({ schema, document: parse(query) }).cost).toBe(cost);
});

test('the names of types and fields mean nothing to the cost: only what is declared does', () => {
  const plain = new GraphQLObjectType({
    name: 'Connection',
    fields: {
      edges: { type: new GraphQLList(GraphQLInt) },
      totalCount: { type: GraphQLInt },
      nodeId: { type: GraphQLInt },
    },
  });
  const dear = new GraphQLObjectType({
    name: 'Thing',
    ...costs({ each: 300 }),
    fields: { part: { type: GraphQLInt, ...costs({ each: 7, values: 'rows', counts: 2 }) } },
  });
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      votesConnection: { type: plain },
      thing: { type: dear },
      pageOfThings: { type: dear, ...costs({ each: 4, values: 3, page: { rows: () => 10, row: 2 } }) },
    },
  });
  const cost = (text: string) => costOf({ schema: new GraphQLSchema({ query }), document: parse(text) });
  expect(cost('{ votesConnection { edges totalCount nodeId } }')).toEqual({
    cost: 2 + 5 + 1 + 1,
    counts: 0,
    introspection: 0,
    places: 4,
  });
  expect(cost('{ thing { part } }')).toEqual({ cost: 300, counts: 2, introspection: 0, places: 2 });
  expect(cost('{ pageOfThings { part } }')).toEqual({
    cost: 3 * (4 + 10 * 2 + 10 * 7),
    counts: 2,
    introspection: 0,
    places: 2,
  });
});

test('equal counts of an operation are one statement, whatever the page and the alias', async () => {
  const statements = countStatements();
  try {
    const counts = async (fields: string) => {
      const before = statements.count();
      expect((await gateway.graphql(`{ ${fields} }`)).errors).toBeUndefined();
      return statements.texts.slice(before).filter((text) => /count\(\*\)|row_counts/i.test(text)).length;
    };
    expect(
      await counts(repeat(OPERATION_LIMITS.counts, (n) => `a${n}: votes(first: ${n + 1}) { totalCount }`)),
    ).toBe(1);
    expect(
      await counts(
        `a: votes(partyId: "a") { totalCount } b: votes(partyId: "b") { totalCount } c: votes(partyId: "a", first: 2) { totalCount }
         d: rewards(partyId: "a", fromEpoch: "3") { totalCount } e: rewards(fromEpoch: "3", partyId: "a") { totalCount }
         f: rewards(fromEpoch: "4", partyId: "a") { totalCount } g: votes(partyId: "b", proposalId: null) { a: totalCount b: totalCount }`,
      ),
    ).toBe(4);
  } finally {
    statements.stop();
  }
});

// Each is an operation of its own: what one costs is remembered.
test.each([
  ['GET', () => fetch(`${gateway.url}/graphql?query=${encodeURIComponent(`query Get ${REWARDS}`)}`)],
  ['a WebSocket', async () => void (await (await openGraphqlWs(gateway.url, `query Ws ${REWARDS}`)).next())],
])('the cost of an operation is worked out once: %s', async (_, ask) => {
  const type = schema.getType('RewardConnection');
  const cost = type && declaredCost(type);
  if (!type || !cost?.page) throw new Error('rewards are no page');
  const { page } = cost;
  let times = 0;
  const rows: typeof page.rows = (argument) => {
    times += 1;
    return page.rows(argument);
  };
  const declared = type.extensions;
  type.extensions = { ...declared, ...costs({ ...cost, page: { ...page, rows } }).extensions };
  try {
    await ask();
  } finally {
    type.extensions = declared;
  }
  expect(times).toBe(1);
});

test('the guide names the limits', () => {
  const guide = readFileSync('docs/asking.md', 'utf8');
  const told = guide.slice(guide.indexOf('## What an operation may cost')).replaceAll(',', '');
  const { batch: _, ...ofOperations } = OPERATION_LIMITS;
  for (const limit of Object.values(ofOperations)) expect(told).toMatch(new RegExp(`\\b${limit}\\b`));
});
