import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Whether any of some fields is selected of the value of a field. */
export function selectsAny({ fieldNodes, fragments }: GraphQLResolveInfo, names: readonly string[]): boolean {
  const selects = ({ selections }: SelectionSetNode): boolean =>
    selections.some((one) => {
      if (one.kind === Kind.FIELD) return names.includes(one.name.value);
      const within = one.kind === Kind.INLINE_FRAGMENT ? one : fragments[one.name.value];
      return within !== undefined && selects(within.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && selects(selectionSet));
}
