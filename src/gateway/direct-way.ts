import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { reply, replyKept } from '../engine/reply.ts';
import { Rejection } from '../errors.ts';
import type { MediaType } from '../graphql-http/media-types.ts';
import { failedPost, formOfPost, keyOfPost, NeedsStream, questionOfPost } from '../graphql-http/posts.ts';
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
      else void writer.send(exchange, failedPost(error, exchange, mediaType, logger));
    };
    const key = keyOfPost(body, mediaType);
    if (replyKept(options, exchange, key, NO_HEADERS)) return;
    void reply(options, exchange, questionOfPost(exchange, key, body, mediaType), NO_HEADERS, fail);
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
