import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendNodeResponse } from '@whatwg-node/server';
import type { YogaServerInstance } from 'graphql-yoga';
import type { ServerContext } from './server-context.ts';

/**
 * Answers with what Yoga makes of a request. Rejects with what Yoga throws, for the error handler: Yoga's own listener
 * would answer with the stack.
 */
export function serveOperations(
  graphql: Pick<YogaServerInstance<ServerContext, object>, 'handleNodeRequestAndResponse'>,
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
