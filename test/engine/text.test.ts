import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { expect, test, vi } from 'vitest';
import { columnOf } from '../../src/data/columns.ts';
import { fieldsIn } from '../../src/data/noun.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { raw, sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import type { Enumeration } from '../../src/domain/enumeration.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { compile } from '../../src/engine/text/compile.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { nounOfType } from '../../src/graphql/node-ids.ts';
import { declaredSource } from '../../src/graphql/sources.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { countStatements } from '../support/statements.ts';
import { oddNetwork } from './executor-data.ts';
import { bytesOf, NO_FEED, runBy } from './executors.ts';
import type { RandomOperation } from './random-operations.ts';

const { database, tables } = await forAllTests(oddNetwork.open());

const run = (operation: RandomOperation, asText: boolean) => runBy(database, operation, asText);

test('enumerations have numbers that nobody knows among theirs, the largest too', () => {
  const columns = Object.values(nouns).flatMap(({ table, enumerations }) =>
    Object.entries<Enumeration>(enumerations)
      // Those within JSON have columns of none of their own.
      .filter(([field]) => !field.includes('.'))
      .map(([field, one]) => [table.name.text, columnOf(field), one] as const),
  );
  expect(columns.length).toBeGreaterThan(10);
  for (const [table, column, { prefix, names }] of columns) {
    const held = tables[table]?.map((row) => row[column]);
    expect(held).toContain(`${prefix}2147483647`);
    expect(held?.some((name) => names.includes(name ?? ''))).toBe(true);
  }
});

test('all but blocks, digests, histories and searches is written as text, whatever is selected of it', () => {
  const query = schema.getQueryType() as GraphQLObjectType;
  const resolved = Object.values(query.getFields()).filter((field) => {
    const document = parse(`{ ${selectAll(field, 4)} }`);
    const operation = document.definitions[0] as OperationDefinitionNode;
    const [root] = compile({ schema, document, operation, variables: {} }).fields;
    return root?.kind === 'resolved';
  });
  expect(resolved.map(({ name }) => name)).toEqual([
    ...['balanceChanges', 'block', 'blocks', 'changes', 'digest', 'marketDataHistory', 'search'],
  ]);
});

test.each([
  [
    'what only graphql-js resolves stands in its place',
    '{ a: __typename block { height } LIST b: __typename }',
  ],
  ['introspection too', '{ LIST __type(name: "Vote") { name } again: LIST __schema { queryType { name } } }'],
  [
    'an error of one field leaves the others as they are',
    '{ LIST estimateFee(marketId: "none", price: "1", size: "1") { makerFee } asset(id: "none") { id } }',
  ],
  ['an argument that is refused, and nothing else', '{ deposits(first: -1) { edges { cursor } } }'],
  ['an argument that is refused beside a list', '{ LIST node(nodeId: "none") { nodeId } }'],
  [
    'an argument that is refused below a list',
    '{ LIST party(id: "network") { accounts(first: 1, last: 1) { totalCount } } }',
  ],
  ['a list that cannot be null', '{ asset(id: "none") { id } LIST rewards(after: "none") { totalCount } }'],
  ['variables that are refused', 'query ($id: ID!) { deposit(id: $id) { id } }'],
  [
    'names of any length, those that differ at their ends, and one field under several of them',
    `{ deposits(first: 2) { edges { node {
      ${'a'.repeat(63)}: id ${'a'.repeat(64)}: txHash ${'a'.repeat(63)}b: amount id again: id status } } } }`,
  ],
  [
    'names that statements have for something else',
    '{ deposits(first: 2) { edges { node { object0: id object1: txHash t: amount position: status } } } }',
  ],
  ['nothing that is left of an operation', '{ deposits @skip(if: true) { totalCount } }'],
  [
    'an object of which nothing is left',
    '{ deposits(first: 2) { edges { node { id @skip(if: true) } } pageInfo { hasNextPage @skip(if: true) } } }',
  ],
])('%s', async (_, document) => {
  const text = document.replace('LIST', 'deposits(first: 2) { edges { node { id party { id } } } }');
  const operation = {
    text: text.replace('again: LIST', 'again: votes(last: 1) { totalCount }'),
    variables: {},
  };
  const [written, resolved] = [await run(operation, true), await run(operation, false)];
  expect(bytesOf(written.answer)).toBe(bytesOf(resolved.answer));
});

