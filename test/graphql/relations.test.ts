import { graphql, parse } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { countStatements } from '../support/statements.ts';

/** Queries ask for none. */
const NO_FEED = null as never;

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 3, blocks: 90, parties: 30, markets: 3 }),
);
const database = await forAllTests(openDatabase({ url: simulated.url, readOnly: true }));
const statements = countStatements();
afterAll(() => statements.stop());

// One statement for the page, and one for each relation or list below it. A party that a row names is there: as text, what
// is only known from its key is not read.
test.each([
  ['a page', 1, 'deposits(first: N) { edges { node { id } } }'],
  ['an object above each row', 2, 'deposits(first: N) { edges { node { party { id } } } }'],
  ['two objects above', 3, 'deposits(first: N) { edges { node { party { id } assetNode { id symbol } } } }'],
  [
    'lists below the objects above',
    4,
    `deposits(first: N) { edges { node {
      assetNode { id } party { accounts(first: 5) { edges { node { balance } } } }
    } } }`,
  ],
  [
    'the way down and up again',
    4,
    `accounts(first: N) { edges { node {
      party { deposits(first: 2) { edges { node { assetNode { symbol } } } } }
    } } }`,
  ],
  [
    'several lists of each object, one of them twice',
    5,
    `assets(first: N) { edges { node {
      deposits(first: 2) { edges { node { id } } }
      markets(first: 2) { edges { node { id } } }
      newest: rewards(first: 1) { edges { node { amount } } }
      oldest: rewards(first: 1, newestFirst: false) { edges { node { amount } } }
    } } }`,
  ],
  ['one to one', 3, 'markets(first: N) { edges { node { marketData { markPrice } riskFactor { short } } } }'],
  [
    'objects of objects',
    4,
    'accounts(first: N) { edges { node { market { id marketData { markPrice } settlementAssetNode { id } } } } }',
  ],
  ['votes and what they are on', 3, 'votes(first: N) { edges { node { proposal { id } party { id } } } }'],
  [
    'the rows of a list of lists',
    3,
    'proposals(first: N) { edges { node { votes(first: 3) { edges { node { party { id } } } } } } }',
  ],
])('%s costs %i statements, whatever the size of the page', async (_, cost, document) => {
  const asText = document.includes('party {') ? cost - 1 : cost;
  for (const size of [1, 50, 100]) {
    const field = document.replace('N', String(size));
    expect([size, await costOf(field), await costOfText(field)]).toEqual([size, cost, asText]);
  }
  // Longer ones graphql-js reads in slices of time.
  expect(await costOfText(document.replace('N', '500'))).toBe(asText);
});

test('a count costs a statement where it is asked for, one for all objects of a kind', async () => {
  expect(await costOf('deposits(first: 3) { pageInfo { hasNextPage } }')).toBe(1);
  expect(await costOf('deposits(first: 3) { totalCount }')).toBe(1);
  const ofEach = 'assets(first: 50) { edges { node { deposits(first: 1) { LIST } } } }';
  expect(await costOf(ofEach.replace('LIST', 'edges { node { id } }'))).toBe(2);
  expect(await costOf(ofEach.replace('LIST', 'totalCount'))).toBe(2);
});

test('the relations lead to the objects that the rows name, and back', async () => {
  const { edges } = (await ask(`deposits(first: 50) { edges { node {
    id partyId asset party { id deposits(first: 5000) { edges { node { id } } } } assetNode { id }
  } } }`)) as unknown as { edges: { node: Linked }[] };
  expect(edges.length).toBeGreaterThan(20);
  for (const { node } of edges) {
    expect([node.party.id, node.assetNode.id]).toEqual([node.partyId, node.asset]);
    expect(node.party.deposits.edges.map((edge) => edge.node.id)).toContain(node.id);
  }
});

interface Linked {
  readonly id: string;
  readonly partyId: string;
  readonly asset: string;
  readonly party: {
    readonly id: string;
    readonly deposits: { readonly edges: readonly { node: { id: string } }[] };
  };
  readonly assetNode: { readonly id: string };
}

async function costOf(field: string): Promise<number> {
  const before = statements.count();
  await ask(field);
  return statements.count() - before;
}

async function costOfText(field: string): Promise<number> {
  const before = statements.count();
  const context = createContext({ ...database, feed: NO_FEED });
  const { kind } = await prepareOperation(parse(`{ list: ${field} }`)).run({}, context);
  expect(kind).toBe('text');
  return statements.count() - before;
}

async function ask(field: string): Promise<unknown> {
  const contextValue = createContext({ ...database, feed: NO_FEED });
  const { data, errors } = await graphql({ schema, source: `{ list: ${field} }`, contextValue });
  if (errors !== undefined) throw errors[0];
  return data?.['list'];
}
