import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { GatewayContext } from '../graphql/context.ts';
import { schema } from '../graphql/index.ts';

/** An operation of a valid document, ready to run. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  run(variables: Readonly<Record<string, unknown>>, context: GatewayContext): Promise<RunResult>;
}

export type RunResult =
  /** The data as JSON, where there is no error. */
  | {
      readonly kind: 'text';
      readonly data: string;
      /** Whether a page in it has no rows. */
      readonly isEmptyPage: boolean;
      /** Whether a root field is null. */
      readonly isNull: boolean;
    }
  | { readonly kind: 'result'; readonly result: ExecutionResult };

export function prepareOperation(document: DocumentNode, operationName?: string | null): PreparedOperation {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error('the document has no such operation');
  return {
    document,
    operation,
    run: async (variableValues, contextValue) => ({
      kind: 'result',
      result: await execute({ schema, document, operationName, variableValues, contextValue }),
    }),
  };
}
