import { type ExecutionArgs, getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GatewayContext } from '../../graphql/context.ts';

/**
 * Reads the newest block first where an operation asks for it. Root fields are read side by side: one that was read
 * before the block could be older than it.
 */
export function useBlockFirst(): Plugin<GatewayContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      if (!asksForBlock(args)) return;
      const { contextValue } = args;
      setExecuteFn(async (args: ExecutionArgs) => {
        await contextValue.newestBlock();
        return executeFn(args);
      });
    },
  };
}

/** Whether a query asks for a block, the newest or another, among its root fields. */
export function asksForBlock({
  document,
  operationName,
}: Pick<ExecutionArgs, 'document' | 'operationName'>): boolean {
  // Each is searched once, however often it is spread: fragments can multiply.
  const fragments = new Map<string, SelectionSetNode>();
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one.selectionSet);

  const isBlock = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === 'block';
      if (selection.kind === Kind.INLINE_FRAGMENT) return isBlock(selection.selectionSet);
      const fragment = fragments.get(selection.name.value);
      fragments.delete(selection.name.value);
      return fragment !== undefined && isBlock(fragment);
    });
  const operation = getOperationAST(document, operationName);
  return operation?.operation === 'query' && isBlock(operation.selectionSet);
}
