import type { JsonSchema } from '../rest/json-schema.ts';
import type { Shape } from '../rest/shape.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import { withComponents } from './mapped-schemas.ts';

/** The sorts of messages of a documented stream. */
export interface MessageSchemas {
  readonly snapshot: JsonSchema;
  readonly updates: JsonSchema;
  readonly reached: JsonSchema;
  readonly error: JsonSchema;
}

/** The schemas of a stream's messages: its subscription's own, in the shape that `stream-route.ts` gives them. */
export function messageSchemas(route: StreamRoute, answers: AnswerSchemas): MessageSchemas {
  const { operation, written, absentWhenNull } = route;
  const about = answers.ofMessage(operation, ['block', 'cursor']);
  const mapped = ({ schema }: Shape<never>) => withComponents(schema, answers, absentWhenNull);
  const { snapshot, updates } = written
    ? { snapshot: mapped(written.snapshot), updates: mapped(written.updates) }
    : answers.ofMessage(operation, ['snapshot', 'updates']);
  const name = written?.name ?? '';
  return {
    snapshot: messageOf('Snapshot', answers.add(`${name}SnapshotResult`, resultOf({ snapshot })), about),
    updates: messageOf('Updates', answers.add(`${name}UpdatesResult`, resultOf({ updates })), about),
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
