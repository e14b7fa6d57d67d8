import { describe, expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';

const gateway = await forAllTests(startOwnGateway());

const QUERY = '{ block { height } }';

test.each([
  ['variables in the URL', `?query=${QUERY}&variables={`, undefined, 'variables', '"{"'],
  ['variables that are a list', `?query=${QUERY}&variables=[1]`, undefined, 'variables', '"[1]"'],
  ['extensions in the URL', `?query=${QUERY}&extensions=x`, undefined, 'extensions', '"x"'],
  [
    'a long value',
    `?query=${QUERY}&variables=${'y'.repeat(1000)}`,
    undefined,
    'variables',
    `"${'y'.repeat(80)}…" (1000 characters)`,
  ],
  [
    'variables in a form',
    '',
    new URLSearchParams({ query: QUERY, variables: 'none' }),
    'variables',
    '"none"',
  ],
  ['extensions in a form', '', new URLSearchParams({ query: QUERY, extensions: '7' }), 'extensions', '"7"'],
  [
    'a form that is JSON',
    '',
    new URLSearchParams({ '{"query":"{block{height}}"}': '' }),
    'query',
    'Content-Type',
  ],
  ['a body that is no JSON', '', '{"query": ', 'body', 'JSON'],
  ['a body that is no object', '', '7', 'body', 'JSON object'],
])('names what cannot be read: %s', async (_, search, body, field, told) => {
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const answer = await ask(search, body, accept);
    expect([answer.status, answer.code]).toEqual([400, 3]);
    expect(answer.errors).toEqual([
      {
        message: expect.stringContaining(told),
        extensions: {
          code: 'INVALID_ARGUMENT',
          details: [violation(field, expect.stringContaining(told))],
        },
      },
    ]);
  }
});

test('takes parameters from the URL and from forms', async () => {
  const query = 'query ($height: Uint64) { block(height: $height) { height } }';
  const parameters = new URLSearchParams({ query, variables: '{"height":"0"}', extensions: 'null' });
  for (const answer of [
    await ask(`?${parameters}`),
    await ask('', parameters),
    await ask('?query={block(height:0){height}}&variables=&operationName='),
  ])
    expect([answer.status, answer.data]).toEqual([200, { block: null }]);
});

test.each([
  ['query A { block { height } } query B { block { height } }', undefined, 'operationName', '2 operations'],
  ['query A { block { height } }', 'C', 'operationName', 'no operation named "C"'],
  ['fragment F on Block { height }', undefined, 'query', 'no operation'],
])(
  'names what is wrong with the choice of an operation: %s, %s',
  async (query, operationName, field, told) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await ask('', JSON.stringify({ query, operationName }), accept);
      expect([answer.status, answer.errors[0].extensions]).toEqual([
        400,
        { code: 'INVALID_ARGUMENT', details: [violation(field, expect.stringContaining(told))] },
      ]);
    }
  },
);

test.each([
  ['query ($x: Int) { block { height } deposits(first: $x) { totalCount } }', 'a', 'x', 'Int cannot'],
  ['query ($x: Uint64) { block(height: $x) { height } }', '-1', 'x', 'Uint64 takes'],
  ['query ($x: ID!) { deposit(id: $x) { id } }', null, 'x', 'must not be null'],
  ['query ($x: ID!) { deposit(id: $x) { id } }', undefined, 'x', 'was not provided'],
  [
    'query ($x: DateRange) { deposits(dateRange: $x) { totalCount } }',
    { startTimestamp: ' at "x.y' },
    'x.startTimestamp',
    'Timestamp takes',
  ],
  [
    'query ($x: AccountFilter) { accounts(filter: $x) { totalCount } }',
    { partyIds: ['a', {}] },
    'x.partyIds[1]',
    'ID cannot',
  ],
  ['subscription ($x: [ID!]) { marketData(marketIds: $x) { cursor } }', [{}], 'x[0]', 'ID cannot'],
])('names the variable whose value is wrong: %s with %j', async (query, x, field, told) => {
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const answer = await ask('', JSON.stringify({ query, variables: { x } }), accept);
    expect([answer.status, answer.errors[0].extensions]).toEqual([
      400,
      { code: 'INVALID_ARGUMENT', details: [violation(field, expect.stringContaining(told))] },
    ]);
    expect(answer.errors[0].message).toContain('$x');
  }
});

describe('HEAD answers as GET does, without the body,', () => {
  test.each([
    ['a query', '?query={block{height}}', '*/*', 200],
    ['a bad query', '?query={nothing}', 'application/graphql-response+json', 400],
    ['no query', '', 'application/graphql-response+json', 400],
    ['the page', '', 'text/html', 200],
  ])('to %s', async (_, search, accept, status) => {
    const url = `${gateway.url}/graphql${search}`;
    const [get, head] = [
      await fetch(url, { headers: { accept } }),
      await fetch(url, { method: 'HEAD', headers: { accept } }),
    ];
    expect([get.status, head.status]).toEqual([status, status]);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect(head.headers.get('allow')).toBe(get.headers.get('allow'));
    expect(await get.text()).not.toBe('');
    expect(await head.text()).toBe('');
  });

  test('but not to a subscription, of which nothing would be left', async () => {
    const response = await fetch(`${gateway.url}/graphql?query=subscription{blocks{cursor}}`, {
      method: 'HEAD',
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.timeout(HANG_MS),
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(gateway.openStreams).toBe(0);
  });
});

/** Asks with GET or, with a body, with POST: a form, or a text as JSON. */
async function ask(search: string, body?: URLSearchParams | string, accept = 'application/json') {
  const response = await fetch(`${gateway.url}/graphql${search}`, {
    signal: AbortSignal.timeout(HANG_MS),
    headers: { accept, ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  return { status: response.status, ...(await response.json()) };
}

function violation(field: string, description: unknown) {
  return { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] };
}

test.each([
  [
    'no content type',
    { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } },
    415,
    'application/json',
  ],
  ['JSON for a subscription', { headers: { Accept: 'application/json' } }, 406, 'text/event-stream'],
])('says what would be taken instead: %s', async (_, request, status, told) => {
  const query = encodeURIComponent('subscription { blocks { block { height } } }');
  const answer = await fetch(`${gateway.url}/graphql?query=${query}`, request);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ code: 3, message: expect.stringContaining(told), details: [] });
});
