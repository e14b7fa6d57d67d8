import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { followedNames } from '../../src/data/history/changed-rows.ts';
import { costOf } from '../../src/engine/price/cost.ts';
import { schema } from '../../src/graphql/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';

const database = await forAllTests(
  createSimulatedDatabase({ seed: 5, blocks: 2, parties: 6000, markets: 2 }),
);
const gateway = await forAllTests(
  startTestGateway(database.url, { RATE_LIMIT: '2000', TRUSTED_PROXIES: 'loopback' }),
);
const unlimited = await forAllTests(startTestGateway(database.url));

const LARGE_BLOCK = 2;
const NOUNS = followedNames.join();
let number = 1;
/** Of a price of about 1, as of one row, or of 1000 times as much, as of a message. */
const BELOW = 'party { rewards(first: 150) { edges { node { amount rewardType marketId } } } }';

test('a page of changes is refused where the blocks in it have more rows than what is below them may cost', async () => {
  const askWith = (row: string) => askFor('ACCOUNTS', `accounts { balance ${row} }`);
  const plain = await askWith('');
  const rows = plain.body.data.changes.nodes[0].accounts.length;
  expect(rows).toBeGreaterThan(1500);

  const refused = await askWith(BELOW);
  expect(refused.body.data).toBeNull();
  expect(refused.body.errors).toEqual([
    expect.objectContaining({
      path: ['changes'],
      message: expect.stringContaining(`change ${rows} rows`),
      extensions: expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    }),
  ]);
});

test('rows beyond those that are asked for are charged', async () => {
  const few = await askFor('ASSETS', 'assets { id symbol }');
  const many = await askFor('ACCOUNTS', 'accounts { balance type }');
  const rows = many.body.data.changes.nodes[0].accounts.length;
  expect(few.remaining - many.remaining).toBeGreaterThan(5 * rows);
});

test('the accounts that a series is asked of are charged, where they are too many as well', async () => {
  const series = (by: string) => ask(`{ accounts { series(by: [${by}]) { buckets { close } } } }`);
  const readDifference = async () => {
    const [unread, refused] = [await series('PARTY'), await series('ASSET, PARTY')];
    expect(unread.body.errors[0].message).toMatch(/^by takes a list with ASSET in it/);
    expect(refused.body.errors[0].message).toMatch(/^(?:by makes \d+ sums|filter lets through more than)/);
    return unread.remaining - refused.remaining;
  };
  // Each time of other clients: what is spent comes back meanwhile, and all of it where the machine is busy.
  await expect.poll(readDifference).toBeGreaterThan(250);
});

test('what rows have of their own is told of a block of any size, and lets its client go on', async () => {
  const { body } = await askFor('ACCOUNTS', 'accounts { balance owner asset marketId type nodeId }');
  expect(body.errors).toBeUndefined();
});

test('a stream ends with the reason, and its cursor stays before the block that is too large for what is below its rows', async () => {
  const cursor = await cursorOf(LARGE_BLOCK - 1);
  const follow = (row: string) =>
    openGraphqlWs(
      gateway.url,
      `subscription($after: String) { changes(nouns: [ACCOUNTS], after: $after) { block { height } updates { accounts { balance ${row} } } } }`,
      { after: cursor },
    );
  const plain = await follow('');
  const told = await plain.next();
  expect(told.data.changes.updates.accounts.length).toBeGreaterThan(1500);
  await plain.close();

  const nested = await follow(BELOW);
  const end = await nested.next();
  expect(end.data).toBeUndefined();
  expect(end.errors[0].message).toContain('Select less below each row');
  await nested.close();
});

test('the documented paths and streams tell it too, of every kind and as of a block', async () => {
  const after = await cursorOf(LARGE_BLOCK - 1);
  const asked = `nouns=${NOUNS}&pagination.first=1&pagination.after=${after}`;
  for (const query of [asked, `${asked}&asOf=${LARGE_BLOCK}`]) {
    const { status, body } = await unlimited.rest(`/api/v2/changes?${query}`);
    expect(status).toBe(200);
    expect(body.changes.edges.at(-1).node.accounts.length).toBeGreaterThan(1500);
  }
  const lines = await fetch(`${unlimited.url}/api/v2/changes?nouns=${NOUNS}&format=ndjson`);
  expect((await lines.text()).split('"balance"').length).toBeGreaterThan(1500);
  await using stream = await openNdjson(
    unlimited.url,
    `/api/v2/stream/changes?nouns=${NOUNS}&after=${after}`,
  );
  expect((await stream.next()).result.updates.accounts.length).toBeGreaterThan(1500);
});

test('blocks are charged one by one, however few rows each has', () => {
  const costOfBlocks = (first: number) => {
    const text = `{ changes(first: ${first}, nouns: [ACCOUNTS]) { nodes { one: block { hash } other: block { hash } } } }`;
    return costOf({ schema, document: parse(text) }).cost;
  };
  expect(costOfBlocks(2000) - costOfBlocks(1000)).toBeGreaterThan(4 * 1000);
});

async function cursorOf(height: number): Promise<string> {
  const { data } = await gateway.graphql(
    `{ changes(nouns: [ACCOUNTS], first: 1) { edges { cursor node { block { height } } } } }`,
  );
  const [edge] = data.changes.edges;
  expect(edge.node.block.height).toBe(`${height}`);
  return edge.cursor;
}

/** Asks for what the large block changed, as a page of one row, and gives what may be spent after it. */
async function askFor(noun: string, rows: string) {
  const after = await cursorOf(LARGE_BLOCK - 1);
  return ask(
    `{ changes(nouns: [${noun}], first: 1, after: "${after}") { nodes { block { height } ${rows} } } }`,
  );
}

async function ask(query: string) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    // Each request is of another client, which has spent nothing yet.
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `10.1.${number >> 8}.${number++ & 255}`,
    },
    body: JSON.stringify({ query }),
  });
  return { body: await response.json(), remaining: Number(response.headers.get('ratelimit-remaining')) };
}
