import { type ExecutionArgs, getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GatewayContext } from './context.ts';

/**
 * Reads the newest block before anything else where an operation asks for it: root fields are read side by side, and
 * one that was read earlier could be older than the block beside it.
 */
export function useBlockFirst(): Plugin<GatewayContext> {
  return {
    async onExecute({ args }) {
      if (asksForBlock(args)) await args.contextValue.newestBlock();
    },
  };
}

function asksForBlock({ document, operationName }: ExecutionArgs): boolean {
  const isBlock = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === 'block';
      if (selection.kind === Kind.INLINE_FRAGMENT) return isBlock(selection.selectionSet);
      return document.definitions.some(
        (one) =>
          one.kind === Kind.FRAGMENT_DEFINITION &&
          one.name.value === selection.name.value &&
          isBlock(one.selectionSet),
      );
    });
  const operation = getOperationAST(document, operationName);
  return operation?.operation === 'query' && isBlock(operation.selectionSet);
}
