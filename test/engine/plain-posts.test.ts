import { describe, expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { askRaw } from '../support/raw-answers.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';

const database = await forAllTests(
  createSimulatedDatabase({ seed: 12, blocks: 30, parties: 40, markets: 2 }),
);
/** As it is, and with nothing kept and nothing answered in front. */
const fronted = await forAllTests(startTestGateway(database.url, { BODY_LIMIT: '20000' }));
const layered = await forAllTests(
  startTestGateway(database.url, { BODY_LIMIT: '20000', KEPT_ANSWERS_MB: '0' }),
);
const [deposit] = await database.readTable('deposits');
const [market] = await database.readTable('market_data');
const ids = { deposit: deposit?.['id'] ?? '', market: market?.['market_id'] ?? '' };

const ROW = 'query ($id: ID!) { deposit(id: $id) { id amount status party { id } assetNode { symbol } } }';
const PAGE =
  'query ($first: Int) { deposits(first: $first) { totalCount edges { cursor node { id amount } } } }';
const TWO = 'query A { a: __typename } query B { b: block { height } }';

function bodies(): readonly string[] {
  const { deposit, market } = ids;
  const json = (params: object) => JSON.stringify(params);
  return [
    json({ query: ROW, variables: { id: deposit } }),
    json({ query: ROW, variables: { id: deposit, more: 1 }, operationName: null, extensions: {} }),
    json({ query: ROW, variables: { id: 'unknown' }, extensions: null }),
    json({ variables: { id: 7 }, query: ROW }),
    json({ query: ROW, variables: { id: null } }),
    json({ query: ROW, variables: { id: 'a\0b' } }),
    json({ query: ROW, variables: { id: [[[deposit]]] } }),
    json({ query: ROW, variables: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }),
    json({ query: ROW, variables: { id: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) } }),
    json({ query: ROW }),
    json({ query: ROW, variables: '{}' }),
    json({ query: ROW, variables: { id: deposit }, operationName: 'Other' }),
    json({ query: ROW, variables: { id: deposit }, operationName: 7 }),
    json({ query: ROW, variables: { id: deposit }, extensions: { persistedQuery: {} } }),
    json({ query: ROW, variables: { id: deposit }, extra: 1 }),
    json({ query: ROW, variables: { id: deposit }, extra: null }),
    json([{ query: ROW, variables: { id: deposit } }]),
    `\uFEFF${json({ query: ROW, variables: { id: deposit } })}`,
    ` ${json({ query: ROW, variables: { id: deposit } })}\n`,
    json({ query: PAGE }),
    json({ query: PAGE, variables: { first: 5 } }),
    json({ query: PAGE, variables: { first: 0 } }),
    json({ query: PAGE, variables: { first: -1 } }),
    json({ query: PAGE, variables: { first: 'x' } }),
    json({ query: TWO, operationName: 'A' }),
    json({ query: TWO, operationName: 'B' }),
    json({ query: TWO }),
    json({ query: '{ block { height } deposits(first: 1) { edges { node { id } } } }' }),
    json({ query: `{ estimateFee(marketId: "${market}", price: "1", size: "1") { makerFee } }` }),
    json({
      query: '{ a: deposit(id: "x") { id } estimateFee(marketId: "x", price: "1", size: "1") { makerFee } }',
    }),
    json({ query: '{ node(nodeId: "x") { nodeId } }' }),
    json({
      query: `query ($n: Int) { markets(first: $n) { edges { node { ${'accounts(first: $n) { edges { node { owner } } }'} } } } }`,
      variables: { n: 5000 },
    }),
    json({ query: 'subscription { blocks { cursor } }' }),
    json({ query: '{ __schema { queryType { name } } }' }),
    json({ query: '{ nothing }' }),
    json({ query: '{ deposit(id: "\\u0000") { id } }' }),
    json({ query: '{ block { height }' }),
    json({ query: '' }),
    json({ query: ROW, variables: { id: 'é€😀<&>' } }),
    json({ query: `{ deposit(id: "x") { id } } #${'x'.repeat(19_000)}` }),
    json({ query: `{ deposit(id: "x") { id } } #${'x'.repeat(21_000)}` }),
    '{"query": ',
    'null',
    '7',
    '',
  ];
}

const ACCEPTS = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json,application/json;q=0.9',
  'application/json;q=0.1, application/graphql-response+json',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9',
  'application/json, text/plain, */*',
  'text/plain, */*;q=0.5',
  'application/*',
  '*/json',
  'text/html',
  'application/json;charset=utf-16',
  'application/json;charset=utf-8',
  'text/event-stream',
  'APPLICATION/JSON',
  'nothing',
];
const ENCODINGS = ['gzip', 'br', 'gzip, deflate, br', 'gzip;q=0.5'];
const HEADS: readonly (readonly string[])[] = [
  [],
  ...ACCEPTS.map((accept) => [`Accept: ${accept}`]),
  ...ENCODINGS.map((encoding) => [`Accept-Encoding: ${encoding}`]),
  ['If-None-Match: *'],
  ['X-Request-Id: given', 'Origin: https://app.example'],
];

