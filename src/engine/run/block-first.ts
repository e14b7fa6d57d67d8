import {
  type DocumentNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

const known = new WeakMap<OperationDefinitionNode, boolean>();

/** Whether a query asks for a block, the newest or another, among its root fields. Each operation is searched once. */
export function asksForBlock(document: DocumentNode, operationName: string | null): boolean {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query') return false;
  const found = known.get(operation) ?? findBlock(document, operation);
  known.set(operation, found);
  return found;
}

function findBlock(document: DocumentNode, operation: OperationDefinitionNode): boolean {
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
  return isBlock(operation.selectionSet);
}
