import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';

const database = await forAllTests(createSimulatedDatabase({ seed: 6, blocks: 5, parties: 30, markets: 2 }));
const gateway = await forAllTests(startTestGateway(database.url));

const times = (count: number, select: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => select(n)).join(' ');

/** Eleven wrong arguments in each of 400 places. */
const MULTIPLIED = `{ markets(first: 0) { nodes { ...A } } }
  fragment A on Market { ${times(20, (n) => `f${n}: parentMarket { ...B }`)} }
  fragment B on Market { ${times(20, (n) => `f${n}: parentMarket { ...C }`)} }
  fragment C on Market { ${times(11, (n) => `w${n}: accounts(first: -1) { __typename }`)} }`;

interface Told {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly object[];
  readonly extensions: { readonly code: string };
}

test('of thousands of wrong arguments five are told, and that there are more', async () => {
  const { data, errors } = await gateway.graphql(MULTIPLIED);
  const told = errors as readonly Told[];
  expect(data).toBeNull();
  expect(told.map(({ path }) => path?.at(-1))).toEqual(['w0', 'w1', 'w2', 'w3', 'w4', 'w5']);
  expect(told.map(({ extensions }) => extensions.code)).toEqual(told.map(() => 'INVALID_ARGUMENT'));
  expect(told.at(-1)?.message).toMatch(/^Too many errors/);

  const overWs = (await (await openGraphqlWs(gateway.url, MULTIPLIED)).next()) as {
    errors?: readonly Told[];
  };
  expect(overWs.errors?.map(({ message }) => message)).toEqual(told.map(({ message }) => message));
});

test('of the errors of an answer a hundred are told, and how many more there are, beside all that is there', async () => {
  const nodeIds = Array.from({ length: 1000 }, (_, n) => (n === 999 ? btoa('Party:p') : `none ${n}`));
  const { data, errors } = await gateway.graphql(
    'query ($nodeIds: [ID!]!) { nodes(nodeIds: $nodeIds) { nodeId } }',
    {
      nodeIds,
    },
  );
  const told = errors as readonly Told[];
  expect(data.nodes).toHaveLength(1000);
  expect(told.map(({ path }) => path?.at(-1))).toEqual(Array.from({ length: 101 }, (_, n) => n));
  expect(told.at(-1)?.message).toMatch(/^Too many errors: 899 more/);
  expect(told.at(-1)?.extensions.code).toBe('INVALID_ARGUMENT');
});

test.each([
  'accounts(first: 0) { nodes { field: series(every: "bogus") { close } } }',
  'accounts(first: 0) { nodes { field: series(points: 1) { close } } }',
  'accounts(first: 0) { nodes { party { accounts { field: series(by: [TYPE]) { buckets { close } } } } } }',
  'accounts(first: 0) { nodes { field: history(first: -1) { nodes { balance } } } }',
  'accounts(first: 0) { nodes { field: history(dateRange: { startTimestamp: "1700000000" }) { nodes { balance } } } }',
  'markets(first: 0) { nodes { field: series(every: "bogus") { close } } }',
  'markets(first: 0) { nodes { field: candles(every: "bogus") { nodes { high } } } }',
  'markets(first: 0) { nodes { field: candles(every: "PT1M", first: -1) { nodes { high } } } }',
])('an argument that is wrong for every row is one error, before any is read: %s', async (query) => {
  const { data, errors } = await gateway.graphql(`{ ${query} }`);
  const [first, another] = errors as readonly Told[];
  expect(another).toBeUndefined();
  expect([data, first?.extensions.code, first?.path?.at(-1)]).toEqual([null, 'INVALID_ARGUMENT', 'field']);
});

test('where a document has thousands of lines, errors say by their paths alone where they are', async () => {
  const query = '{ block { height } wrong: accounts(first: -1) { __typename } }';
  const toldOf = async (text: string) => (await gateway.graphql(text)).errors as readonly Told[];
  const [first] = await toldOf(`${'\n'.repeat(999)}${query}`);
  expect(first?.locations).toEqual([{ line: 1000, column: 20 }]);
  const [far, another] = await toldOf(`${'\n'.repeat(28_000)}${query}`);
  expect([far?.path, another]).toEqual([['wrong'], undefined]);
  expect(far).not.toHaveProperty('locations');
  const [literal] = await toldOf(`${'\n'.repeat(28_000)}{ asOf(height: "x") { block { height } } }`);
  expect(literal?.message).toMatch(/\bheight takes/);
});
