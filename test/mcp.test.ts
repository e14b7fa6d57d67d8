import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { specifiedRules, validate } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { costOf } from '../src/engine/price/cost.ts';
import { OPERATION_LIMITS } from '../src/graphql/costs.ts';
import { schema } from '../src/graphql/index.ts';
import { tools } from '../src/mcp/tools.ts';
import { createTestDatabase } from './support/database.ts';
import { forAllTests } from './support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { createSimulatedDatabase } from './support/simulated.ts';

const network = await forAllTests(createSimulatedDatabase({ seed: 7, blocks: 60, parties: 40, markets: 2 }));
const gateway = await forAllTests(startTestGateway(network.url));
const client = await connect(gateway);
afterAll(() => client.close());

async function connect({ url }: TestGateway): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' });
  // The SDK's transport has a member that its interface has not under exactOptionalPropertyTypes.
  await made.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never);
  return made;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says of each answer what it must be.
type Json = any;

async function call(
  name: string,
  given: Json = {},
  of = client,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = await of.callTool({ name, arguments: given });
  const [part] = content as { text: string }[];
  return { text: part?.text ?? '', isError: isError === true };
}

async function answer(name: string, given: Json = {}): Promise<Json> {
  const { text, isError } = await call(name, given);
  expect([text, isError]).toEqual([text, false]);
  return JSON.parse(text);
}

