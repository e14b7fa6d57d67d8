import type { JsonSchema } from '../rest/json-schema.ts';
import type { Route } from '../rest/route.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import { withComponents } from './mapped-schemas.ts';

/** The schema of the documented body of a path. */
export function bodyOf(route: Route, answers: AnswerSchemas): JsonSchema {
  if (route.form.kind === 'mapped') return withComponents(route.form.schema, answers, route.absentWhenNull);
  if (route.form.kind === 'rows') {
    const { schema } = route.form;
    if (schema !== undefined)
      return objectOf({
        [route.form.field]: { type: 'array', items: withComponents(schema, answers, route.absentWhenNull) },
      });
    const { field, rows } = answers.ofRows(route.operation, route.absentWhenNull, route.emptyWhenNull);
    return objectOf({ [field]: rows });
  }
  const data = answers.ofData(route.operation, route.absentWhenNull, route.emptyWhenNull);
  if (route.form.kind === 'data') return objectOf(data);
  const [field = {}] = Object.values(data);
  return field;
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
