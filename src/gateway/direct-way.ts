import type { IncomingMessage, RequestListener } from 'node:http';
import { OperationTypeNode } from 'graphql';
import type { Logger } from 'pino';
import { parseJson } from '../engine/documents/operation-params.ts';
import type { Engine } from '../engine/engine.ts';
import type { Question } from '../engine/question.ts';
import { reply, replyKept } from '../engine/reply.ts';
import { Rejection } from '../errors.ts';
import { dataAnswer, failedAnswer } from '../graphql-http/graphql-answer.ts';
import { chooseMediaType, isJson, type MediaType, takesStream } from '../graphql-http/media-types.ts';
import { hasBody, takeBody } from '../http/limits/request-limits.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import type { Exchange } from '../http/write/exchange.ts';
import { NO_HEADERS } from '../http/write/ready-head.ts';
import type { Rest } from '../rest/serve.ts';

export interface DirectWayOptions {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly rest: Rest;
  /** Takes every request that is not answered here. */
  readonly app: RequestListener;
  readonly bodyLimit: number;
  readonly logger: Logger;
}

/**
 * The one optimisation before the application: documented paths and operations that are posted as JSON go to the engine at
 * once, since the layers of Express and Yoga cost more than most answers do. It decides nothing that they would not.
 */
export function createDirectWay(options: DirectWayOptions): (exchange: Exchange) => void {
  const { writer, rest, app, bodyLimit, logger } = options;

  function takePost(exchange: Exchange, body: Buffer, mediaType: MediaType): void {
    const { request, response } = exchange;
    const fail = (error: unknown) => {
      if (error instanceof NeedsStream) app(request, response);
      else if (error instanceof Rejection) writer.fail(exchange, error);
      else void writer.send(exchange, failedAnswer(error, { mediaType, id: exchange.id, logger }));
    };
    // The form first: no address begins like it.
    const key = `${mediaType} ${body.toString('latin1')}`;
    if (replyKept(options, exchange, key, NO_HEADERS)) return;
    reply(options, exchange, questionOfPost(exchange, key, body, mediaType), NO_HEADERS, fail);
  }

  return (exchange) => {
    const { request, response } = exchange;
    const { method, url } = request;
    if ((method === 'GET' || method === 'HEAD') && !hasBody(request) && rest.answer(exchange)) return;
    const mediaType =
      method === 'POST' && url === '/graphql' && hasBody(request) ? formOfPost(request) : null;
    if (mediaType !== null) {
      takeBody(
        request,
        bodyLimit,
        (body) => takePost(exchange, body, mediaType),
        (error) => writer.fail(exchange, error),
      );
      return;
    }
    app(request, response);
  };
}

/** Says that a body asks for more than one answer: Yoga streams those, and batches have a handler of their own. */
class NeedsStream extends Error {}

/** The form of the answer to a POST of JSON from a client that takes no streams; null for every other request. */
function formOfPost({ headers }: IncomingMessage): MediaType | null {
  const { accept } = headers;
  if (!isJson(headers['content-type']) || takesStream(accept)) return null;
  return chooseMediaType(accept);
}

/** What a POST of JSON asks. Reading it throws NeedsStream for what has not one answer. */
function questionOfPost({ scope }: Exchange, key: string, body: Buffer, mediaType: MediaType): Question {
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
