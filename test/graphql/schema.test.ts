import { readFileSync } from 'node:fs';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { $Enums as stored } from '../../src/data/generated/prisma/client.ts';
import * as enumerations from '../../src/domain/enumerations.ts';
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

// The names on the wire, in the database and in the schema are one list each.
test.each([
  ['AccountType', enumerations.accountTypes],
  ['AssetStatus', enumerations.assetStatuses],
  ['AuctionTrigger', enumerations.auctionTriggers],
  ['DepositStatus', enumerations.depositStatuses],
  ['MarketState', enumerations.marketStates],
  ['MarketTradingMode', enumerations.marketTradingModes],
  ['ProposalState', enumerations.proposalStates],
  ['VoteValue', enumerations.voteValues],
] as const)('%s has the same names everywhere', (name, wire) => {
  const names = Object.keys(wire).sort();
  expect(Object.keys(stored[name]).sort()).toEqual(names);
  const type = schema.getType(name);
  expect(
    isEnumType(type) &&
      type
        .getValues()
        .map((value) => value.name)
        .sort(),
  ).toEqual(names);
});

test('the database has no enumeration besides', () => {
  expect(Object.keys(stored).length).toBe(Object.keys(enumerations).length);
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
