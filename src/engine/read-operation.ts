import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
  type OperationTypeNode,
} from 'graphql';
import type { OperationContext } from '../graphql-http/server-context.ts';
import type { createGraphqlServer } from '../graphql-http/yoga.ts';
import { refuseValues } from './documents/parameter-values.ts';
import type { PersistedOperations } from './documents/persisted-operations.ts';
import { costOf, type OperationCost } from './price/cost.ts';

export type GraphqlServer = Pick<ReturnType<typeof createGraphqlServer>, 'getEnveloped'>;

/** What an operation is read from, whatever transport brought it. */
export interface GivenParams {
  readonly query?: unknown;
  readonly variables?: Record<string, unknown> | null | undefined;
  readonly operationName?: string | null | undefined;
  readonly extensions?: unknown;
}

/** An operation that can be asked, or why it cannot be. */
export type ReadOperation =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] }
  | {
      readonly kind: 'read';
      readonly type: OperationTypeNode | undefined;
      /** What it may cost. */
      price(): OperationCost;
      /** Executes it, or subscribes. */
      run(): Promise<ExecutionResult>;
    };

/**
 * Reads an operation as GraphQL over HTTP does, with its plugins: what is refused there is refused here. Throws what is
 * wrong with its parameters or its text, and gives what is wrong with its document.
 */
export function readOperation(
  { graphql, textOf }: { readonly graphql: GraphqlServer; readonly textOf: PersistedOperations['textOf'] },
  given: GivenParams,
  asking: OperationContext,
): ReadOperation {
  const { variables, operationName } = given;
  const refusal = refuseValues(given);
  if (refusal !== null) throw refusal;
  const query = textOf(given);
  const context = { ...asking, params: { query, variables, operationName } };
  const { schema, parse, validate, contextFactory, execute, subscribe } = graphql.getEnveloped(context);
  const document: DocumentNode = parse(query);
  const errors: readonly GraphQLError[] = validate(schema, document);
  if (errors.length > 0) return { kind: 'refused', errors };
  const args: ExecutionArgs = { schema, document, variableValues: variables, operationName };
  const type = getOperationAST(document, operationName)?.operation;
  return {
    kind: 'read',
    type,
    price: () => costOf(args),
    run: async () =>
      (type === 'subscription' ? subscribe : execute)({ ...args, contextValue: await contextFactory() }),
  };
}
