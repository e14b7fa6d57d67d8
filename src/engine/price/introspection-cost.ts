import {
  __Directive,
  __Schema,
  __Type,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  TypeMetaFieldDef,
} from 'graphql';
import { COST_OF, type Cost } from '../../graphql/costs.ts';

/** The cost of a field of introspection, which GraphQL itself defines and no schema can declare; undefined for others. */
export function introspectionCost(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  field: GraphQLField<unknown, unknown>,
): Cost | undefined {
  const type = getNamedType(field.type);
  if (!isOfSchema(type) && !isOfSchema(parent)) return undefined;
  return {
    each: isCompositeType(type) ? 0 : field.name === 'description' ? DESCRIPTION : COST_OF.field,
    values: valuesOf(schema, field),
  };
}

/** GraphQL keeps these names for itself. graphql-js compares a name with those of all its types, for each field that is priced. */
function isOfSchema({ name }: GraphQLNamedType): boolean {
  return name.startsWith('__');
}

/** A description is a few hundred bytes, as a handful of other fields are. */
const DESCRIPTION = 5;

function valuesOf(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): number {
  if (field === TypeMetaFieldDef) return ONE_BY_NAME;
  return isListType(getNullableType(field.type)) ? lengthOf(schema, field) : 1;
}

function lengthOf(schema: GraphQLSchema, field: object): number {
  if (field === __Schema.getFields()['types']) return Object.keys(schema.getTypeMap()).length;
  return LENGTHS.get(field) ?? OTHERS;
}

/**
 * What the lists of introspection have on average over all types, rounded up: tools ask for all. graphql-js refuses more
 * than two of them within each other, so that what differs from the average does not multiply further.
 */
const LENGTHS: ReadonlyMap<object | undefined, number> = new Map([
  [__Type.getFields()['fields'], 5],
  [__Schema.getFields()['directives'], 5],
  [__Directive.getFields()['locations'], 3],
]);
const OTHERS = 1;

/** How many average types one is worth that is asked for by its name, as the largest may be asked for many times. */
const ONE_BY_NAME = 10;
