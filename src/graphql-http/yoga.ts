import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Admit } from '../engine/admit.ts';
import { asGraphqlError } from '../engine/client-errors.ts';
import { type DocumentCache, useDocumentCache } from '../engine/documents/document-cache.ts';
import {
  type PersistedOperations,
  usePersistedOperations,
} from '../engine/documents/persisted-operations.ts';
import { type OperationTimes, useOperationTimes } from '../engine/operation-times.ts';
import { useDocumentLimits } from '../engine/price/limits.ts';
import { useBlockFirst } from '../engine/run/block-first.ts';
import { createContext, type GatewayContext, type GatewayServices } from '../graphql/context.ts';
import { schema } from '../graphql/index.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import { type Caller, NOBODY, type ScopeOf } from '../http/request-scope.ts';
import { useCacheableGets } from './cacheable-gets.ts';
import { useReadyResults } from './ready-results.ts';
import { useHeadAsGet, useNamedOperation, useReadParameters, useValueRefusal } from './request-plugins.ts';
import type { OperationContext, ServerContext } from './server-context.ts';
import { useStreamHeaders } from './stream-headers.ts';
import { useTextAnswers } from './text-answers.ts';
import { useAdmission } from './use-admission.ts';
import { type SubscribeFor, useClientErrors, useErrorBody, useSubscribe } from './yoga-plugins.ts';

export interface GraphqlServerOptions {
  readonly documents: DocumentCache;
  readonly persisted: PersistedOperations;
  /** Whether the schema may be asked for. */
  readonly introspection: 'on' | 'off';
  readonly admit: Admit;
  readonly scopeOf: ScopeOf;
  readonly clients: ClientAddresses;
  readonly times: OperationTimes;
  readonly logger: Logger;
}

/** GraphQL over HTTP at `/graphql`. */
export function createGraphqlServer(
  services: GatewayServices,
  subscribeFor: SubscribeFor,
  { documents, persisted, introspection, admit, scopeOf, clients, times, logger }: GraphqlServerOptions,
) {
  const callerOf = ({ req, res, signal, steps }: OperationContext & Partial<ServerContext>): Caller =>
    res === undefined
      ? { client: clients.ofRequest(req), signal: signal ?? NOBODY.signal, steps }
      : scopeOf(req, res);
  return createYoga<ServerContext, GatewayContext>({
    schema,
    graphqlEndpoint: '/graphql',
    context: (context) => createContext(services, callerOf(context)),
    plugins: [
      useHeadAsGet(),
      useReadParameters(),
      usePersistedOperations(persisted),
      useIntrospection(introspection),
      useValueRefusal(),
      useNamedOperation(),
      useSubscribe(subscribeFor),
      useDocumentLimits(),
      useDocumentCache(documents),
      useReadyResults(),
      useTextAnswers(),
      useBlockFirst(),
      useAdmission(admit, callerOf),
      useOperationTimes(times),
      useClientErrors(logger),
      useErrorBody(),
      useCacheableGets(),
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
    // It stands before this.
    graphiql: false,
  });
}

function useIntrospection(setting: 'on' | 'off'): Plugin {
  return {
    onValidate({ addValidationRule }) {
      if (setting === 'off') addValidationRule(NoSchemaIntrospectionCustomRule);
    },
  };
}