test('no page is read where nothing is selected that shows it, whoever answers and whatever directives leave out', async () => {
  const pagesRead = async (below: string, asText: boolean) => {
    const text = `query ($no: Boolean!, $yes: Boolean!) { deposits(first: 7) { totalCount ${below} } }
      fragment Page on DepositConnection { nodes @skip(if: $no) { id } }`;
    const statements = countStatements();
    try {
      const { answer } = await run({ text, variables: { no: false, yes: true } }, asText);
      expect(bytesOf(answer)).not.toContain('"errors"');
    } finally {
      statements.stop();
    }
    const reading = statements.texts.filter((one) => !one.includes('row_counts'));
    return reading.filter((one) => /\bdeposits\b.*\bLIMIT\b/s.test(one)).length;
  };
  for (const asText of [true, false]) {
    for (const below of [
      '__typename',
      'edges @skip(if: $yes) { cursor } ... @include(if: $no) { nodes { id } }',
      '...Page @include(if: $no)',
    ])
      expect([below, asText, await pagesRead(below, asText)]).toEqual([below, asText, 0]);
    const both = '...Page @skip(if: $yes) ... @include(if: $yes) { ...Page }';
    expect([asText, await pagesRead(both, asText)]).toEqual([asText, 1]);
  }
});

test('what is skipped and included is what every variable says, in whatever order they come', async () => {
  const text = `query ($a: Boolean!, $b: Boolean!, $c: Boolean!) {
    deposits(first: 1) { totalCount @include(if: $a) edges @skip(if: $b) { node { id txHash @include(if: $c) } } }
  }`;
  const bits = [false, true];
  const ways = bits.flatMap((a) => bits.flatMap((b) => bits.map((c) => ({ a, b, c }))));
  const prepared = prepareOperation(parse(text));
  for (const variables of [...ways, ...ways.toReversed()]) {
    const answer = await prepared.run(variables, createContext({ ...database, feed: NO_FEED }));
    expect(bytesOf(answer)).toBe(bytesOf((await run({ text, variables }, false)).answer));
  }
});

test.each([
  [
    'all of both',
    'text',
    `estimatePosition(marketId: $id, openVolume: $volume, collateralAvailable: "1e9", orders: [
      { side: SIDE_BUY, type: TYPE_LIMIT, remaining: 7, price: "1" }
    ]) {
      __typename
      margin { worstCase { ...Levels } bestCase { ...Levels } }
      liquidation { worstCase { ...Prices } bestCase { ...Prices } }
    }
    estimateFee(marketId: $id, price: "123", size: "456") { makerFee infrastructureFee liquidityFee }`,
  ],
  [
    'each under other names, in parts, and a list beside them',
    'text',
    `one: estimatePosition(marketId: $id, openVolume: $volume) {
      liquidation { worstCase { ...Prices } }
      margin { b: bestCase { t: timestamp timestamp @skip(if: true) ...Levels } }
      margin { b: bestCase { partyId } }
    }
    two: estimateFee(marketId: $id, price: 1, size: 1) { makerFee @include(if: false) a: makerFee }
    deposits(first: 1) { edges { node { id } } }`,
  ],
  [
    'one of a market that is not there, beside one that is',
    'result',
    `estimateFee(marketId: "none", price: 1, size: 1) { makerFee }
    two: estimateFee(marketId: $id, price: 1, size: 1) { makerFee }
    three: estimatePosition(marketId: $id, openVolume: $volume) { margin { bestCase { ...Levels } } liquidation { bestCase { ...Prices } } }`,
  ],
  [
    'two that are refused',
    'result',
    `estimatePosition(marketId: $id, openVolume: $volume, orders: [
      { side: SIDE_BUY, type: TYPE_LIMIT, remaining: 7 }
    ]) { margin { bestCase { ...Levels } } liquidation { bestCase { ...Prices } } }
    estimateFee(marketId: $id, price: "-1", size: "456") { makerFee }`,
  ],
])('estimates are as graphql-js has them: %s', async (_, kind, selections) => {
  const text = `query ($id: ID!, $volume: Int64!) { ${selections} }
    fragment Levels on EstimatedMarginLevel {
      maintenanceMargin searchLevel initialMargin collateralReleaseLevel partyId marketId asset timestamp
    }
    fragment Prices on LiquidationPrices { openVolumeOnly includingBuyOrders includingSellOrders }`;
  expect(validate(schema, parse(text))).toEqual([]);
  for (const volume of ['-3', '0', '12345678901234567']) {
    const variables = { id: tables['markets']?.[0]?.['id'], volume };
    const [written, resolved] = [await run({ text, variables }, true), await run({ text, variables }, false)];
    expect(bytesOf(written.answer)).toBe(bytesOf(resolved.answer));
    expect([written.answer.kind, resolved.answer.kind]).toEqual([kind, 'result']);
  }
});

