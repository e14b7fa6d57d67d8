import type { ExecutionArgs, GraphQLError } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { createGraphqlServer } from '../graphql/yoga.ts';
import { refuseNul } from '../graphql/yoga-plugins.ts';

/** Gives an operation ready to be executed, or says what is wrong with it. May throw what is wrong, too. */
export type ReadOperation = (payload: SubscribePayload) => Promise<ExecutionArgs | readonly GraphQLError[]>;

/** Reads operations as GraphQL over HTTP does, with its plugins: what is refused there is refused here. */
export function createReadOperation(graphql: ReturnType<typeof createGraphqlServer>): ReadOperation {
  return async ({ query, variables, operationName }) => {
    const refusal = refuseNul({ query, variables, operationName });
    if (refusal !== null) return [refusal];
    const { schema, parse, validate, contextFactory } = graphql.getEnveloped({});
    const document = parse(query);
    const errors: readonly GraphQLError[] = validate(schema, document);
    if (errors.length > 0) return errors;
    return {
      schema,
      document,
      variableValues: variables,
      operationName,
      contextValue: await contextFactory(),
    };
  };
}
