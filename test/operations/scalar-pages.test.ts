import {
  type GraphQLObjectType,
  type GraphQLScalarType,
  getNamedType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { SCALAR_FORMS, type ScalarForm } from '../../src/graphql/scalar-forms.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';

const scalars = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLScalarType => isScalarType(type) && !isSpecifiedScalarType(type),
);
const forms = Object.entries<ScalarForm>(SCALAR_FORMS);

let simulated: SimulatedDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  simulated = await createSimulatedDatabase({ seed: 8, blocks: 60, parties: 10, markets: 2 });
  gateway = await startTestGateway(simulated.url);
});

afterAll(async () => {
  await gateway?.close();
  await simulated?.[Symbol.asyncDispose]();
});

test.each(scalars)(
  'the schema says where $name is specified, and the gateway has the page there',
  async (type) => {
    expect(printType(type)).toContain(`@specifiedBy(url: "/docs/scalars/${type.name}")`);
    const page = await fetch(new URL(type.specifiedByURL ?? '', `${gateway.url}/graphql`));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain(`<h1>${type.name}</h1>`);
    // Nothing is fetched from anywhere, and nothing runs.
    expect(text).not.toMatch(/<script|<link|<img|https?:/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('a page is asked for like any other that does not change', async () => {
  const url = `${gateway.url}/docs/scalars/Decimal`;
  const whole = await fetch(url, { headers: { 'Accept-Encoding': 'br' } });
  expect(whole.headers.get('content-encoding')).toBe('br');
  const text = await whole.text();
  const etag = whole.headers.get('etag') ?? '';
  const again = await fetch(url, { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  const post = await fetch(url, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  for (const name of ['Int', 'toString', 'decimal', '%00']) {
    const { status, body } = await gateway.rest(`/docs/scalars/${name}`);
    expect([status, body.code]).toEqual([404, 5]);
  }
  expect(text).toContain('<b>Decimal</b>');
});

test.each(forms)(
  'the examples of %s are what it writes, and it takes them',
  (_, { examples, written, read }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example).toMatch(written);
      expect(String(read(example))).toBe(example);
    }
  },
);

test('every scalar in the rows of a network is written as its page says', async () => {
  const seen = new Set<string>();
  for (const { list, node, fields } of listsOfScalars()) {
    const selected = fields.map(({ name }) => name).join(' ');
    const { data } = await gateway.graphql(
      `{ ${list}(first: 300) { edges { node { __typename ${selected} } } } }`,
    );
    expect(data[list].edges.length, node).toBeGreaterThan(0);
    for (const { name, type } of fields) {
      const { written } = SCALAR_FORMS[type];
      for (const edge of data[list].edges) {
        const value = edge.node[name];
        if (value === null) continue;
        seen.add(type);
        expect(value, `${node}.${name}`).toMatch(written);
      }
    }
  }
  expect(seen.size).toBeGreaterThan(3);
});

/** The lists of the query, with those fields of their rows that are scalars of ours. */
function listsOfScalars() {
  const query = schema.getQueryType() as GraphQLObjectType;
  return Object.values(query.getFields()).flatMap(({ name: list, type }) => {
    const row = schema.getType(getNamedType(type).name.replace(/Connection$/, ''));
    if (!getNamedType(type).name.endsWith('Connection') || !isObjectType(row)) return [];
    const fields = Object.values(row.getFields()).flatMap((field) => {
      const name = getNamedType(field.type).name;
      return name in SCALAR_FORMS ? [{ name: field.name, type: name as keyof typeof SCALAR_FORMS }] : [];
    });
    return fields.length === 0 ? [] : [{ list, node: row.name, fields }];
  });
}