const FEW_HEADS = [...HEADS.slice(0, 4), ['Accept-Encoding: br']];

const PLAIN = 'Content-Type: application/json';
/** An address of GraphQL that no client asks, so that it goes through the layers and Yoga. */
const UNUSUAL = '/graphql?layers';

/** What would go on for ever is asked for in a form that it does not have. */
function isStream(body: string): boolean {
  return body.includes('subscription');
}

function hasMuch(body: string): boolean {
  return body === bodies()[0] || body === JSON.stringify({ query: PAGE });
}

test('every operation is answered as Yoga answers it, byte for byte', async () => {
  let answered = 0;
  for (const body of bodies()) {
    const heads = isStream(body) ? [['Accept: application/json']] : hasMuch(body) ? HEADS : FEW_HEADS;
    for (const head of heads) {
      const other = await post(layered, body, [PLAIN, ...head], UNUSUAL);
      // First as a document that is not known, then known, then asked for again, then kept.
      for (let n = 0; n < 4; n++) {
        const answer = await post(fronted, body, [PLAIN, ...head]);
        const asked = [body.slice(0, 200), ...head, n];
        expect([...asked, answer]).toEqual([...asked, other]);
        if (answer.status === 200) answered += 1;
      }
    }
  }
  expect(answered).toBeGreaterThan(300);
});

test.each([
  ['another content type', ['Content-Type: application/graphql+json']],
  ['a charset', ['Content-Type: application/json; charset=utf-8']],
  ['another charset', ['Content-Type: application/json; charset=latin1']],
  ['an encoded body', [PLAIN, 'Content-Encoding: gzip']],
  ['no content type', []],
  ['two hosts', [PLAIN, 'Host: y']],
])('so is one with %s', async (_, head) => {
  const body = bodies()[0] ?? '';
  for (let n = 0; n < 2; n++)
    expect(await post(fronted, body, head)).toEqual(await post(layered, body, head, UNUSUAL));
});

describe('what is read', () => {
  test('is one statement for each list, with or without errors beside it', async () => {
    const query = (price: string) =>
      `{ proposals(first: 3) { edges { node { id } } } estimateFee(marketId: "x", price: "${price}", size: "1") { makerFee } }`;
    await fronted.graphql(query('1'));
    const counted = countStatements();
    try {
      for (let n = 1; n <= 3; n++) {
        const { data, errors } = await fronted.graphql(query('1'));
        expect([data.estimateFee, errors?.[0]?.extensions.code]).toEqual([null, 'NOT_FOUND']);
        expect(counted.texts.filter((text) => text.includes('FROM proposals AS t'))).toHaveLength(n);
      }
    } finally {
      counted.stop();
    }
  });

  test('is read once for many equal operations, and for those that come later', async () => {
    const query = '{ rewards(first: 4) { edges { node { amount } } } }';
    // Who asks once shows that it is worth keeping when it is asked again.
    await fronted.graphql(query);
    const counted = countStatements();
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, () => fronted.graphql(query)));
      answers.push(await fronted.graphql(query));
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      expect(counted.texts.filter((text) => text.includes('FROM rewards AS t'))).toHaveLength(1);
    } finally {
      counted.stop();
    }
  });

  test('is read anew after a block that changes it; the newest block always is', async () => {
    const query = '{ deposits(first: 1) { edges { node { id } } } }';
    const block = '{ block { height } }';
    for (let n = 0; n < 2; n++) for (const one of [query, block]) await fronted.graphql(one);
    const counted = countStatements();
    const reads = (table: string) =>
      counted.texts.filter((text) => text.includes(`FROM ${table} AS t`)).length;
    try {
      for (let height = 31; height <= 40; height++) {
        await database.advanceTo(height);
        await expect
          .poll(async () => (await fronted.rest('/votes')).headers.get('x-block-height'))
          .toBe(String(height));
        expect((await fronted.graphql(block)).data.block.height).toBe(String(height));
        const { data } = await fronted.graphql(query);
        const [newest] = await ask<{ id: string }>(
          database.url,
          'SELECT id FROM deposits ORDER BY created_position DESC LIMIT 1',
        );
        expect(data.deposits.edges[0].node.id).toBe(newest?.id);
      }
      expect(reads('blocks')).toBeGreaterThanOrEqual(10);
    } finally {
      counted.stop();
    }
  });
});

test('errors are never kept by anybody', async () => {
  for (const [body, head] of [
    [JSON.stringify({ query: '{ nothing }' }), [PLAIN, 'Accept: application/graphql-response+json']],
    ['{', [PLAIN]],
    [JSON.stringify({ query: ROW, variables: {} }), [PLAIN]],
  ] as const) {
    const { status, headers } = await post(fronted, body, head);
    expect([status, headers['cache-control']]).toEqual([400, 'no-store']);
  }
});

function post({ url }: TestGateway, body: string, head: readonly string[], path = '/graphql') {
  const bytes = Buffer.from(body);
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', ...head, `Content-Length: ${bytes.length}`];
  return askRaw(url, lines, bytes.toString('latin1'));
}
