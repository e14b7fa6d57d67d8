import type { IncomingMessage } from 'node:http';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import { createContext, type GatewayContext, type GatewayServices } from '../graphql/context.ts';
import { schema } from '../graphql/index.ts';
import { useBlockFirst } from './block-first.ts';
import { asGraphqlError } from './client-errors.ts';
import { type DocumentCache, useDocumentCache } from './document-cache.ts';
import { useOperationLimits } from './limits.ts';
import { useReadyResults } from './ready-results.ts';
import { useHeadAsGet, useNamedOperation, useReadParameters, useValueRefusal } from './request-plugins.ts';
import type { ServerContext } from './server-context.ts';
import { useStreamHeaders } from './stream-headers.ts';
import type { Subscribe } from './subscribe.ts';
import { useTextAnswers } from './text-answers.ts';
import { useClientErrors, useErrorBody, useSubscribe } from './yoga-plugins.ts';

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

/** GraphQL over HTTP at `/graphql`, with GraphiQL for browsers. */
export function createGraphqlServer(
  services: GatewayServices,
  subscribeFor: (request: IncomingMessage) => Subscribe,
  documents: DocumentCache,
  logger: Logger,
) {
  return createYoga<ServerContext, GatewayContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: () => createContext(services),
    plugins: [
      useHeadAsGet(),
      useReadParameters(),
      useValueRefusal(),
      useNamedOperation(),
      useSubscribe(subscribeFor),
      useOperationLimits(),
      useDocumentCache(documents),
      useReadyResults(),
      useBlockFirst(),
      useTextAnswers(),
      useClientErrors(logger),
      useErrorBody(),
      useStreamHeaders(),
    ],
    // Ours keeps bytes within a limit, not documents.
    parserAndValidationCache: false,
    // Masking is left to `useClientErrors`, which knows the request.
    maskedErrors: { maskError: asGraphqlError },
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
