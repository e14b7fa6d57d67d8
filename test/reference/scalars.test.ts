import {
  type GraphQLObjectType,
  type GraphQLScalarType,
  getNamedType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printType,
} from 'graphql';
import { expect, test } from 'vitest';
import type { Enumeration } from '../../src/domain/enumeration.ts';
import { enumerations } from '../../src/domain/enumerations.ts';
import { schema } from '../../src/graphql/index.ts';
import { SCALAR_FORMS, type ScalarForm, type ScalarName } from '../../src/graphql/scalar-forms.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const scalars = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLScalarType => isScalarType(type) && !isSpecifiedScalarType(type),
);
const forms = Object.entries<ScalarForm>(SCALAR_FORMS);

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 8, blocks: 60, parties: 10, markets: 2 }),
);
const gateway = await forAllTests(startTestGateway(simulated.url));

test.each(scalars)('the schema says where $name is specified, and the gateway has it there', async (type) => {
  const address = `/docs/scalars#${type.name}`;
  expect(printType(type)).toContain(`@specifiedBy(url: "${address}")`);
  const html = await (await fetch(new URL(address, `${gateway.url}/graphql`))).text();
  const [, section = ''] = html.split(`<section id="${type.name}">`);
  const text = section.slice(0, section.indexOf('</section>'));
  const form: ScalarForm = SCALAR_FORMS[type.name as ScalarName];
  expect(text).toContain(`<h2>${type.name}</h2>`);
  expect(text).toContain(`<code>${form.written.source}</code>`);
  for (const example of form.examples) expect(text).toContain(`<code>"${example}"</code>`);
  const enumeration = Object.values<Enumeration>(enumerations).find(({ name }) => name === type.name);
  for (const [name, [, , meaning]] of Object.entries(enumeration?.values ?? {}))
    expect(text).toContain(`<li><code>${name}</code>: ${meaning}</li>`);
});

test.each(forms)(
  'the examples of %s are what it writes, and it takes them',
  (_, { examples, written, read, write = String }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example).toMatch(written);
      expect(write(read(example) as number)).toBe(example);
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
