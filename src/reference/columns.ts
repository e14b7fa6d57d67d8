import { schema as graphqlSchema } from '../graphql/index.ts';
import type { Column } from '../http/write/csv.ts';
import type { JsonSchema } from '../rest/json-schema.ts';
import type { Route } from '../rest/route.ts';
import { AnswerSchemas } from './answer-schemas.ts';
import { bodyOf } from './body-schemas.ts';

const known = new Map<Route, readonly Column[]>();

/** The members of a list's rows, as its answer is documented: those of an object within a row one by one, a list as a whole. */
export function columnsOf(route: Route): readonly Column[] {
  const columns = known.get(route) ?? readColumns(route);
  known.set(route, columns);
  return columns;
}

function readColumns(route: Route): readonly Column[] {
  const answers = new AnswerSchemas(graphqlSchema);
  const body = bodyOf(route, answers);
  const [list = {}] = Object.values(body.properties ?? {});
  const membersOf = (schema: JsonSchema) => findMembers(schema, answers.components);
  const row = list.items ?? membersOf(membersOf(list)?.['edges']?.items ?? {})?.['node'] ?? {};
  return leavesOf(row, [], membersOf);
}

function leavesOf(
  schema: JsonSchema,
  path: readonly string[],
  membersOf: (schema: JsonSchema) => JsonSchema['properties'] | undefined,
): readonly Column[] {
  const members = membersOf(schema);
  if (members === undefined) return [{ name: path.join('.'), path }];
  return Object.entries(members).flatMap(([name, member]) => leavesOf(member, [...path, name], membersOf));
}

/** The members of an object, also of one that may be null; undefined for what is no object. */
function findMembers(
  { $ref, anyOf, properties }: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
): JsonSchema['properties'] | undefined {
  const alternatives = $ref === undefined ? anyOf : [components[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}];
  if (alternatives === undefined) return properties;
  const found = alternatives.map((one) => findMembers(one, components)).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : Object.assign({}, ...found);
}
