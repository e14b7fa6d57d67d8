import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { interrupted } from '../support/statements.ts';

const BLOCKS = 90;

/** What changes of an object of each noun, and of what it links to. */
const OBJECTS = {
  deposits: { type: 'Deposit', fields: 'id status creditedTimestamp party { id }' },
  votes: { type: 'Vote', fields: 'partyId proposalId value timestamp' },
  accounts: { type: 'Account', fields: 'owner type balance assetNode { symbol status }' },
  proposals: { type: 'Proposal', fields: 'state' },
  assets: { type: 'Asset', fields: 'status quantum' },
  markets: { type: 'Market', fields: 'state tradingMode marketData { markPrice }' },
} as const;

interface Version {
  readonly cursor: string;
  readonly block: { readonly height: string };
  readonly node: Readonly<Record<string, unknown>>;
}

interface Account {
  readonly history: { readonly edges: readonly Version[] };
}

describe('what rows were', () => {
  const random = chooseRandom('history');
  let database: SimulatedDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await createSimulatedDatabase({
      ...{ seed: seed + 7, parties: 25, markets: 3, release: '0.79', blocks: BLOCKS },
    });
    gateway = await startTestGateway(database.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  /** All versions, in pages of random sizes, from either end. */
  async function walk(field: string, path: readonly string[], fields: string): Promise<readonly Version[]> {
    const [size, end, cursor] = random.pick([
      ['first', 'endCursor', 'after'],
      ['last', 'startCursor', 'before'],
    ] as const);
    const versions: Version[] = [];
    for (let from: string | null = null; ; ) {
      const args = `(${size}: ${random.pick([1, 3, 7, 500])}, ${cursor}: ${JSON.stringify(from)}, newestFirst: false)`;
      const { data, errors } = await gateway.graphql(
        `{ ${field
          .replace('ARGS', args)
          .replace(
            'PAGE',
            `{ all: edges { cursor block { height } was: node { ${fields} } } rows: nodes { ${fields} } pageInfo { hasNextPage hasPreviousPage ${end} } }`,
          )} }`,
      );
      expect(errors).toBeUndefined();
      const page = path.reduce((value, key) => value[key], data);
      // Whatever edges and nodes are called in the answer.
      const found = page.all.map(({ was, ...edge }: { readonly was: unknown }) => ({ ...edge, node: was }));
      expect(page.rows).toEqual(found.map(({ node }: { readonly node: unknown }) => node));
      if (size === 'first') versions.push(...found);
      else versions.unshift(...found);
      const [goesOn, comesFrom] = [page.pageInfo.hasNextPage, page.pageInfo.hasPreviousPage];
      expect(size === 'first' ? comesFrom : goesOn).toBe(from !== null);
      if (!(size === 'first' ? goesOn : comesFrom)) return versions;
      from = page.pageInfo[end];
    }
  }

  test.each(Object.entries(OBJECTS))(
    'a history of %s has each version once, as the row was as of its block',
    async (list, { type, fields }) => {
      const { data } = await gateway.graphql(`{ page: ${list}(first: 200) { edges { node { nodeId } } } }`);
      let versionsInAll = 0;
      for (let count = 0; count < 4; count++) {
        const { nodeId } = random.pick(data.page.edges as { node: { nodeId: string } }[]).node;
        const of = `node(nodeId: "${nodeId}")`;
        const versions = await walk(
          `${of} { ... on ${type} { history ARGS PAGE } }`,
          ['node', 'history'],
          fields,
        );
        const past = await gateway.graphql(
          `{ asOfEach(from: "1", to: "${BLOCKS}", every: "1") { block { height } ${of} { ... on ${type} { ${fields} } } } }`,
        );
        const rows: { block: { height: string }; node: unknown }[] = past.data.asOfEach;
        for (const { block, node } of rows) {
          const then = versions.findLast((version) => Number(version.block.height) <= Number(block.height));
          expect([block.height, withoutLinks(then?.node ?? null)]).toEqual([
            block.height,
            withoutLinks(node),
          ]);
        }
        for (const { block, node } of versions) expect(rows[Number(block.height) - 1]?.node).toEqual(node);
        versionsInAll += versions.length;
      }
      expect(versionsInAll).toBeGreaterThan(4);
    },
  );

  test('balance changes are those of the table, by filter and by time, and their objects are of their block', async () => {
    const changes = await database.readTable('balance_changes');
    const all = await walk('balanceChanges ARGS PAGE', ['balanceChanges'], 'nodeId balance owner');
    expect(all.map(({ node }) => node['balance'])).toEqual(
      [...changes].sort((a, b) => Number(a['position']) - Number(b['position'])).map((row) => row['balance']),
    );
    const { block, node } = random.pick(all.slice(10));
    const global = Buffer.from(String(node['nodeId']), 'base64').toString();
    expect(global).toContain(`@${block.height}:`);
    const args = `(filter: { partyIds: ["${node['owner']}"] }, first: 5000, newestFirst: false, dateRange: { startTimestamp: $from })`;
    const named = await gateway.graphql(`{ block(height: "${block.height}") { timestamp } }`);
    const { data } = await gateway.graphql(
      `query($from: Timestamp!) { balanceChanges${args} { edges { block { height } node { nodeId balance owner } cursor } } }`,
      { from: named.data.block.timestamp },
    );
    expect(data.balanceChanges.edges).toEqual(
      all.filter(
        (one) => one.node['owner'] === node['owner'] && Number(one.block.height) >= Number(block.height),
      ),
    );
  });

  describe('below something as of another block', () => {
    const VERSION =
      'edges { block { height } node { nodeId balance party { accounts(first: 9) { nodes { nodeId balance } } } ';
    const ARGS = '(first: 9, newestFirst: false)';
    const HISTORY = `history${ARGS} { ${VERSION} } } }`;
    let versions: readonly (readonly Version[])[];

    beforeAll(async () => {
      const { data } = await gateway.graphql(`{ accounts(first: 4) { nodes { ${HISTORY} } } }`);
      versions = data.accounts.nodes.map((account: Account) => account.history.edges);
      expect(versions.flat().length).toBeGreaterThan(8);
    });

    const upTo = (height: string) =>
      versions.map((each) => each.filter(({ block }) => Number(block.height) <= Number(height)));

    test('a history has each version as of the block of its own', async () => {
      const { data } = await gateway.graphql(
        `{ accounts(first: 4) { nodes { history${ARGS} { edges { block { height } node { ${HISTORY} } } } } } }`,
      );
      for (const [index, account] of data.accounts.nodes.entries())
        for (const { block, node } of account.history.edges)
          expect(node.history.edges).toEqual(upTo(block.height)[index]);
    });

    test('so it has where another field beside it fails', async () => {
      const { data, errors } = await gateway.graphql(
        `{ asOf(height: "${BLOCKS}") { accounts(first: 4) { nodes { ${HISTORY} } } nodes(nodeIds: ["none"]) { nodeId } } }`,
      );
      expect(errors).toHaveLength(1);
      expect(data.asOf.accounts.nodes.map((account: Account) => account.history.edges)).toEqual(versions);
    });
  });
});

/** What is an object of its own may have changed since, and is held to its own history. */
function withoutLinks(row: unknown): unknown {
  if (row === null) return null;
  return Object.fromEntries(Object.entries(row as object).filter(([, value]) => typeof value !== 'object'));
}

test.each([true, false])(
  'changes of an account that is created while its page is read are told by the next page, as text: %s',
  async (asText) => {
    await using network = await startAccountNetwork();
    await using database = openDatabase({ url: network.url, readOnly: true });
    const owner = party(1);
    await network.block({ owner, balance: '1' });
    let isWritten = false;
    const between = async (text: string) => {
      if (isWritten || !text.includes('FROM accounts')) return;
      isWritten = true;
      const created = { owner, balance: '2', type: accountTypes.numbers.ACCOUNT_TYPE_MARGIN };
      await network.block(created, { owner, balance: '3' });
    };
    const statements = interrupted(database.statements, { after: between });
    const balances: string[] = [];
    for (let after: string | null = null; balances.length === 0 || isWritten; ) {
      const args = `filter: { partyIds: ["${owner}"] }, newestFirst: false, after: ${JSON.stringify(after)}`;
      const text = `{ balanceChanges(${args}) { nodes { balance } pageInfo { endCursor } } }`;
      const { answer } = await runBy({ ...database, statements }, { text, variables: {} }, asText);
      const { nodes, pageInfo } = JSON.parse(bytesOf(answer)).data.balanceChanges;
      if (nodes.length === 0) break;
      balances.push(...nodes.map(({ balance }: { readonly balance: string }) => balance));
      after = pageInfo.endCursor;
    }
    expect([isWritten, balances]).toEqual([true, ['1', '2', '3']]);
  },
);
