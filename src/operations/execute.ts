import type { DocumentNode } from 'graphql';
import { asThrown } from '../errors.ts';
import { createContext, type GatewayServices } from '../graphql/context.ts';
import { prepareOperation } from './prepared.ts';

/** A parsed operation with the types of its answer and its variables (what gql.tada's `graphql()` gives). */
export interface Operation<Data, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Data;
}

/** Runs an operation against the schema in this process, without HTTP or parsing in between. */
export type Execute = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

/**
 * Makes the function with which REST and the streams run their operations. It throws the first error of an answer as
 * the resolver threw it, so that a GatewayError arrives as one.
 */
export function createExecute(services: GatewayServices): Execute {
  return async (operation, variables) => {
    const { run } = prepareOperation(operation);
    const answer = await run(variables as Record<string, unknown>, createContext(services));
    if (answer.kind === 'text') return JSON.parse(answer.data);
    const [error] = answer.result.errors ?? [];
    if (error !== undefined) throw asThrown(error);
    return answer.result.data as never;
  };
}
