import { isScalarType } from 'graphql';
import { schema as graphqlSchema } from '../graphql/index.ts';
import type { JsonSchema } from '../rest/json-schema.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import { schemaOfScalar } from './scalar-schemas.ts';

/**
 * The schema of a mapped answer, with a component for each object that has a title, and for each scalar that it names:
 * generators name types by components alone. Of what passes as GraphQL gives it, members of these names may be absent.
 */
export function withComponents(
  schema: JsonSchema,
  answers: AnswerSchemas,
  absent: readonly string[],
): JsonSchema {
  const within = (inner: JsonSchema) => withComponents(inner, answers, absent);
  const { title, properties, items, anyOf, allOf, $ref, fragment, emptyWhenNull = [], ...rest } = schema;
  if (fragment !== undefined) return answers.ofFragment(fragment, absent, emptyWhenNull);
  // What is said of one object is said beside the name of its component.
  if (allOf !== undefined) return { ...Object.assign({}, ...allOf.map(within)), ...rest };
  const whole: JsonSchema = {
    ...($ref !== undefined && { $ref: addScalar($ref, answers) }),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, within(one)])),
    }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
  if (title === undefined) return whole;
  return answers.add(title, whole);
}

function addScalar($ref: string, answers: AnswerSchemas): string {
  const type = graphqlSchema.getType($ref.slice($ref.lastIndexOf('/') + 1));
  if (isScalarType(type)) schemaOfScalar(type, (name, schema) => answers.add(name, schema));
  return $ref;
}
