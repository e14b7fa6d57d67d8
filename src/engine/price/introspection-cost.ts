import {
  __Directive,
  __Field,
  __Schema,
  __Type,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isIntrospectionType,
  isListType,
} from 'graphql';
import { COST_OF, type Cost } from '../../graphql/costs.ts';

/** The cost of a field of introspection, which GraphQL itself defines and no schema can declare; undefined for others. */
export function introspectionCost(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  field: GraphQLField<unknown, unknown>,
): Cost | undefined {
  const type = getNamedType(field.type);
  if (!isIntrospectionType(type) && !isIntrospectionType(parent)) return undefined;
  return {
    each: isCompositeType(type) ? 0 : COST_OF.field,
    values: isListType(getNullableType(field.type)) ? lengthOf(schema, parent, field) : 1,
  };
}

function lengthOf(schema: GraphQLSchema, parent: GraphQLCompositeType, field: object): number {
  if (parent === __Schema) return Object.keys(schema.getTypeMap()).length;
  return LENGTHS.get(field) ?? OTHERS;
}

/** What the lists of introspection have at most, or nearly. */
const LENGTHS: ReadonlyMap<object | undefined, number> = new Map([
  [__Type.getFields()['fields'], 40],
  [__Field.getFields()['args'], 5],
  [__Directive.getFields()['args'], 5],
]);
const OTHERS = 20;
