import { describe, expect, test } from 'vitest';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway, startTestGateway } from '../support/gateway.ts';
import { ask } from '../support/state.ts';

const gateway = await forAllTests(startOwnGateway());

test('GraphiQL loads all that it needs from the gateway, and keeps it', async () => {
  const response = await fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } });
  const page = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
  expect(page.length).toBeLessThan(8000);
  const loaded = [
    ...page.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/g),
  ].map(([, address = '']) => address);
  expect(loaded.filter((address) => !address.startsWith('/'))).toEqual([]);
  const assets = loaded.filter((address) => address.startsWith('/graphql/assets/'));
  expect(assets.length).toBeGreaterThanOrEqual(2);
  let whole = 0;
  for (const address of assets) {
    const plain = await fetch(`${gateway.url}${address}`, { headers: { 'accept-encoding': 'identity' } });
    expect([plain.status, plain.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    const etag = plain.headers.get('etag') ?? '';
    const text = await plain.text();
    whole += text.length;
    const compressed = await fetch(`${gateway.url}${address}`, { headers: { 'accept-encoding': 'gzip' } });
    expect([compressed.headers.get('content-encoding'), compressed.headers.get('etag')]).toEqual([
      text.length < 1024 ? null : 'gzip',
      etag,
    ]);
    expect(await compressed.text()).toBe(text);
    const known = await fetch(`${gateway.url}${address}`, { headers: { 'if-none-match': etag } });
    expect([known.status, await known.text()]).toEqual([304, '']);
  }
  expect(whole).toBeGreaterThan(500_000);
  expect((await fetch(`${gateway.url}/graphql/assets/none.js`)).status).toBe(404);
});

test("GraphiQL's page is known by its tag", async () => {
  const get = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html', ...headers } });
  const etag = (await get({})).headers.get('etag') ?? '';
  const known = await get({ 'if-none-match': etag });
  expect([known.status, await known.text()]).toEqual([304, '']);
  const head = await fetch(`${gateway.url}/graphql`, { method: 'HEAD', headers: { accept: 'text/html' } });
  expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
});

describe('errors', () => {
  test('are the error body for a client that takes answers in parts', async () => {
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
      body: JSON.stringify({ query: '{ nothingOfTheKind }' }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect(await answer.json()).toMatchObject({
      code: 3,
      errors: [{ extensions: { code: 'INVALID_ARGUMENT' } }],
    });
  });

  test('name what is wrong with a document', async () => {
    for (const [accept, status] of [
      ['application/graphql-response+json', 400],
      ['application/json', expect.toSatisfy((code) => code === 200 || code === 400)],
    ] as const) {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query: '{ nothingOfTheKind }' }),
      });
      expect(response.status).toEqual(status);
      const { errors } = await response.json();
      expect(errors[0].message).toContain('nothingOfTheKind');
      expect(errors[0].extensions.code).toBe('INVALID_ARGUMENT');
    }
  });

  test.each([
    ['in a variable', 'query ($id: ID!) { deposit(id: $id) { id } }', { id: 'a\0b' }],
    [
      'deep in a variable',
      'query ($f: AccountFilter) { accounts(filter: $f) { totalCount } }',
      { f: { partyIds: ['\0'] } },
    ],
    ['in a literal', '{ deposit(id: "a\\u0000b") { id } }', {}],
    ['in a literal, in braces', '{ deposit(id: "a\\u{0}b") { id } }', {}],
    ['as it is', '{ deposit(id: "a\0b") { id } }', {}],
  ])('a NUL %s is refused', async (_, query, variables) => {
    const { errors } = await gateway.graphql(query, variables);
    expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
    expect(errors?.[0]?.message).toMatch(/NUL|Invalid character/);
  });

  test.each([
    ['a text of a backslash and u0000', '{ search(text: "a\\\\u0000") { kind } }', { search: [] }],
    ['a comment', '{ search(text: "\\\\u{0}") { kind } } # \\u0000', { search: [] }],
  ])('%s is no NUL', async (_, query, data) => {
    expect(await gateway.graphql(query)).toEqual({ status: 200, data, errors: undefined });
  });

  test.each([
    '{ node(nodeId: "x") { nodeId } }',
    '{ node(nodeId: "RGVwb3NpdA==") { nodeId } }',
    '{ nodes(nodeIds: ["Vm90ZTp4"]) { nodeId } }',
    '{ node(nodeId: "UXVlcnk6MQ==") { nodeId } }',
    '{ node(nodeId: "Vm90ZTo5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk=") { nodeId } }',
  ])('a global ID that is none is not our fault: %s', async (query) => {
    const { status, errors } = await gateway.graphql(query);
    expect(status).toBe(200);
    expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
  });

  test('say nothing of what went wrong within', async () => {
    await using broken = await createDisposableDatabase();
    await using other = await startTestGateway(broken.url);
    await ask(broken.url, 'DROP TABLE deposits, blocks CASCADE');
    for (const query of [
      '{ deposits { edges { cursor } } }',
      '{ deposit(id: "x") { id } }',
      '{ block { height } }',
    ]) {
      const { errors } = await other.graphql(query);
      expect(errors?.[0]?.extensions.code).toBe('INTERNAL');
      expect(JSON.stringify(errors)).not.toMatch(/relation|does not exist|prisma|42P01|select|node_modules/i);
    }
    const { status, body, text } = await other.rest('/api/v2/deposits');
    expect([status, body.code]).toEqual([500, 13]);
    expect(text).not.toMatch(/relation|does not exist|prisma|42P01|select|node_modules/i);
  });
});
