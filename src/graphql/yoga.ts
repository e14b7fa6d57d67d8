import type { IncomingMessage, ServerResponse } from 'node:http';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import { createContext, type GatewayContext, type GatewayServices } from './context.ts';
import { schema } from './index.ts';
import { useOperationLimits } from './operation-limits.ts';
import type { Subscribe } from './subscribe.ts';
import {
  keepOriginalError,
  useClientErrors,
  useErrorBody,
  useNulRefusal,
  useSubscribe,
} from './yoga-plugins.ts';

const EXAMPLE = `# Everything here is read-only. Press the play button, or Ctrl-Enter.
{
  block { height timestamp }
  markets(first: 3) {
    edges {
      node { id instrumentName state marketData { markPrice bestBidPrice bestOfferPrice } }
    }
  }
  deposits(first: 3) {
    totalCount
    edges { node { id amount status assetNode { symbol decimals } } cursor }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/** What the HTTP application hands on with each request. */
export interface ServerContext extends OperationContext {
  readonly res: ServerResponse;
}

/** What every operation comes with, also those that come over a WebSocket. */
export interface OperationContext {
  readonly req: IncomingMessage;
}

/** GraphQL over HTTP at `/graphql`, with GraphiQL for browsers. */
export function createGraphqlServer(
  services: GatewayServices,
  subscribeFor: (request: IncomingMessage) => Subscribe,
  logger: Logger,
) {
  return createYoga<ServerContext, GatewayContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: () => createContext(services),
    plugins: [
      useSubscribe(subscribeFor),
      useNulRefusal(),
      useOperationLimits(),
      useClientErrors(logger),
      useErrorBody(),
    ],
    maskedErrors: { maskError: keepOriginalError },
    // The HTTP application around it has its own.
    cors: false,
    logging: false,
    landingPage: false,
    multipart: false,
    graphiql: { title: 'Periscope', defaultQuery: EXAMPLE },
    // The page carries its scripts itself: nothing is fetched from elsewhere. It is loaded when first asked for.
    renderGraphiQL: async (options) =>
      (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
  });
}
