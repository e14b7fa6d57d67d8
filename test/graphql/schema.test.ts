import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { $Enums as stored } from '../../src/data/generated/prisma/client.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { type Enumeration, MAX_ENUMERATION_NUMBER } from '../../src/domain/enumeration.ts';
import { enumerations } from '../../src/domain/enumerations.ts';
import { NEWEST_RELEASE } from '../../src/domain/releases.ts';
import { declaredCost } from '../../src/graphql/costs.ts';
import { schema } from '../../src/graphql/index.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

test('schema.graphql is what the code says', () => {
  const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;
  expect(
    readFileSync('schema.graphql', 'utf8') === printed,
    'schema.graphql is stale: run npm run schema',
  ).toBe(true);
});

test('every type, field, argument, input field and enum value is described in sentences', () => {
  expect(types.flatMap(describedParts).filter(([, text]) => !/^[A-Z`].*\.$/s.test(text ?? ''))).toEqual([]);
});

describe.each(Object.entries<Enumeration>(enumerations))('%s', (name, enumeration) => {
  const values = Object.entries(enumeration.values);

  test('has a scalar, whose description names every value and says what it means', () => {
    const type = schema.getType(name);
    expect([enumeration.name, isScalarType(type)]).toEqual([name, true]);
    expect(type?.description).toContain(enumeration.description);
    for (const [value, [, , meaning]] of values)
      expect(type?.description?.split('\n')).toContain(`- \`${value}\`: ${meaning}`);
  });

  test('says of each value what it means, in sentences, and since which release there is one', () => {
    const wrong = values.filter(
      ([, [, since, meaning]]) => !/^0\.7[1-9]$/.test(since) || !/^[A-Z].*\.$/.test(meaning),
    );
    expect(wrong).toEqual([]);
    expect(enumeration.description).toMatch(/^[A-Z].*\.$/);
  });

  test('has names of one prefix and numbers of their own, in order', () => {
    const numbers = values.map(([, [number]]) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    // The change of a proposal is the number of a field, which is never 0.
    if (enumeration.prefix !== 'CHANGE_')
      expect([numbers[0], values[0]?.[0]]).toEqual([0, `${enumeration.prefix}UNSPECIFIED`]);
    // Else a name of a newer release could be taken for a number without one.
    const wrong = enumeration.names.filter((one) => !new RegExp(`^${enumeration.prefix}[A-Z]`).test(one));
    expect(wrong).toEqual([]);
  });

  test('reads back the name of any number, and that of a number before it had a name', () => {
    for (const [value, [number]] of values) {
      expect(enumeration.nameOf(number)).toBe(value);
      expect(enumeration.numberOf(value)).toBe(number);
    }
    fc.assert(
      fc.property(fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: MAX_ENUMERATION_NUMBER })), (number) => {
        expect(enumeration.numberOf(enumeration.nameOf(number))).toBe(number);
        expect(enumeration.numberOf(`${enumeration.prefix}${number}`)).toBe(number);
      }),
    );
  });
});

test('no release is newer than the one that is said to be the newest known', () => {
  const since = Object.values<Enumeration>(enumerations).flatMap(({ values }) =>
    Object.values(values).map(([, release]) => release),
  );
  expect(since.sort().at(-1)).toBe(NEWEST_RELEASE);
});

test('the enumerations of rows, and those of the schema, are the ones that are listed', () => {
  const ofRows = Object.values(nouns).flatMap((noun) => Object.values<Enumeration>(noun.enumerations));
  for (const enumeration of ofRows) expect(Object.values(enumerations)).toContain(enumeration);
  // No enum of GraphQL has room for what a newer release brings: what remains of them is our own.
  expect(types.filter(isEnumType).map(({ name }) => name)).toEqual([
    'AccountSumPart',
    'BalanceKey',
    'ChangedNoun',
    'DepositSumPart',
    'FeeDiscountKind',
    'ListOrder',
    'MarketValue',
    'OrderType',
    'Product',
    'RewardSumPart',
    'SearchKind',
    'SearchMatch',
    'Side',
    'SumOrder',
  ]);
  expect(Object.keys(stored)).toEqual([]);
});

test('every type that is read from a table declares what that costs, itself or as a node', () => {
  const read = types.filter((type) => type.extensions['pothosPrismaModel'] !== undefined);
  expect(read.length).toBeGreaterThan(10);
  const declares = (type: GraphQLNamedType) =>
    [type, ...('getInterfaces' in type ? type.getInterfaces() : [])].some((one) => declaredCost(one));
  expect(read.filter((type) => !declares(type)).map(({ name }) => name)).toEqual([]);
});

/** Everything of a type that a description belongs to, by its place in the schema. */
function describedParts(type: GraphQLNamedType): readonly (readonly [string, string | null | undefined])[] {
  const parts: (readonly [string, string | null | undefined])[] = [[type.name, type.description]];
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      const place = `${type.name}.${field.name}`;
      parts.push([place, field.description]);
      parts.push(...field.args.map((arg) => [`${place}(${arg.name})`, arg.description] as const));
    }
  }
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields()))
      parts.push([`${type.name}.${field.name}`, field.description]);
  }
  if (isEnumType(type)) {
    for (const value of type.getValues()) parts.push([`${type.name}.${value.name}`, value.description]);
  }
  return parts;
}
