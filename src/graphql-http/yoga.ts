import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendNodeResponse } from '@whatwg-node/server';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import { asGraphqlError } from '../engine/client-errors.ts';
import type { Engine } from '../engine/engine.ts';
import { GatewayError } from '../errors.ts';
import { schema } from '../graphql/index.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { STREAM_HEADERS } from '../http/write/common-head.ts';
import { HttpError } from '../http/write/error-body.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { setHeaders } from '../http/write/ready-head.ts';
import { type ServerContext, useHeadAsGet, useReadParameters } from './request-plugins.ts';
import { type MadeAnswers, useEngine } from './use-engine.ts';

export interface GraphqlServer {
  /** Answers a request at `/graphql`. Rejects with what is wrong with the request itself. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  dispose(): void;
}

/**
 * GraphQL over HTTP by Yoga: reading parameters of every form, choosing the form of the answer, and server-sent events.
 * The engine does the rest, and the writer writes whatever is no stream.
 */
export function createGraphqlServer(engine: Engine, writer: AnswerWriter, logger: Logger): GraphqlServer {
  const answers: MadeAnswers = new WeakMap();
  const yoga = createYoga<ServerContext>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins: [useHeadAsGet(), useReadParameters(engine), useEngine(engine, logger, answers)],
    parserAndValidationCache: false,
    // What went wrong is told by the engine, which knows the request.
    maskedErrors: { maskError: asGraphqlError },
    // The HTTP application around it has its own.
    cors: false,
    logging: false,
    landingPage: false,
    multipart: false,
    graphiql: false,
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const made = await yoga.handleNodeRequestAndResponse(request, response, {
        req: request,
        res: response,
      });
      const answer = answers.get(request);
      if (answer !== undefined) return await writer.send(exchangeOf(response), answer);
      if (made.status >= 400) throw refusalOf(made);
      // Yoga's own headers keep a proxy from passing events on: `none` is no content coding, the connection is Node's.
      for (const name of ['content-encoding', 'connection']) made.headers.delete(name);
      setHeaders(response, Object.entries(STREAM_HEADERS).flat());
      for (const name of Object.keys(STREAM_HEADERS)) made.headers.delete(name);
      await sendNodeResponse(made, response, request, true);
    } catch (error) {
      // What was done for one who has left ends so.
      if (!response.destroyed) throw error;
    }
  }
  return { serve, dispose: () => void yoga.dispose() };
}

/** What a client can do about a request that Yoga refuses without words. */
function refusalOf({ status, statusText }: Response): GatewayError {
  if (status === 415)
    return new HttpError(415, 'An operation is sent as JSON, with Content-Type: application/json.');
  if (status === 406)
    return new HttpError(
      406,
      'The Accept header has no form of this answer: application/json, or text/event-stream for a subscription.',
    );
  return new GatewayError('INVALID_ARGUMENT', `The request cannot be taken: ${statusText || status}.`);
}