const post = (body: string, headers: Readonly<Record<string, string>> = {}, of = gateway) =>
  fetch(`${of.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });

test('the official client lists the tools, each with a schema and units where it has quantities', async () => {
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  for (const { description = '', inputSchema, annotations } of listed.tools) {
    expect(description.length).toBeGreaterThan(60);
    expect(annotations?.readOnlyHint).toBe(true);
    expect(Object.keys(inputSchema.properties ?? {})).toContain('height');
    expect(Object.keys(inputSchema.properties ?? {})).not.toContain('query');
  }
  expect(client.getInstructions()).toContain('exact text');
});

test.each(tools)('$name asks a valid operation that may be asked at its largest', (tool) => {
  expect(validate(schema, tool.operation, specifiedRules)).toEqual([]);
  const largest = Object.entries(tool.arguments).map(([name, { maximum }]) => [name, maximum]);
  const given = Object.fromEntries(largest.filter(([, most]) => most !== undefined));
  const { cost, counts } = costOf({ schema, document: tool.operation, variableValues: given });
  // As of a block it is twice as dear.
  expect(cost * 2).toBeLessThan(OPERATION_LIMITS.cost);
  expect(counts).toBeLessThanOrEqual(OPERATION_LIMITS.counts);
});

describe('a tool answers what GraphQL answers', () => {
  test('of the network, its markets and one of them, as exact text', async () => {
    const status = await answer('network_status');
    const { data } = await gateway.graphql('{ block { height } markets(first: 0) { totalCount } }');
    expect(status.block.height).toBe(data.block.height);
    expect(status.markets.totalCount).toBe(data.markets.totalCount);
    const { markets } = await answer('list_markets', { first: 1 });
    expect(markets.nodes).toHaveLength(1);
    const [{ id }] = markets.nodes;
    const next = await answer('list_markets', { first: 1, after: markets.pageInfo.endCursor });
    expect(next.markets.nodes[0].id).not.toBe(id);
    const { market } = await answer('get_market', { id, every: 'PT1M', candles: 3 });
    const beside = await gateway.graphql(
      'query ($id: ID!) { market(id: $id) { marketData { markPrice } candles(every: "PT1M", first: 3) { nodes { open volume } } } }',
      { id },
    );
    expect(market).toMatchObject(beside.data.market);
    expect(market.marketData.markPrice).toMatch(/^\d+$/);
    const estimate = await answer('estimate_position', {
      marketId: id,
      openVolume: '-1000',
      collateralAvailable: '1',
    });
    expect(estimate.estimatePosition.margin.worstCase.maintenanceMargin).toMatch(/^\d+$/);
    expect(estimate.estimatePosition.liquidation).not.toBeNull();
  });

  test('of a party, its deposits, proposals, and what is found', async () => {
    const { deposits } = await answer('list_deposits', { first: 2 });
    const [{ partyId, amount }] = deposits.nodes;
    expect(amount).toMatch(/^\d+$/);
    const { party } = await answer('get_party', { id: partyId });
    const beside = await gateway.graphql(
      'query ($id: ID!) { party(id: $id) { rewards { sums(by: [ASSET]) { amount count } } } }',
      { id: partyId },
    );
    expect(party.rewards.sums).toMatchObject(beside.data.party.rewards.sums);
    expect(party.accounts.nodes.length).toBeGreaterThan(0);
    const { proposals } = await answer('list_proposals');
    expect(proposals.totalCount).toBeGreaterThan(0);
    expect(proposals.nodes[0].tally.yes.tokens).toMatch(/^\d+$/);
    const { search } = await answer('search', { text: partyId.slice(0, 12) });
    expect(search).toContainEqual(expect.objectContaining({ kind: 'PARTY', objectId: partyId }));
  });

  test('page after page, as the description of `after` says: with the height that the list began with, or none', async () => {
    for (const began of [{}, { height: '40' }]) {
      const given = { first: 1, ...began };
      const { block, deposits } = await answer('list_deposits', given);
      const after = deposits.pageInfo.endCursor;
      const next = await answer('list_deposits', { ...given, after });
      expect(next.deposits.nodes[0].id).not.toBe(deposits.nodes[0].id);
      const other = 'height' in began ? {} : { height: block.height };
      const { text, isError } = await call('list_deposits', { first: 1, ...other, after });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^INVALID_ARGUMENT: after takes a cursor/),
      ]);
    }
    const { tools: listed } = await client.listTools();
    const lists = listed.flatMap(({ inputSchema }) => inputSchema.properties?.['after'] ?? []);
    expect(lists.length).toBeGreaterThan(3);
    for (const { description } of lists as { description: string }[])
      expect(description).toContain('with height only if that answer was asked with it');
    expect(client.getInstructions()).toContain('to ask something else as of the same block');
  });

  test('with the decimals that each quantity of a candle is said to have', async () => {
    const [{ id }] = (await answer('list_markets', { first: 1 })).markets.nodes;
    const { market } = await answer('get_market', { id, every: 'P1W', candles: 1 });
    const [{ low, high, volume, notional, trades }] = market.candles.nodes;
    const price = BigInt(notional) / BigInt(volume);
    // Raw, as prices and sizes are: a mean of the prices.
    expect([price >= BigInt(low), price <= BigInt(high), trades > 0]).not.toContain(false);
    const { tools: listed } = await client.listTools();
    const { description } = listed.find(({ name }) => name === 'get_market') ?? {};
    expect(description).toContain('divide by 10^(decimalPlaces + positionDecimalPlaces)');
    expect(description).not.toContain('whole units');
  });

  test('as of a block', async () => {
    const { block, deposits } = await answer('list_deposits', { first: 1, height: '10' });
    const { data } = await gateway.graphql(
      '{ asOf(height: "10") { block { height timestamp } deposits(first: 1) { totalCount } } }',
    );
    expect(block).toEqual(data.asOf.block);
    expect(deposits.totalCount).toBe(data.asOf.deposits.totalCount);
    const { text, isError } = await call('network_status', { height: '999999' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^OUT_OF_RANGE: .*999999/)]);
  });
});

describe('what is wrong is told to the model', () => {
  test.each([
    ['get_market', { id: 'none' }, /^NOT_FOUND: .*none/],
    ['get_market', {}, /^INVALID_ARGUMENT: .*must have required property 'id'/],
    ['get_market', { id: 'x', every: 'PT7H' }, /^(INVALID_ARGUMENT|NOT_FOUND): /],
    ['list_deposits', { first: 1.5 }, /^INVALID_ARGUMENT: .*first must be integer/],
    ['list_deposits', { first: 101 }, /^INVALID_ARGUMENT: .*first must be <= 100/],
    ['list_deposits', { after: 'x' }, /^INVALID_ARGUMENT: /],
    ['list_deposits', { query: '{ block { height } }' }, /^INVALID_ARGUMENT: .*additional properties/],
    ['list_markets', { states: ['ACTIVE?'] }, /^INVALID_ARGUMENT: /],
    ['search', { text: 'a\0b' }, /^INVALID_ARGUMENT: /],
    ['search', { text: '\ud800' }, /^INVALID_ARGUMENT: /],
    ['search', { text: 'a'.repeat(257) }, /^INVALID_ARGUMENT: /],
    ['estimate_position', { marketId: 'none', openVolume: '1' }, /^NOT_FOUND: /],
    ['estimate_position', { marketId: 'none', openVolume: '1.5' }, /^INVALID_ARGUMENT: .*openVolume/],
    ['estimate_position', { marketId: 'none', openVolume: '9999999999999999999' }, /^INVALID_ARGUMENT: /],
  ])('%s %j', async (name, given, words) => {
    const { text, isError } = await call(name, given);
    expect([isError, text]).toEqual([true, expect.stringMatching(words)]);
  });

  test('a tool that there is not is an error of the protocol', async () => {
    await expect(call('drop_tables')).rejects.toThrow(/There is no such tool; there are network_status, /);
  });
});

describe('a request', () => {
  test.each([
    ['no JSON', '{', {}, 400],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', {}, 400],
    ['what is no message', '{"hello":1}', {}, 400],
    ['what is nested deep', `${'['.repeat(9000)}${']'.repeat(9000)}`, {}, 400],
    ['another type', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'Content-Type': 'text/plain' }, 415],
    [
      'one that takes no events',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { Accept: 'application/json' },
      406,
    ],
    ['another version', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'MCP-Protocol-Version': '1' }, 400],
    ['a body that is too large', `{"a":"${'x'.repeat(70_000)}"}`, {}, 413],
    ['a message without an answer', '{"jsonrpc":"2.0","method":"notifications/initialized"}', {}, 202],
    ['a message', '{"jsonrpc":"2.0","id":1,"method":"ping"}', {}, 200],
  ])('with %s', async (_, body, headers, status) => {
    const response = await post(body, headers);
    const text = await response.text();
    expect([response.status, text]).toEqual([status, text]);
    expect(response.headers.get('x-request-id')).not.toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (status === 200) expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  test.each(['[]', 'null', '"a"'])('whose arguments are %s is told so as of wrong params', async (given) => {
    const params = `{"name":"network_status","arguments":${given}}`;
    const response = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test('by another method is told which there is', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${gateway.url}/mcp`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      await response.text();
    }
  });
});

test('tools are charged as operations are', async () => {
  await using limited = await startTestGateway(network.url, { RATE_LIMIT: '2000' });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const params = { name: 'list_deposits', arguments: { first: 100 } };
  let last = '';
  for (let asked = 0; asked < 40 && !/RESOURCE_EXHAUSTED|"code":8/.test(last); asked += 1)
    last = await (await post(JSON.stringify({ ...message, params }), {}, limited)).text();
  expect(last).toMatch(/RESOURCE_EXHAUSTED: |"code":8/);
});

test('a gateway whose MCP is off serves none of it, and does not speak of it', async () => {
  await using database = await createTestDatabase();
  await using closed = await startTestGateway(database.url, { MCP: 'off' });
  const response = await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', {}, closed);
  expect([response.status, ((await response.json()) as Json).message]).toEqual([
    404,
    'This gateway does not serve the Model Context Protocol (MCP is off).',
  ]);
  expect(await (await fetch(`${closed.url}/llms.txt`)).text()).not.toMatch(/\/mcp(?!\.md)/);
  expect(await (await fetch(`${gateway.url}/llms.txt`)).text()).toContain('/mcp');
});
