import { expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const NETWORK = { seed: 5, blocks: 40, parties: 12, markets: 2 };

async function open() {
  const network = await createSimulatedDatabase(NETWORK);
  const gateway = await startTestGateway(network.url);
  return {
    gateway,
    async ask(query: string, { accept = 'text/csv', search = '' } = {}) {
      const response = await fetch(`${gateway.url}/graphql${search}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: accept },
        body: JSON.stringify({ query }),
      });
      return { response, text: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await network[Symbol.asyncDispose]();
    },
  };
}

/** The rows of a CSV whose values have neither commas nor quotes. */
function rowsOf(text: string): readonly Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const names = head.split(',').map(bare);
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, n) => [names[n], bare(value)])));
}

const bare = (value: string) => value.replace(/^"|"$/g, '');

test('series, sums and lists are tables, as GraphQL has their rows', async () => {
  await using periscope = await open();
  const { gateway, ask } = periscope;
  const series =
    '{ accounts { series(points: 5, by: [ASSET, TYPE]) { key { asset type } buckets { start close isComplete } } } }';
  const { data } = await gateway.graphql(series);
  const csv = await ask(series);
  expect(csv.response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
  const expected = data.accounts.series.flatMap(({ key, buckets }: Sum) =>
    buckets.map(({ start, close, isComplete }) => ({
      ...{ 'key.asset': key.asset, 'key.type': key.type },
      ...{ 'buckets.start': start, 'buckets.close': close ?? '', 'buckets.isComplete': `${isComplete}` },
    })),
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(rowsOf(csv.text)).toEqual(expected);

  const lines = await ask(series, { accept: 'application/x-ndjson' });
  const first = JSON.parse(lines.text.split('\n')[0] ?? '');
  expect(first).toEqual({
    ...expected[0],
    'buckets.isComplete': expected[0]['buckets.isComplete'] === 'true',
    'buckets.close': data.accounts.series[0].buckets[0].close,
  });
  expect(lines.text.trimEnd().split('\n')).toHaveLength(expected.length);

  const sums =
    '{ asOf(height: "30") { block { height } rewards { sums(by: [ASSET, TYPE], first: 3) { key { assetId type } amount count } } } }';
  const asked = (await gateway.graphql(sums)).data.asOf;
  expect(rowsOf((await ask(sums)).text)).toEqual(
    asked.rewards.sums.map(
      (sum: { readonly key: { assetId: string; type: string }; amount: string; count: number }) => ({
        ...{ 'asOf.block.height': '30', 'key.assetId': sum.key.assetId, 'key.type': sum.key.type },
        ...{ amount: sum.amount, count: `${sum.count}` },
      }),
    ),
  );
  const page =
    '{ accounts(first: 2) { edges { node { id ...B } } } } fragment B on Account { balance owner: owner }';
  expect(rowsOf((await ask(page)).text)).toEqual(
    (await gateway.graphql(page)).data.accounts.edges.map(
      ({ node }: { readonly node: Record<string, string> }) => ({
        ...{ 'node.id': node['id'], 'node.balance': node['balance'], 'node.owner': node['owner'] },
      }),
    ),
  );
});

interface Sum {
  readonly key: { readonly asset: string; readonly type: string };
  readonly buckets: readonly {
    readonly start: string;
    readonly close: string | null;
    readonly isComplete: boolean;
  }[];
}

test('a table without rows has its head; one of an address has its form there', async () => {
  await using periscope = await open();
  const { gateway } = periscope;
  const query = `{ accounts(filter: { partyIds: ["${'ab'.repeat(32)}"] }) { nodes { id balance } } }`;
  const get = (search: Record<string, string>, headers = {}) =>
    fetch(`${gateway.url}/graphql?${new URLSearchParams({ query, ...search })}`, { headers });
  const empty = await get({ format: 'csv' });
  expect(await empty.text()).toBe('"id","balance"\r\n');
  expect(empty.headers.get('Content-Disposition')).toBe('attachment; filename="answer.csv"');
  const etag = empty.headers.get('ETag') ?? '';
  expect((await get({ format: 'csv' }, { 'If-None-Match': etag })).status).toBe(304);
  expect(await (await get({ format: 'json' })).json()).toEqual({ data: { accounts: { nodes: [] } } });
  const wrong = await get({ format: 'xml' });
  expect([wrong.status, (await wrong.json()).message]).toEqual([
    400,
    'Parameter format takes one of json, csv, spreadsheet, ndjson, not "xml".',
  ]);
  const head = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query, format: 'csv' })}`, {
    method: 'HEAD',
  });
  expect([head.status, head.headers.get('Content-Type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
});

test('what is no table is refused by name, before it runs', async () => {
  await using periscope = await open();
  const { ask } = periscope;
  const refused = async (query: string) => {
    const { response, text } = await ask(query);
    return [response.status, JSON.parse(text).message];
  };
  expect(await refused('{ block { height } }')).toEqual([
    400,
    'The query selects no list: a table has the rows of one. Ask for JSON.',
  ]);
  expect(await refused('{ accounts { nodes { id } } votes { nodes { id } } }')).toEqual([
    400,
    'The query selects two lists, accounts.nodes and votes.nodes: a table has the rows of one, or of a list within it.',
  ]);
  expect((await refused('{ accounts { nodes { nothing } } }'))[0]).toBe(400);
  expect(await refused('{ accounts(first: -1) { nodes { id } } }')).toEqual([
    400,
    expect.stringContaining('first'),
  ]);
});
