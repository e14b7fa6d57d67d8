import { createHash } from 'node:crypto';
import { type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { costOf } from '../../src/engine/price/cost.ts';
import { checkPrice } from '../../src/engine/price/limits.ts';
import { costs, declaredCost, OPERATION_LIMITS } from '../../src/graphql/costs.ts';
import { schema } from '../../src/graphql/index.ts';
import { tableForm } from '../../src/graphql-http/table-columns.ts';
import { createTestEngine } from '../support/engine.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';

const gateway = await forAllTests(startOwnGateway());

/** Below a page of no rows, where nothing costs anything, twice as many lists at each level. */
const doubling = (levels: number, page = 'accounts(first: 0)') => {
  const below = (name: string, level: number) => `${name}: deposits { nodes { party { ...F${level} } } }`;
  const fragments = Array.from(
    { length: levels },
    (_, n) => `fragment F${n} on Party { ${below('a', n + 1)} ${below('b', n + 1)} }`,
  );
  return `{ ${page} { nodes { party { ...F0 } } } } ${fragments.join(' ')} fragment F${levels} on Party { id }`;
};

/** 2^12 lists: without the limit they are compiled, within a second. */
const MANY = doubling(12);
/** More than a million fields, and no row. */
const MOST = doubling(18);

const post = async (body: unknown, { search = '', accept = 'application/json' } = {}) => {
  const response = await fetch(`${gateway.url}/graphql${search}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: accept },
    body: JSON.stringify(body),
  });
  return response.text();
};

const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(MANY).digest('hex') };

test.each<[string, () => Promise<string>]>([
  ['POST', () => post({ query: MANY })],
  ['GET', async () => (await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query: MANY })}`)).text()],
  ['a batch', () => post([{ query: MANY }])],
  ['a hash', () => post({ query: MANY, extensions: { persistedQuery } })],
  ['server-sent events', () => post({ query: MANY }, { accept: 'text/event-stream' })],
  ['a table', () => post({ query: MANY }, { search: '?format=csv' })],
  [
    'a WebSocket',
    async () => {
      await using socket = await openGraphqlWs(gateway.url, MANY);
      return JSON.stringify(await socket.next());
    },
  ],
  [
    'no nodes',
    () =>
      post({
        query: MANY.replace(
          'accounts(first: 0) { nodes { party {',
          'nodes(nodeIds: []) { ... { ... on Party {',
        ),
      }),
  ],
])('fragments that multiply below no rows are refused, by %s', async (_, ask) => {
  const answer = await ask();
  expect(answer).toMatch(/The operation selects \d+ fields, .* the most is 10000\./);
  expect(answer).toContain('INVALID_ARGUMENT');
});

