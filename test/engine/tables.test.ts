import { setImmediate as takeTurn } from 'node:timers/promises';
import { parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { PageWalk } from '../../src/engine/page-walk.ts';
import { schema } from '../../src/graphql/index.ts';
import { type PagedField, tableForm } from '../../src/graphql-http/table-columns.ts';
import { textOfTable } from '../../src/graphql-http/table-rows.ts';
import { WholeList } from '../../src/graphql-http/whole-lists.ts';
import { RateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { NOBODY } from '../../src/http/request-scope.ts';
import { ROW_FORMATS, valueAt } from '../../src/http/write/csv.ts';
import { createTestEngine } from '../support/engine.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { NO_FEED } from './executors.ts';

const NETWORK = { seed: 5, blocks: 40, parties: 12, markets: 2 };

async function open(
  own: Partial<Parameters<typeof createSimulatedDatabase>[0]> = {},
  settings: Readonly<Record<string, string>> = {},
) {
  const network = await createSimulatedDatabase({ ...NETWORK, ...own });
  const gateway = await startTestGateway(network.url, settings);
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

test('a table whose columns have too long names together is refused, in each form', async () => {
  await using periscope = await open();
  const { ask } = periscope;
  const twenty = (select: string) => Array.from({ length: 20 }, (_, n) => `f${n}: ${select}`).join(' ');
  const below = (alias: string, fragment: string) =>
    `{ markets(first: 0) { nodes { ${alias}: parentMarket { ...${fragment} } } } }
      fragment C on Market { ${twenty('id')} }`;
  // 8,000 columns, each below the long alias.
  const query = `${below('a'.repeat(30_000), 'A')}
    fragment A on Market { ${twenty('parentMarket { ...B }')} }
    fragment B on Market { ${twenty('parentMarket { ...C }')} }`;
  for (const format of ['csv', 'spreadsheet', 'ndjson']) {
    const { response, text } = await ask(query, { search: `?format=${format}` });
    expect([response.status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ code: 3, message: expect.stringContaining('more than 32768 characters') }),
    ]);
  }
  expect((await ask(below('a'.repeat(1000), 'C'))).response.status).toBe(200);
});

test('sums and lists without a page are whole, as of one block, however many pages they have', async () => {
  await using periscope = await open({ parties: 900 });
  const { gateway, ask } = periscope;
  const by = '[ASSET, PARTY, MARKET, TYPE]';
  const key = 'key { assetId partyId marketId type }';
  const sums = `{ accounts { ...On } } fragment On on AccountConnection { groups: sums(by: ${by}) { ${key} amount } }`;
  const groups: object[] = [];
  for (let after = ''; ; ) {
    const page = `{ accounts { sums(by: ${by}, first: 1000 ${after}) { ${key} amount cursor hasNextPage } } }`;
    const { data } = await gateway.graphql(page);
    for (const one of data.accounts.sums)
      groups.push({
        ...{ 'key.assetId': one.key.assetId, 'key.partyId': one.key.partyId },
        ...{ 'key.marketId': one.key.marketId, 'key.type': one.key.type, amount: one.amount },
      });
    const last = data.accounts.sums.at(-1);
    if (!last.hasNextPage) break;
    after = `, after: "${last.cursor}"`;
  }
  expect(groups.length).toBeGreaterThan(1100);
  const { response, text } = await ask(sums);
  expect(response.headers.get('X-Block-Height')).toBe(`${NETWORK.blocks}`);
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="answer.csv"');
  expect(rowsOf(text)).toEqual(groups);
  const lines = await ask(sums, { accept: 'application/x-ndjson' });
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(groups);
  expect(rowsOf((await ask(sums.replace(`by: ${by}`, `by: ${by}, first: 7`))).text)).toEqual(
    groups.slice(0, 7),
  );

  const { data } = await gateway.graphql(
    '{ accounts(first: 5000) { totalCount nodes { owner asset type marketId } } }',
  );
  expect(data.accounts.totalCount).toBeGreaterThan(1100);
  for (const rows of [
    'nodes { owner asset type marketId }',
    'edges { node { owner asset type marketId } }',
  ]) {
    const whole = rowsOf((await ask(`{ asOf { block { height } accounts { ${rows} } } }`)).text);
    expect(whole.map((row) => row['asOf.block.height'])).toEqual(data.accounts.nodes.map(() => '40'));
    const own = ({ 'asOf.block.height': _, ...row }: Record<string, string>) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace('node.', ''), value]));
    expect(whole.map(own)).toEqual(data.accounts.nodes);
  }
  const cursor = (await gateway.graphql('{ accounts(first: 3) { pageInfo { endCursor } } }')).data.accounts
    .pageInfo.endCursor;
  const page = await ask(`{ accounts(after: "${cursor}") { nodes { owner asset type marketId } } }`);
  expect(rowsOf(page.text)).toEqual(data.accounts.nodes.slice(3, 1003));
});

