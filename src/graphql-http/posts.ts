import type { IncomingMessage } from 'node:http';
import { OperationTypeNode } from 'graphql';
import type { Logger } from 'pino';
import { parseJson } from '../engine/documents/operation-params.ts';
import type { Question } from '../engine/question.ts';
import type { Answer } from '../http/write/answer.ts';
import type { Exchange } from '../http/write/exchange.ts';
import { dataAnswer, failedAnswer } from './graphql-answer.ts';
import { chooseMediaType, isJson, type MediaType, takesStream } from './media-types.ts';

/** Says that a body asks for more than one answer: Yoga streams those, and batches have a handler of their own. */
export class NeedsStream extends Error {}

/** The form of the answer to a POST of JSON from a client that takes no streams; null for every other request. */
export function formOfPost({ headers }: IncomingMessage): MediaType | null {
  const { accept } = headers;
  if (!isJson(headers['content-type']) || takesStream(accept)) return null;
  return chooseMediaType(accept);
}

/** Under what the answer to a POST is kept. The form first: no address begins like it. */
export function keyOfPost(body: Buffer, mediaType: MediaType): string {
  return `${mediaType} ${body.toString('latin1')}`;
}

/** What a POST of JSON asks. Reading it throws NeedsStream for what has not one answer. */
export function questionOfPost(
  { scope }: Exchange,
  key: string,
  body: Buffer,
  mediaType: MediaType,
): Question {
  return {
    ...{ key, scope, bytes: body.length },
    async read(engine) {
      const given = parseJson(body);
      if (Array.isArray(given)) throw new NeedsStream();
      const operation = await engine.read(given, 'http', scope.client);
      if (operation.node.operation === OperationTypeNode.SUBSCRIPTION) throw new NeedsStream();
      return operation;
    },
    write: (outcome) => dataAnswer(outcome, mediaType),
  };
}

/** The answer to such a POST that failed. */
export function failedPost(thrown: unknown, { id }: Exchange, mediaType: MediaType, logger: Logger): Answer {
  return failedAnswer(thrown, { mediaType, id, logger });
}