test('what is left out of a table is not walked through', async () => {
  const fragments = Array.from(
    { length: 30 },
    (_, n) =>
      `fragment F${n} on Market { a: parentMarket { ...F${n + 1} } b: parentMarket { ...F${n + 1} } }`,
  );
  const left = [
    ['@include(if: false)', ''],
    ['@skip(if: $no)', '($no: Boolean = true)'],
  ] as const;
  for (const [directive, variables] of left) {
    const query = `query Left${variables} { markets { nodes { id parentMarket ${directive} { ...F0 } } } }
      ${fragments.join(' ')} fragment F30 on Market { id }`;
    const response = await fetch(`${gateway.url}/graphql?format=csv`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([response.status, (await response.text()).split('\n')[0]?.trim()]).toEqual([200, '"id"']);
  }
});

test('however many they are, it is their number that is told', async () => {
  expect(await post({ query: MOST })).toMatch(/The operation selects \d+ fields/);
});

test('a batch may select as many fields as one operation', async () => {
  const half = doubling(9);
  expect(JSON.parse(await post({ query: half })).errors).toBeUndefined();
  expect(await post([half, half, half].map((query) => ({ query })))).toContain('fields 10000.');
});

test('each fragment is counted once, however often it is spread, and nothing of an operation that is asked again', () => {
  const type = schema.getType('DepositConnection');
  const declared = type?.extensions;
  const cost = type && declaredCost(type);
  if (!type || !declared || !cost?.page) throw new Error('deposits are no page');
  const { page } = cost;
  let times = 0;
  const rows: typeof page.rows = (argument) => {
    times += 1;
    return page.rows(argument);
  };
  type.extensions = { ...declared, ...costs({ ...cost, page: { ...page, rows } }).extensions };
  try {
    const document = parse(doubling(30));
    const price = costOf({ schema, document });
    expect(times).toBe(2 * 30);
    expect(price.places).toBeGreaterThan(2 ** 30);
    expect(() => checkPrice(price)).toThrow(`the most is ${OPERATION_LIMITS.places}`);
    expect(costOf({ schema, document })).toBe(price);
    expect(times).toBe(2 * 30);
  } finally {
    type.extensions = declared;
  }
});

test('a document of too many fields is looked at about once, however many sizes its pages have', () => {
  const pages = Array.from({ length: 40 }, (_, n) => `a${n}: deposits(first: ${n}) { ...Rows }`);
  const query = `query ($x: Int) { x: deposits(first: $x) { ...Rows } ${pages.join(' ')} }
    fragment Rows on DepositConnection { nodes { ${'status '.repeat(300)} } }`;
  const document = parse(query);
  for (let x = 100; x < 120; x++) {
    let looked = 0;
    const price = costOf({ schema, document, variableValues: { x } }, (fields) => {
      looked += fields;
    });
    expect(price.places).toBe(41 * 302);
    expect(looked).toBeGreaterThan(300);
    expect(looked).toBeLessThanOrEqual(OPERATION_LIMITS.tokens + 1);
    expect(() => checkPrice(price)).toThrow(`selects ${41 * 302} fields`);
  }
});

test('what is prepared where no row will be is charged for, and nothing of what costs as much anyway', () => {
  const engine = createTestEngine({} as never);
  const charged = (query: string) => {
    const document = parse(query);
    const { cost, places } = costOf({ schema, document });
    return [engine.price(document, {}, 'http').price.cost - cost, places, cost] as const;
  };
  const [unread, places, cost] = charged(doubling(9));
  expect([unread, cost]).toEqual([10 * (places - 40), 40]);
  expect(charged(doubling(1, 'accounts(first: 1)'))[0]).toBe(0);
  expect(charged('{ accounts(first: 0) { nodes { id } } }')[0]).toBe(0);
});

test('a table is refused at the second list that it selects, whatever stands behind it', () => {
  const document = parse(doubling(14, 'a: deposits { nodes { id } } accounts(first: 0)'));
  const [node] = document.definitions as readonly [OperationDefinitionNode];
  const written = vi.spyOn(JSON, 'stringify');
  try {
    expect(() => tableForm(schema, { document, node, variables: {} } as never)).toThrow(
      'two lists, a.nodes and accounts.nodes',
    );
    expect(written.mock.calls.length).toBeLessThan(10);
  } finally {
    written.mockRestore();
  }
});

describe('what stands under one name in one place', () => {
  const most = OPERATION_LIMITS.repeats;
  const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');
  const all = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join(' ');
  const cases: [string, string, (count: number) => string][] = [
    ['fields with a selection', 'block', (count) => `{ ${times(count, 'block { height }')} }`],
    ['fields with an alias', 'a', (count) => `{ block { ${times(count, 'a: height')} } }`],
    ['fields with arguments', 'block', (count) => `{ ${times(count, 'block: asset(id: "1") { id }')} }`],
    ['what inline fragments select', 'block', (count) => `{ ${times(count, '... { block { height } }')} }`],
    [
      'what fragments select',
      'block',
      (count) =>
        `{ ${all(count, (n) => `...F${n}`)} } ${all(count, (n) => `fragment F${n} on Query { block { height } }`)}`,
    ],
    [
      'what is selected of several that are one',
      'party',
      (count) =>
        `{ ${times(count - 40, 'accounts { nodes { party { id } } }')} accounts { nodes { ${times(40, 'party { id }')} } } }`,
    ],
  ];

  test.each(cases)('is refused beyond a number: %s', async (_, name, textOf) => {
    const { errors } = JSON.parse(await post({ query: textOf(most + 1) }));
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT' } }]);
    expect(errors[0].message).toContain(
      `selects "${name}" ${most + 1} times in one place; the most is ${most}.`,
    );
    expect(JSON.parse(await post({ query: textOf(most) })).errors).toBeUndefined();
  });

  test('is refused also where the schema has none of it, or another operation is asked for', async () => {
    const query = `query A { block { height } } query B { ${times(most + 1, 'none { none }')} }`;
    expect(await post({ query, operationName: 'A' })).toContain(`selects \\"none\\" ${most + 1} times`);
  });

  test('may be there as often as there is room, where it is a plain field', async () => {
    const { data } = JSON.parse(
      await post({ query: `{ deposits(first: 1) { nodes { ${times(300, 'status')} } } }` }),
    );
    expect(data).toEqual({ deposits: { nodes: expect.any(Array) } });
  });

  test('is looked for also in fragments that spread themselves, which is told', async () => {
    const query = '{ assets { nodes { ...F } } } fragment F on Asset { id ...F }';
    expect(await post({ query })).toContain('Cannot spread fragment');
  });

  test('is not looked for without an end where fragments multiply by several that are one', async () => {
    const level = (n: number) =>
      `fragment F${n} on Market { a: parentMarket { ...F${n + 1} } a: parentMarket { ...F${n + 1} } b: parentMarket { ...F${n + 1} } b: parentMarket { ...F${n + 1} } }`;
    const query = `{ markets { nodes { ...F0 } } } ${all(25, level)} fragment F25 on Market { id }`;
    expect(await post({ query })).toContain('selects more than 10000 fields');
  });
});
