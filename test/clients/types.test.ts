import { existsSync, readFileSync } from 'node:fs';
import * as clientPreset from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import graphqlConfig from '../../graphql.config.json' with { type: 'json' };
import { schema } from '../../src/graphql/index.ts';
import codegenConfig from './codegen.json' with { type: 'json' };
import relayConfig from './relay/relay.config.json' with { type: 'json' };

const { config } = codegenConfig;
const sources = () => {
  const rawSDL = operationsOfAll();
  return {
    schema: parse(readFileSync(codegenConfig.schema, 'utf8')),
    documents: [{ location: 'operations.graphql', document: parse(rawSDL), rawSDL }],
  };
};

test('what is asked of the generators is valid', () => {
  expect(validate(schema, parse(operationsOfAll()))).toEqual([]);
});

test('with the documented configuration graphql-codegen leaves nothing untyped', async () => {
  expect(codegenConfig.generates['app/operations.ts']).toEqual({ plugins: ['typescript-operations'] });
  const text = await codegen({
    ...{ ...sources(), config, filename: 'operations.ts' },
    plugins: [{ 'typescript-operations': {} }],
    pluginMap: { 'typescript-operations': typescriptOperations },
  });
  expectTyped(text);
});

test('nor does its client preset', async () => {
  expect(codegenConfig.generates['app/gql/']).toEqual({ preset: 'client' });
  const files = await clientPreset.preset.buildGeneratesSection({
    ...{ ...sources(), config, baseOutputDir: 'app/gql/', presetConfig: {} },
    ...{ plugins: [], pluginMap: {} },
  });
  const types = files.find(({ filename }) => filename === 'app/gql/graphql.ts');
  if (types === undefined) throw new Error('the preset makes no graphql.ts');
  expectTyped(await codegen(types));
});

function expectTyped(text: string): void {
  expect(text).toContain('balance: string');
  expect(text).toContain('openVolume: string');
  // What is generated for every schema is the plugin's own, and a document is a value, not a type.
  const ours = text
    .replace(/^type Exact<.*$/m, '')
    .replace(/^export const \w+ = .*$/gm, '')
    .replace(/\/\*\*.*?\*\//gs, '');
  expect(ours.match(/.*\b(any|unknown)\b.*/g)).toBeNull();
}

test('relay-compiler is told of every scalar that graphql-codegen is told of', () => {
  const { ID: _, ...scalars } = config.scalars;
  expect(relayConfig.customScalarTypes).toEqual(scalars);
});

test('the configurations of docs/clients.md are those that are tested', () => {
  const page = readFileSync('docs/clients.md', 'utf8');
  const block = (name: string) =>
    new RegExp(`<!-- ${name} -->\\n\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
  expect(JSON.parse(block('codegen-config'))).toEqual(codegenConfig);
  const shown = JSON.parse(block('relay-config'));
  expect(shown).toMatchObject({ schemaConfig: {}, customScalarTypes: {} });
  expect(relayConfig).toMatchObject(shown);
  expect(block('relay-environment')).toContain('getDataID');
  expect(readFileSync('test/clients/relay/environment.mjs', 'utf8')).toContain(block('relay-environment'));
  expect(block('apollo-past')).toContain('typePolicies');
  expect(readFileSync('test/clients/apollo-past.mjs', 'utf8')).toContain(block('apollo-past'));
  for (const [, file] of page.matchAll(/\]\(\.\.\/(\S+?)\)/g))
    expect(existsSync(file as string), file).toBe(true);
});

test('editors find the schema', () => {
  expect(existsSync(graphqlConfig.schema)).toBe(true);
  expect(readFileSync('schema.graphql', 'utf8')).toContain('type Query');
});

/** A query and a subscription of everything that can be asked for, a few levels deep, with every argument a variable. */
function operationsOfAll(): string {
  const types = [schema.getQueryType(), schema.getSubscriptionType()] as readonly GraphQLObjectType[];
  return types
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => {
        const variables = field.args.map(({ name, type }) => `$${name}: ${type}`);
        const given = field.args.map(({ name }) => `${name}: $${name}`);
        const head = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
        const kind = type === schema.getQueryType() ? 'query' : 'subscription';
        return `${kind} ${kind}_${field.name}${head(variables)} { ${field.name}${head(given)} ${below(field, 2)} }`;
      }),
    )
    .join('\n');
}

function below({ type }: GraphQLField<unknown, unknown>, depth: number): string {
  const named = getNamedType(type);
  if (isInterfaceType(named)) return '{ __typename id nodeId }';
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(
    (field) => !field.args.some(isRequiredArgument) && (depth > 0 || !isObjectType(getNamedType(field.type))),
  );
  return `{ __typename ${fields.map((field) => `${field.name} ${below(field, depth - 1)}`).join(' ')} }`;
}