test('the pages of a table are of one block, whatever comes between them', async () => {
  await using network = await createSimulatedDatabase({ ...NETWORK, parties: 300 });
  const database = openDatabase({ url: network.url, readOnly: true });
  const engine = createTestEngine({ ...database, feed: NO_FEED });
  let height = NETWORK.blocks;
  for (const asOf of ['asOf', 'asOf(time: "9000000000000000000")']) {
    const query = `{ now: ${asOf} { block { height } accounts { nodes { id balance } } } }`;
    const operation = await engine.read({ query }, 'http', 'a');
    const field = tableForm(schema, operation).paged as PagedField;
    const list = new PageWalk(new WholeList(operation, field, engine), engine, NOBODY);
    await list.readFirst({ height: BigInt(height) });
    await network.advanceTo(height + 1);
    const heights: unknown[] = [];
    for await (const [page] of list.walk()) heights.push(valueAt(page ?? null, ['now', 'block', 'height']));
    expect(heights).toEqual([`${height}`, `${height}`]);
    height += 1;
  }
  await database.close();
});

test('a table names the block of its rows, also where that is not the newest', async () => {
  await using periscope = await open();
  const { data } = await periscope.gateway.graphql('{ block(height: "30") { timestamp } }');
  for (const asOf of ['asOf(height: "30")', `asOf(time: "${data.block.timestamp}")`, 'asOf']) {
    const { response } = await periscope.ask(`{ ${asOf} { accounts { nodes { id } } } }`);
    const height = asOf === 'asOf' ? NETWORK.blocks : 30;
    expect([response.status, response.headers.get('X-Block-Height')]).toEqual([200, `${height}`]);
  }
  // What stands beside it is of the newest.
  const beside =
    '{ now: block { height } asOf(height: "30") { block { height } accounts { nodes { id } } } }';
  const [, row] = (await periscope.ask(beside)).text.split('\r\n');
  expect(row).toMatch(new RegExp(`^"?${NETWORK.blocks}"?,"?30"?,`));
  const none = await periscope.ask('{ asOf(height: "99") { accounts { nodes { id } } } }');
  expect([none.response.status, JSON.parse(none.text).message]).toEqual([
    expect.any(Number),
    'There is no block at height 99: the first is 1, the newest is 40.',
  ]);
});

test('a whole table of an address is known by its block, and HEAD has the same', async () => {
  await using periscope = await open();
  const search = new URLSearchParams({
    query: 'query Sums { accounts { sums(by: [ASSET, TYPE]) { amount } } }',
    format: 'csv',
  });
  const address = `${periscope.gateway.url}/graphql?${search}`;
  const plain = { 'Accept-Encoding': 'identity' };
  const { headers } = await fetch(address, { headers: plain });
  expect(headers.get('Content-Disposition')).toBe('attachment; filename="Sums.csv"');
  const etag = headers.get('ETag') ?? '';
  expect((await fetch(address, { headers: { ...plain, 'If-None-Match': etag } })).status).toBe(304);
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, etag, '']);
});

test('a whole table that is asked for by POST has no tag, which would say nothing of its query', async () => {
  await using periscope = await open();
  const { response } = await periscope.ask('{ accounts { nodes { id } } }');
  const { headers, status } = response;
  expect([status, headers.get('ETag'), headers.get('Cache-Control')]).toEqual([200, null, 'no-store']);
  const again = await fetch(`${periscope.gateway.url}/graphql?format=csv`, {
    method: 'POST',
    body: JSON.stringify({ query: '{ votes { nodes { id: partyId } } }' }),
    headers: { 'Content-Type': 'application/json', 'If-None-Match': '*' },
  });
  expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('"id"')]);
});

test('a column in a row that is called as one around it has its whole path', async () => {
  await using periscope = await open();
  const query =
    '{ type: block { height } accounts(first: 3) { nodes { type: assetNode { height: id } owner } } }';
  const names = ['type.height', 'accounts.nodes.type.height', 'owner'];
  const [row = {}] = rowsOf((await periscope.ask(query)).text);
  expect(Object.keys(row)).toEqual(names);
  const lines = await periscope.ask(query, { accept: 'application/x-ndjson' });
  expect(Object.keys(JSON.parse(lines.text.split('\n')[0] ?? ''))).toEqual(names);
});

