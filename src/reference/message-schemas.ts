import type { JsonSchema } from '../rest/json-schema.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import type { AnswerSchemas } from './answer-schemas.ts';

/** The sorts of messages of a documented stream. */
export interface MessageSchemas {
  readonly snapshot: JsonSchema;
  readonly updates: JsonSchema;
  readonly error: JsonSchema;
}

/** The schemas of a stream's messages: its subscription's own, in the shape that `stream-route.ts` gives them. */
export function messageSchemas(route: StreamRoute, answers: AnswerSchemas): MessageSchemas {
  const { snapshot, updates, block, cursor } = answers.ofMessage(route.operation);
  const about = { block, cursor };
  return {
    snapshot: resultOf('Snapshot', { snapshot }, about),
    updates: resultOf('Updates', { updates }, about),
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

/** `block` and `cursor` are there for those who ask for them. */
function resultOf(title: string, result: Properties, about: Properties): JsonSchema {
  return {
    title,
    type: 'object',
    properties: {
      result: { type: 'object', properties: result, required: Object.keys(result) },
      ...about,
    },
    required: ['result'],
  };
}
