import type { JsonSchema } from '../rest/json-schema.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import type { AnswerSchemas } from './answer-schemas.ts';

/** The sorts of messages of a documented stream. */
export interface MessageSchemas {
  readonly snapshot: JsonSchema;
  readonly updates: JsonSchema;
  readonly reached: JsonSchema;
  readonly error: JsonSchema;
}

/** The schemas of a stream's messages: its subscription's own, in the shape that `stream-route.ts` gives them. */
export function messageSchemas(route: StreamRoute, answers: AnswerSchemas): MessageSchemas {
  const { snapshot, updates, block, cursor } = answers.ofMessage(route.operation);
  const about = { block, cursor };
  return {
    snapshot: messageOf('Snapshot', answers.add('SnapshotResult', resultOf({ snapshot })), about),
    updates: messageOf('Updates', answers.add('UpdatesResult', resultOf({ updates })), about),
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
