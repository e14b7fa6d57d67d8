import fc from 'fast-check';
import {
  buildSchema,
  type FieldNode,
  GraphQLError,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { createVariableReader } from '../../src/engine/run/variables.ts';
import { readArguments } from '../../src/engine/text/arguments.ts';

const schema = buildSchema(`
  enum Side { BUY SELL }
  input Range { from: Int! until: Int = 9 sides: [Side!] }
  type Query {
    list(first: Int, least: Int! = 2, id: ID!, sides: [Side!], range: Range, side: Side = BUY, isOpen: Boolean): Int
  }
`);

const VARIABLES = `
  $first: Int, $least: Int = 4, $id: ID!, $sides: [Side!], $range: Range = { from: 1 }, $side: Side, $isOpen: Boolean!
`;

const values = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, 1, 0, -1, 1.5, 2 ** 31, '', 'BUY', 'id', true, false),
  fc.constantFrom<unknown>(
    ['BUY'],
    ['SELL', null],
    [],
    { from: 1 },
    { from: 1, until: null },
    { from: 'x' },
    {},
  ),
);
const names = ['first', 'least', 'id', 'sides', 'range', 'side', 'isOpen', 'other', '__proto__'];
const given = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), values), { selector: ([name]) => name })
  .map((pairs) => Object.fromEntries(pairs));
/** Often with what is required, or nearly all are refused. */
const mostlyTaken = fc.tuple(given, fc.boolean()).map(([one, isWhole]) => {
  return isWhole ? { id: 'id', isOpen: true, ...one } : one;
});

describe('variables have the values that graphql-js gives them', () => {
  test.each([
    ['as most are declared', VARIABLES],
    ['with one of an odd name', '$__proto__: Range, $first: Int'],
    ['of which there are none', ''],
  ])('%s', (_, declared) => {
    const operation = operationOf(`query ${declared && `(${declared})`} { list(id: "a") }`);
    const read = createVariableReader(schema, operation);
    const taken = { count: 0 };
    fc.assert(
      fc.property(mostlyTaken, (variables) => {
        const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
        if (coerced !== undefined) taken.count += 1;
        expect(entriesOf(read(variables))).toEqual(entriesOf(coerced ?? null));
      }),
      { numRuns: 500 },
    );
    expect(taken.count).toBeGreaterThan(20);
  });
});

describe('arguments have the values that graphql-js gives them', () => {
  test.each([
    ['from variables', '{ list(first: $first, least: $least, id: $id, sides: $sides, side: $side) }'],
    [
      'from what the document says',
      '{ list(first: 3, least: 1, id: 7, sides: [BUY], range: { from: 2 }, side: null) }',
    ],
    ['from variables within values', '{ list(id: "a", sides: [$side], range: { from: $first }) }'],
    ['from defaults', '{ list(id: "a") }'],
    ['refused, where one is null that must not be', '{ list(id: null) }'],
    ['refused, where one is missing', '{ list(first: $first) }'],
  ])('%s', (_, selection) => {
    const operation = operationOf(`query (${VARIABLES}) ${selection}`);
    const [field] = operation.selectionSet.selections as readonly [FieldNode];
    const definition = schema.getQueryType()?.getFields()['list'];
    if (definition === undefined) throw new TypeError('the schema has a list');
    fc.assert(
      fc.property(mostlyTaken, (variables) => {
        const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
        const own = outcome(() => readArguments(definition, [field], coerced));
        expect(own).toEqual(outcome(() => getArgumentValues(definition, field, coerced)));
      }),
      { numRuns: 200 },
    );
  });
});

test('null that is given is null, whatever is there without it', () => {
  const operation = operationOf(
    'query ($side: Side = SELL, $range: Range = { from: 1 }) { list(id: "a", side: $side, range: $range) }',
  );
  const [field] = operation.selectionSet.selections as readonly [FieldNode];
  const definition = schema.getQueryType()?.getFields()['list'];
  if (definition === undefined) throw new TypeError('the schema has a list');
  const readVariables = createVariableReader(schema, operation);
  const read = (given: object) => readArguments(definition, [field], readVariables({ ...given }) ?? {});
  expect(read({})).toEqual({ least: 2, id: 'a', side: 'SELL', range: { from: 1, until: 9 } });
  expect(read({ side: null, range: null })).toEqual({ least: 2, id: 'a', side: null, range: null });
  // Where the variable has no value of its own, the argument's default stands.
  const bare = operationOf('query ($side: Side) { list(id: "a", side: $side) }');
  const [bareField] = bare.selectionSet.selections as readonly [FieldNode];
  const readBare = createVariableReader(schema, bare);
  expect(readArguments(definition, [bareField], readBare({}) ?? {})).toMatchObject({ side: 'BUY' });
  expect(readArguments(definition, [bareField], readBare({ side: null }) ?? {})).toMatchObject({
    side: null,
  });
});

function operationOf(text: string): OperationDefinitionNode {
  return parse(text).definitions[0] as OperationDefinitionNode;
}

/** Own properties alone, in their order. */
function entriesOf(read: Readonly<Record<string, unknown>> | null): unknown {
  return read && JSON.stringify(Object.entries(read));
}

function outcome(run: () => Readonly<Record<string, unknown>>): unknown {
  try {
    return entriesOf(run());
  } catch (error) {
    return error instanceof GraphQLError ? error.message : error;
  }
}