test.each([
  ['beside others', '{ deposits { totalCount } a: deposits(first: -1) { totalCount } }', ['a'], null],
  ['that can be null', '{ node(nodeId: "none") { nodeId } }', ['node'], { node: null }],
  [
    'below an object',
    '{ party(id: "nobody") { accounts(first: 1, last: 1) { totalCount } } }',
    ['party', 'accounts'],
    { party: null },
  ],
  [
    'below a list, of which the first row is named',
    '{ deposits { edges { node { b: party { accounts(after: "none") { totalCount } } } } } }',
    ['deposits', 'edges', 0, 'node', 'b', 'accounts'],
    null,
  ],
  [
    'of an estimate',
    '{ estimatePosition(marketId: "none", openVolume: 1, collateralAvailable: "1", marginFactor: "1") { margin { bestCase { asset } } } }',
    ['estimatePosition'],
    { estimatePosition: null },
  ],
])(
  'an argument that is refused %s refuses the operation before anything is read',
  async (_, text, path, data) => {
    expect(validate(schema, parse(text))).toEqual([]);
    const statements = null as never;
    for (const asText of [true, false]) {
      const context = createContext({ ...database, feed: NO_FEED, statements });
      const { kind, ...answer } = await prepareOperation(parse(text), null, { asText }).run({}, context);
      expect([kind, answer]).toMatchObject(['result', { result: { data, errors: [{ path }] } }]);
    }
  },
);

test('a database that fails is an error of the field, as graphql-js has it, and is not asked again', async () => {
  const failure = Object.assign(new Error('terminating connection'), { code: '57P01' });
  let asked = 0;
  const fail = () => {
    asked += 1;
    return Promise.reject(failure);
  };
  const statements: Statements = {
    rows: fail,
    texts: fail,
    arrays: fail,
    until: () => statements,
    isPast: false,
    saw() {},
  };
  const services = { ...database, feed: NO_FEED, statements };
  const ask = async (text: string, asText: boolean) =>
    bytesOf(await prepareOperation(parse(text), null, { asText }).run({}, createContext(services)));
  for (const text of ['{ deposits { edges { cursor } } }', '{ a: asset(id: "x") { id } b: __typename }']) {
    asked = 0;
    const written = await ask(text, true);
    expect(asked).toBe(1);
    expect(written).toBe(await ask(text, false));
  }
});

test('fields that are columns and follow on each other are read as one, where PostgreSQL can name them', () => {
  const formsOf = (fields: string) => {
    const document = parse(`{ deposits { edges { node { ${fields} } } } }`);
    const operation = document.definitions[0] as OperationDefinitionNode;
    const [root] = compile({ schema, document, operation, variables: {} }).fields;
    return root?.kind === 'list' ? root.list.columns.slice(1).map(({ form }) => form) : null;
  };
  expect(formsOf('id amount txHash')).toEqual(['object']);
  expect(formsOf('party { id } id amount __typename txHash status')).toEqual(['text', 'object', 'object']);
  expect(formsOf(`id amount ${'a'.repeat(64)}: txHash`)).toEqual(['object', 'text']);
});

test('a party of which only its key is wanted is not read, nor do answers depend on it', async () => {
  let asked = 0;
  const statements: Statements = {
    ...database.statements,
    texts: (statement) => {
      asked += 1;
      return database.statements.texts(statement);
    },
    until: () => statements,
    saw() {},
  };
  const context = createContext({ ...database, feed: NO_FEED, statements });
  const text =
    '{ deposits(first: 5) { edges { node { party { id nodeId accounts { edges { cursor } } } } } } }';
  const answer = await prepareOperation(parse(text)).run({}, context);
  expect(bytesOf(answer)).toBe(bytesOf((await run({ text, variables: {} }, false)).answer));
  expect(asked).toBe(2);
});

