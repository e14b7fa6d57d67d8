import { capitalize } from '../domain/text.ts';
import type { JsonSchema } from '../rest/json-schema.ts';
import type { Shape } from '../rest/shape.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import { withComponents } from './mapped-schemas.ts';

/** The schemas of the sorts of messages of a documented stream: those of its results, and `reached` and `error`. */
export type MessageSchemas = Readonly<Record<string, JsonSchema>>;

/** The schemas of a stream's messages: its subscription's own, in the shape that `stream-route.ts` gives them. */
export function messageSchemas(route: StreamRoute, answers: AnswerSchemas): MessageSchemas {
  const { operation, written, absentWhenNull } = route;
  const about = answers.ofMessage(operation, ['block', 'cursor']);
  const mapped = ({ schema }: Shape<never>) => withComponents(schema, answers, absentWhenNull);
  const sorts: Properties = written
    ? Object.fromEntries(Object.entries(written.sorts).map(([sort, shape]) => [sort, mapped(shape)]))
    : answers.ofMessage(operation, ['snapshot', 'updates']);
  const results = Object.entries(sorts).map(([sort, schema]) => {
    const title = capitalize(sort);
    const result = answers.add(`${written?.name ?? ''}${title}Result`, resultOf({ [sort]: schema }));
    return [sort, messageOf(title, result, about)] as const;
  });
  return {
    ...Object.fromEntries(results),
    reached: {
      title: 'Reached',
      type: 'object',
      description: 'Which block a quiet stream has reached, for those who ask for it with progress.',
      properties: { reached: answers.add('ReachedResult', resultOf(about)) },
      required: ['reached'],
    },
    error: {
      title: 'End',
      type: 'object',
      description: 'Why the stream ends. No message follows.',
      properties: { error: { $ref: '#/components/schemas/Error' } },
      required: ['error'],
    },
  };
}

type Properties = Readonly<Record<string, JsonSchema>>;

function resultOf(properties: Properties): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** `block` and `cursor` are there for those who ask for them. */
function messageOf(title: string, result: JsonSchema, about: Properties): JsonSchema {
  return { title, type: 'object', properties: { result, ...about }, required: ['result'] };
}
