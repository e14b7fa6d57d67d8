import { graphql, isInterfaceType, parse } from 'graphql';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

/** The nodes of every kind: their table, and the column that their global ID holds. */
const NODES: readonly (readonly [string, string, string])[] = [
  ['Account', 'accounts', 'created_position'],
  ['Asset', 'assets', 'id'],
  ['Deposit', 'deposits', 'id'],
  ['MarginLevel', 'margin_levels', 'created_position'],
  ['Market', 'markets', 'id'],
  ['MarketData', 'market_data', 'market_id'],
  ['Party', 'parties', 'id'],
  ['Proposal', 'proposals', 'id'],
  ['Reward', 'rewards', 'created_position'],
  ['Trade', 'trades', 'created_position'],
  ['Vote', 'votes', 'created_position'],
];

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 2, blocks: 60, parties: 10, markets: 2 }),
);
const database = await forAllTests(openDatabase({ url: simulated.url, readOnly: true }));

test('every kind of node is here', () => {
  const node = schema.getType('Node');
  const kinds = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect(kinds.sort()).toEqual(NODES.map(([name]) => name));
});

test.each(NODES)(
  'a %s is found again by its global ID, alone and among others',
  async (kind, table, column) => {
    const rows = (await simulated.readTable(table)).slice(0, 20);
    expect(rows.length).toBeGreaterThan(0);
    const nodeIds = rows.map((row) => btoa(`${kind}:${row[column]}`));
    const { nodes } = await ask(
      'query ($nodeIds: [ID!]!) { nodes(nodeIds: $nodeIds) { __typename nodeId } }',
      { nodeIds },
    );
    expect(nodes).toEqual(nodeIds.map((nodeId) => ({ __typename: kind, nodeId })));
    const { node } = await ask('query ($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId } }', {
      nodeId: nodeIds[0],
    });
    expect(node).toEqual({ __typename: kind, nodeId: nodeIds[0] });
  },
);

test.each(NODES)(
  'a %s has the id that caches know it by, and every form of answer gives it',
  async (kind, table, column) => {
    const rows = (await simulated.readTable(table)).slice(0, 20);
    const nodeIds = rows.map((row) => btoa(`${kind}:${row[column]}`));
    const documented = column === 'id' || kind === 'Trade' ? rows.map((row) => row['id']) : nodeIds;
    for (const selected of ['id', `... on ${kind} { id }`]) {
      const query = `query ($nodeIds: [ID!]!) { nodes(nodeIds: $nodeIds) { ${selected} } }`;
      const expected = { nodes: documented.map((id) => ({ id })) };
      expect(await ask(query, { nodeIds })).toEqual(expected);
      const answer = await prepareOperation(parse(query)).run({ nodeIds }, contextOf());
      expect(answer.kind === 'text' && JSON.parse(answer.data.join(''))).toEqual(expected);
    }
  },
);

test.each(NODES)('a %s that is not there is null', async (kind, _, column) => {
  const nodeId = btoa(`${kind}:${column === 'created_position' ? '9007199254740991' : 'nothing'}`);
  expect(await ask('query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }', { nodeId })).toEqual({
    node: null,
  });
});

test('a text that is no global ID is an error that names it', async () => {
  const { data, errors } = await execute('{ node(nodeId: "xx") { nodeId } }');
  expect(data).toEqual({ node: null });
  expect(errors?.map(({ path, extensions }) => [path, extensions['code'], extensions['details']])).toEqual([
    [['node'], 'INVALID_ARGUMENT', [named('nodeId', '"xx"')]],
  ]);
});

test('texts that are no global IDs leave the nodes beside them as they are', async () => {
  const [asset] = await simulated.readTable('assets');
  const [good, absent] = [btoa(`Asset:${asset?.['id']}`), btoa('Asset:nothing')];
  const nodeIds = ['xx', good, absent, 'y'.repeat(1000), good];
  const { data, errors } = await execute('query ($nodeIds: [ID!]!) { nodes(nodeIds: $nodeIds) { nodeId } }', {
    nodeIds,
  });
  expect(data).toEqual({ nodes: [null, { nodeId: good }, null, null, { nodeId: good }] });
  expect(errors?.map(({ path, extensions }) => [path, extensions['code'], extensions['details']])).toEqual([
    [['nodes', 0], 'INVALID_ARGUMENT', [named('nodeIds[0]', '"xx"')]],
    [['nodes', 3], 'INVALID_ARGUMENT', [named('nodeIds[3]', '(1000 characters)')]],
  ]);
});

function named(field: string, value: string) {
  const description = expect.stringContaining(value);
  return { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] };
}

async function ask(source: string, variableValues: Readonly<Record<string, unknown>>) {
  const { data, errors } = await execute(source, variableValues);
  if (errors !== undefined) throw errors[0];
  return data as Record<string, unknown>;
}

function execute(source: string, variableValues: Readonly<Record<string, unknown>> = {}) {
  return graphql({ schema, source, variableValues, contextValue: contextOf() });
}

function contextOf() {
  return createContext({ ...database, feed: null as never });
}
