import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Whether any of some fields is selected of the value of a field. */
export function selectsAny({ fieldNodes, fragments }: GraphQLResolveInfo, names: readonly string[]): boolean {
  // Each fragment is searched once, however often it is spread.
  const seen = new Set<string>();
  const selects = ({ selections }: SelectionSetNode): boolean =>
    selections.some((one) => {
      if (one.kind === Kind.FIELD) return names.includes(one.name.value);
      if (one.kind === Kind.INLINE_FRAGMENT) return selects(one.selectionSet);
      const fragment = seen.has(one.name.value) ? undefined : fragments[one.name.value];
      seen.add(one.name.value);
      return fragment !== undefined && selects(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && selects(selectionSet));
}