test('every party that is taken to be there is: its field is the one that ingest makes a party of', async () => {
  const linking = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ type, field })) : [],
  );
  const certain = linking.flatMap(({ type, field }) => {
    const source = declaredSource(field);
    return source?.kind === 'link' && source.isCertain ? [{ type: type.name, ...source }] : [];
  });
  expect(certain.length).toBeGreaterThan(4);
  const parties = new Set(tables['parties']?.map(({ id }) => id));
  for (const { type, noun, key } of certain) {
    const linked = nounOfType(type);
    const fields = linked === undefined ? [] : fieldsIn(linked, linked.party ?? '');
    expect([type, noun.name, fields]).toEqual([type, 'parties', expect.arrayContaining([key])]);
    const rows = await database.statements.rows<{ id: string }>(
      unkept(sql`SELECT DISTINCT ${raw(columnOf(key))} AS id FROM ${linked?.table.name}`),
    );
    expect(rows.filter(({ id }) => !parties.has(id))).toEqual([]);
  }
});

test.each([
  ['written', true],
  ['resolved', false],
])('others have their turns while a long answer is %s', async (_, asText) => {
  const { fields, rows: found } = await database.statements.arrays({
    text: `SELECT ${nouns.deposit.table.columns.text} FROM deposits AS t LIMIT 1`,
    rowMode: 'array',
  });
  // The clock goes on by a millisecond at each look.
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++time);
  const rows = Array.from({ length: 5000 }, (_, index) => [`${index}`, `deposit ${index}`]).reverse();
  const statements: Statements = {
    ...database.statements,
    texts: async () => rows,
    arrays: async () => ({
      fields,
      rows: rows.map(([position, id]) => [id, position, ...(found[0]?.slice(2) ?? [])]),
      ...{ command: 'SELECT', rowCount: rows.length, oid: 0 },
    }),
    until: () => statements,
    saw() {},
  };
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const context = createContext({ ...database, feed: NO_FEED, statements });
  const document = parse('{ deposits(first: 5000) { edges { node { id } } } }');
  const answer = await prepareOperation(document, null, { asText }).run({}, context);
  clearImmediate(next);
  clock.mockRestore();
  expect(bytesOf(answer)).toContain('"deposit 4999"');
  expect(turns).toBeGreaterThan(10);
});

test.each([
  ['{ deposits(partyId: "nobody") { edges { cursor } } }', true, '{"edges":[]}'],
  [
    '{ deposits(first: 1) { edges { node { __typename } } } }',
    false,
    '{"edges":[{"node":{"__typename":"Deposit"}}]}',
  ],
  ['{ deposits(partyId: "nobody") { totalCount } }', false, '{"totalCount":0}'],
  ['{ asset(id: "none") { id } }', false, 'null'],
  ['{ asset(id: "none") { id } deposits(partyId: "nobody") { edges { cursor } } }', false, 'null'],
])('%s says whether its page is empty, and what its first field is', async (text, isEmptyPage, first) => {
  const { answer } = await run({ text, variables: {} }, true);
  expect(answer).toMatchObject({ isEmptyPage });
  expect('first' in answer && answer.first.join('')).toBe(first);
});

/** A field with all that can be selected below it, some levels deep. */
function selectAll({ name, args, type }: GraphQLField<unknown, unknown>, depth: number): string {
  const required = args
    .filter(isRequiredArgument)
    .map((arg) => `${arg.name}: ${arg.name === 'nodeIds' ? '[]' : '"1"'}`);
  const head = `${name}${required.length === 0 ? '' : `(${required})`}`;
  const below = (object: GraphQLObjectType) =>
    Object.values(object.getFields())
      .filter((field) => depth > 0 || isLeafType(getNamedType(field.type)))
      .map((field) => selectAll(field, depth - 1))
      .join(' ');
  const named = getNamedType(type);
  if (isObjectType(named)) return `${head} { __typename ${below(named)} }`;
  if (!isInterfaceType(named)) return head;
  const types = schema.getPossibleTypes(named).map((one) => `... on ${one.name} { ${below(one)} }`);
  return `${head} { ${types.join(' ')} }`;
}