test('fragments that multiply are looked at once', async () => {
  await using periscope = await open();
  const fragments = Array.from(
    { length: 40 },
    (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
  );
  const query = `{ assets { nodes { id } } ...F0 @skip(if: true) } ${fragments.join(' ')} fragment F40 on Query { assets { nodes { id } } }`;
  const { data } = await periscope.gateway.graphql('{ asOf { assets { nodes { id } } } }');
  expect(rowsOf((await periscope.ask(query)).text)).toEqual(data.asOf.assets.nodes);
});

test('a format without a value is none, as on the paths', async () => {
  await using periscope = await open();
  const { response, text } = await periscope.ask('{ accounts(first: 2) { nodes { asset } } }', {
    search: '?format=',
    accept: 'application/json',
  });
  expect([response.status, JSON.parse(text).data.accounts.nodes]).toEqual([
    200,
    [{ asset: expect.any(String) }, { asset: expect.any(String) }],
  ]);
});

test('what a table has no use for is refused or named', async () => {
  await using periscope = await open();
  const query = '{ accounts(first: 2) { nodes { asset balance } } }';
  const units = await periscope.ask(query, { search: '?format=csv&units=true' });
  expect([units.response.status, JSON.parse(units.text).details[0].fieldViolations[0].field]).toEqual([
    400,
    'units',
  ]);
  const search = '?format=csv&unit=true';
  const ignored = await periscope.ask(query, { search });
  expect([ignored.response.status, ignored.response.headers.get('X-Ignored-Parameters')]).toEqual([
    200,
    'unit',
  ]);
  const whole = await periscope.ask(query.replace('(first: 2)', ''), { search });
  expect(whole.response.headers.get('X-Ignored-Parameters')).toBe('unit');
  const strict = await fetch(`${periscope.gateway.url}/graphql${search}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'handling=strict' },
    body: JSON.stringify({ query }),
  });
  expect([strict.status, (await strict.json()).message]).toEqual([
    400,
    expect.stringContaining('Parameter unit has no meaning here'),
  ]);
});

/** So many blocks around a list, with as many fields each: a short query. */
function around(list: string, blocks: number, fields: number) {
  const times = (count: number, what: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => what(n));
  return `{ ${list} ${times(blocks, (n) => `a${n}: block { ...F }`).join(' ')} }
    fragment F on Block { ${times(fields, (n) => `b${n}: height`).join(' ')} }`;
}

test('a table that tells what stands around its list too often is refused, in each form, before it is written', async () => {
  await using periscope = await open({ parties: 900 });
  const { gateway, ask } = periscope;
  const { data } = await gateway.graphql('{ accounts(first: 5000) { nodes { id } } }');
  const rows = data.accounts.nodes.length;
  expect(rows).toBeGreaterThan(1100);
  const query = around('accounts(first: 5000) { nodes { id } }', 60, 90);
  for (const format of ROW_FORMATS) {
    const { response, text } = await ask(query, { search: `?format=${format}` });
    const { code, message, details } = JSON.parse(text);
    expect([response.status, code, details[0].fieldViolations[0].field]).toEqual([400, 3, 'query']);
    expect(message).toContain(`5400 columns in ${rows} rows are more than 2000000 values`);
  }
  // Of few rows it is one, and so is JSON.
  const few = await ask(around('accounts(first: 2) { nodes { id } }', 60, 90));
  expect(few.text.split('\r\n').map((line) => line.split(',').length)).toEqual([5401, 5401, 5401, 1]);
  expect((await gateway.graphql(query)).errors).toBeUndefined();
});

test('a table whose values are long is refused where its text would be', async () => {
  const long = 'x'.repeat(2 ** 20);
  const form = tableFormOf('{ accounts(first: 100) { nodes { id } } market(id: "a") { code } }');
  const data = {
    accounts: { nodes: Array.from({ length: 100 }, () => ({ id: '1' })) },
    market: { code: long },
  };
  for (const format of ROW_FORMATS)
    await expect(textOfTable(data, { form, format })).rejects.toThrow('more than 67108864 characters');
});

test('while a table is written, others have their turns', async () => {
  const form = tableFormOf(around('accounts(first: 5000) { nodes { id } }', 1, 400));
  const block = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`b${n}`, '1']));
  const data = { accounts: { nodes: Array.from({ length: 2000 }, () => ({ id: '1' })) }, a0: block };
  for (const format of ROW_FORMATS) {
    let turns = 0;
    const writing = textOfTable(data, { form, format });
    const others = (async () => {
      for (let isOver = false; !isOver; turns += 1) {
        isOver = (await Promise.race([writing, takeTurn('turn')])) !== 'turn';
      }
    })();
    expect((await writing).trimEnd().split('\n')).toHaveLength(format === 'ndjson' ? 2000 : 2001);
    await others;
    expect(turns).toBeGreaterThan(2);
  }
});

function tableFormOf(query: string) {
  const engine = createTestEngine({} as never);
  return tableForm(schema, engine.price(parse(query), {}, 'http'));
}

test('what a table tells again is charged for, once for each row, of pages and of one page', async () => {
  await using periscope = await open({}, { RATE_LIMIT: '1000000000' });
  const { ask, gateway } = periscope;
  const { data } = await gateway.graphql('{ accounts(first: 5000) { nodes { id } } }');
  const rows = data.accounts.nodes.length;
  const charge = vi.spyOn(RateLimiter.prototype, 'charge');
  const charged = async (list: string, fields: number) => {
    charge.mockClear();
    expect((await ask(around(list, 1, fields))).response.status).toBe(200);
    return charge.mock.calls.map(([, cost]) => cost);
  };
  expect(await charged('accounts(first: 5000) { nodes { id } }', 300)).toContain(rows * 300);
  // Its first page has a hundred rows.
  const ofPages = [100 * 300, (rows - 100) * 300];
  expect(await charged('accounts { nodes { id } }', 300)).toEqual(expect.arrayContaining(ofPages));
  charge.mockRestore();
});
