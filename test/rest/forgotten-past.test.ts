import { expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { nameListAt, nameListBy, writeCursor } from '../../src/domain/cursors.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { seed } from '../support/seed.ts';
import { ask } from '../support/state.ts';

/** The fewest blocks of a partition. */
const SPAN = 64;
const BLOCKS = 10 * SPAN;
const NETWORK = { seed: seed + 11, parties: 8, markets: 4, blocks: BLOCKS, release: '0.79' } as const;
const RETENTION = {
  historyBlocks: SPAN,
  pastBlocks: { others: null, accounts: 3 * SPAN, marketData: 2 * SPAN, deposits: 2 * SPAN },
};

/** A block whose market data and balances are forgotten, and one whose changes are, though not what was. */
const [FORGOTTEN, UNTOLD] = [BLOCKS - 5 * SPAN, BLOCKS - 2 * SPAN - 20];

const database = await forAllTests(createDisposableDatabase());
const writer = await Writer.open(database.url, RETENTION);
await applySource(openSimulation(NETWORK), writer, { pace: 'max', signal: new AbortController().signal });
await writer.histories.settled();
await writer.close();
const gateway = await forAllTests(startTestGateway(database.url));

test('the latest data of a market are there, from whichever block, and all below them too', async () => {
  const { body } = await gateway.rest('/api/v2/markets/data');
  for (const latest of body.marketsData) {
    const { status, text } = await gateway.rest(`/api/v2/market/data/${latest.market}`);
    expect([status, JSON.parse(text).marketData.edges.map(({ node }: { node: unknown }) => node)]).toEqual([
      200,
      [latest],
    ]);
  }
  const [{ first = '', market = '' } = {}] = await ask<{ first: string; market: string }>(
    database.url,
    `SELECT (past_from_of ->> 'market_data')::bigint >> 20 AS first,
      (SELECT market_id FROM market_data ORDER BY updated_position LIMIT 1) AS market FROM networks`,
  );
  const { data, errors } = await gateway.graphql(
    `query ($market: ID!) { marketDataHistory(marketId: $market, latest: true) {
      edges { block { height } node { nodeId markPrice marketNode { id } } } } }`,
    { market },
  );
  expect(errors).toBeUndefined();
  const [{ block, node }] = data.marketDataHistory.edges;
  expect(Number(block.height)).toBeLessThan(Number(first));
  expect(node.marketNode.id).toBe(market);
  const again = await gateway.graphql(
    'query ($id: ID!) { node(nodeId: $id) { ... on MarketData { markPrice } } }',
    { id: node.nodeId },
  );
  expect(again.data.node.markPrice).toBe(node.markPrice);
});

test.each(['/api/v2/balance/changes', '/api/v2/market/data/MARKET', '/api/v2/accounts'])(
  'what was before that is refused as of a block of before, with the first that can be asked about: %s',
  async (path) => {
    const { body: all } = await gateway.rest('/api/v2/markets/data');
    const address = path.replace('MARKET', all.marketsData[0].market);
    const { status, body } = await gateway.rest(`${address}?asOf=${FORGOTTEN}`);
    expect([status, body.code, body.details[0].reason]).toEqual([400, 11, 'BLOCK_NOT_KEPT']);
    const first = await gateway.rest(`${address}?asOf=${body.details[0].metadata.firstHeight}`);
    expect(first.status).toBe(200);
  },
);

test('histories go on towards newer versions from no cursor of before what is known, and end there towards older ones', async () => {
  // Of what has changed since.
  const [{ market = '' } = {}] = await ask<{ market: string }>(
    database.url,
    'SELECT market_id AS market FROM market_data ORDER BY updated_position DESC LIMIT 1',
  );
  const [{ id = '' } = {}] = await ask<{ id: string }>(
    database.url,
    `SELECT id FROM deposits WHERE updated_position >> 20 > ${FORGOTTEN} ORDER BY updated_position LIMIT 1`,
  );
  const cursorIn = (list: string, height: number) =>
    writeCursor({ list: `${list}History`, position: BigInt(height) << 20n });
  const paths = [
    ['accounts', '/api/v2/balance/changes?', 'dateRange.startTimestamp'],
    // Without a time it gives the latest alone.
    ['marketData', `/api/v2/market/data/${market}?endTimestamp=4000000000000000000&`, 'startTimestamp'],
  ] as const;
  for (const [list, path, start] of paths) {
    const page = (how: string) => gateway.rest(`${path}${how}`);
    const old = cursorIn(list, FORGOTTEN);
    const upwards = [`pagination.newestFirst=false&pagination.after=${old}`, `pagination.before=${old}`];
    for (const how of upwards) {
      const { status, body } = await page(how);
      expect([status, body.code, body.details[0].reason], how).toEqual([400, 11, 'BLOCK_NOT_KEPT']);
      const [name] = /pagination\.(?:after|before)/.exec(how) ?? [];
      expect(body.message).toContain(`Parameter ${name} is a cursor of block ${FORGOTTEN}, and`);
      const first = Number(body.details[0].metadata.firstHeight);
      const known = how.replace(old, cursorIn(list, first));
      expect((await page(known)).status).toBe(200);
      const { data } = await gateway.graphql(`{ block(height: "${first}") { timestamp } }`);
      const later = BigInt(data.block.timestamp) + 1n;
      expect((await page(`${how}&${start}=${later}`)).status).toBe(200);
    }
    const { status, body } = await page(`pagination.after=${old}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(Object.values<{ edges: unknown }>(body)[0]?.edges).toEqual([]);
  }
  const after = cursorIn('deposits', FORGOTTEN);
  const { errors } = await gateway.graphql(
    `{ deposit(id: "${id}") { history(after: "${after}", newestFirst: false) { nodes { status } } } }`,
  );
  expect(errors?.[0]?.message).toMatch(
    new RegExp(
      `^after is a cursor of block ${FORGOTTEN}, and the past of the deposits is known from block \\d+ on`,
    ),
  );
});

test.each([
  ['deposits', 'Deposit', 'id'],
  ['accounts', 'Account', 'created_position'],
])(
  'a poll of a history of %s goes on from the last version for as long as nothing changes',
  async (table, type, key) => {
    const [{ first = '' } = {}] = await ask<{ first: string }>(
      database.url,
      `SELECT past_from_of ->> '${table}' AS first FROM networks`,
    );
    const rows = await ask<{ key: string; updated: string }>(
      database.url,
      `SELECT ${key} AS key, updated_position AS updated FROM ${table} ORDER BY updated_position LIMIT 1`,
    );
    const [{ key: id = '', updated = '' } = {}] = rows;
    expect(BigInt(updated) >> 20n).toBeLessThan(BigInt(first) >> 20n);
    const page = async (position: bigint, how: string) => {
      const cursor = writeCursor({ list: `${table}History`, position });
      const { data, errors } = await gateway.graphql(
        `query ($id: ID!) { node(nodeId: $id) { ... on ${type} { history(${how.replace('CURSOR', `"${cursor}"`)}) { nodes { id: nodeId } } } } }`,
        { id: btoa(`${type}:${id}`) },
      );
      if (errors === undefined) return data.node.history.nodes;
      const [detail] = errors[0]?.extensions.details ?? [];
      return (detail as { readonly reason?: string } | undefined)?.reason;
    };
    for (const how of ['after: CURSOR, newestFirst: false', 'before: CURSOR, last: 10']) {
      expect(await page(BigInt(updated), how), how).toEqual([]);
      // That version itself is gone.
      expect(await page(BigInt(updated) - 1n, how), how).toBe('BLOCK_NOT_KEPT');
    }
  },
);

test('lists in the order of updates are refused as of a block whose rows are not all known any more', async () => {
  const page = 'page: deposits(orderBy: UPDATED, first: 20) { nodes { id } }';
  const asOf = (height: number) => [
    `{ asOf(height: "${height}") { ${page} } }`,
    `{ asOf(height: "${height}") { parties(first: 20) { nodes { ${page} } } } }`,
    `{ ${page.replace('first', `after: "${cursorOf(height)}", first`)} }`,
  ];
  for (const text of asOf(FORGOTTEN)) {
    const { errors } = await gateway.graphql(text);
    expect(`${errors?.map(({ message }) => message)}`, text).toContain(
      `What the deposits were at block ${FORGOTTEN} is not kept`,
    );
  }
  for (const text of asOf(BLOCKS - SPAN)) expect((await gateway.graphql(text)).errors, text).toBeUndefined();
});

/** The cursor of a walk in the order of updates, of the row that was updated last. */
function cursorOf(height: number): string {
  const list = nameListAt(nameListBy('deposits', 'UPDATED'), BigInt(height));
  return writeCursor({ list, position: BigInt(height) << 20n });
}

test('changes up to a block of before the first that are kept are refused, and not none', async () => {
  const { status, body } = await gateway.rest(`/api/v2/changes?nouns=accounts&asOf=${UNTOLD}`);
  expect([status, body.code, body.details[0].reason]).toEqual([400, 11, 'BLOCK_NOT_KEPT']);
  expect(Number(body.details[0].metadata.firstHeight)).toBeGreaterThan(UNTOLD);
  expect((await gateway.rest(`/api/v2/accounts?asOf=${UNTOLD}`)).status).toBe(200);
});

test('a node of a block that is forgotten is an error in its own place', async () => {
  const [{ account = '' } = {}] = await ask<{ account: string }>(
    database.url,
    'SELECT min(created_position) AS account FROM accounts',
  );
  const idOf = (height: number | null) => btoa(`Account${height === null ? '' : `@${height}`}:${account}`);
  const nodeIds = [BLOCKS - 1, null, FORGOTTEN].map(idOf);
  const { data, errors } = await gateway.graphql('query ($ids: [ID!]!) { nodes(nodeIds: $ids) { nodeId } }', {
    ids: nodeIds,
  });
  expect(data.nodes).toEqual([{ nodeId: nodeIds[0] }, { nodeId: nodeIds[1] }, null]);
  expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [['nodes', 2], 'OUT_OF_RANGE'],
  ]);
});
