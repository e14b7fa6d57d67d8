import { GraphQLID } from 'graphql';
import { expect, test, vi } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';

const database = await forAllTests(
  createSimulatedDatabase({ seed: 11, blocks: 40, parties: 30, markets: 2 }),
);
const gateway = await forAllTests(startTestGateway(database.url));

const times = (count: number, select: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => select(n)).join(' ');

/** How often a value of the list is taken by its type while an operation is answered. */
async function countTaken(variables: { readonly v: readonly string[] }, ask: () => Promise<unknown>) {
  const taken = vi.spyOn(GraphQLID, 'parseValue');
  try {
    await ask();
    return taken.mock.calls.filter(([value]) => value === variables.v.at(-1)).length;
  } finally {
    taken.mockRestore();
  }
}

const variables = { v: ['a', 'b', 'a value of the list'] };
const UNREAD = 'unread: assets(ids: $v) @skip(if: true) { totalCount }';

test.each([
  ['a field that is left to graphql-js', `${times(5, (n) => `b${n}: block { height }`)} ${UNREAD}`],
  [
    'one of each block',
    `asOfEach(from: "1", to: "40", every: "1") { ${times(5, (n) => `b${n}: block { height }`)} } ${UNREAD}`,
  ],
  ['one of each row', `accounts(first: 20) { nodes { history(first: 1) { nodes { balance } } } } ${UNREAD}`],
  [
    'one that uses them',
    `asOfEach(from: "1", to: "40", every: "1") { a: assets(ids: $v) { totalCount } b: block { height } }`,
  ],
])('the values of variables are taken once, whatever is executed: %s', async (_, fields) => {
  const answer = async () => {
    const { data, errors } = await gateway.graphql(`query ($v: [ID!]) { ${fields} }`, variables);
    expect({ data, errors }).toEqual({ data: expect.anything(), errors: undefined });
  };
  expect(await countTaken(variables, answer)).toBe(1);
});

test('and of a subscription when it begins, whatever it tells', async () => {
  const document = `subscription ($v: [ID!]) {
    accounts { snapshot { accounts { id market { trades(filter: { partyIds: $v }) @skip(if: true) { totalCount } } } } }
  }`;
  const follow = async (messages: number) => {
    await using stream = await openGraphqlWs(gateway.url, document, variables);
    for (let n = 0; n < messages; n += 1) await stream.next();
  };
  expect(await countTaken(variables, () => follow(1))).toBeLessThanOrEqual(2);
});

test('what describes the schema knows no type of what was taken', async () => {
  const { data } = await gateway.graphql(
    'query ($n: String!) { __type(name: $n) { name } other: __type(name: "Settled") { name } __schema { types { name } } }',
    { n: 'Account' },
  );
  expect(data.__type).toEqual({ name: 'Account' });
  expect(data.other).toBeNull();
  expect(data.__schema.types.map(({ name }: { readonly name: string }) => name)).not.toContain('Settled');
});
