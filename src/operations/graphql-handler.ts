import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendNodeResponse } from '@whatwg-node/server';
import type { ServerContext } from './server-context.ts';

/** What of Yoga makes an answer of a request. */
interface GraphqlAnswers {
  handleNodeRequestAndResponse(
    request: IncomingMessage,
    response: ServerResponse,
    context: ServerContext,
  ): Response | Promise<Response>;
}

/**
 * Answers with what Yoga makes of a request. Rejects with what Yoga throws, for the error handler: Yoga's own listener
 * would answer with the stack.
 */
export function serveOperations(
  graphql: GraphqlAnswers,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const context = { req: request, res: response };
      const answer = await graphql.handleNodeRequestAndResponse(request, response, context);
      await sendNodeResponse(answer, response, request, true);
    } catch (error) {
      // What was done for one who has left ends so.
      if (!response.destroyed) throw error;
    }
  };
}
