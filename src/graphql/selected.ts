import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

type Executed = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

/** Whether any of some fields is selected of the value of a field, or of what lies below it under these names. */
export function selectsAny(
  info: GraphQLResolveInfo,
  names: readonly string[],
  below: readonly string[] = [],
): boolean {
  return names.some((name) => keysBelow(info, [...below, name]).length > 0);
}

/**
 * The keys that fields stand under below a field's value, as these are called in the answer.
 */
export function keysBelow({ fieldNodes, ...executed }: GraphQLResolveInfo, names: readonly string[]) {
  let found: readonly Below[] = [
    { keys: [], sets: fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []) },
  ];
  for (const name of names)
    found = found.flatMap(({ keys, sets }) =>
      [...select(sets, name, executed)].map(([key, below]) => ({ keys: [...keys, key], sets: below })),
    );
  return found.map(({ keys }) => keys);
}

interface Below {
  readonly keys: readonly string[];
  readonly sets: readonly SelectionSetNode[];
}

/** What is selected of fields of a name, by the key that each stands under. */
function select(sets: readonly SelectionSetNode[], name: string, { fragments, variableValues }: Executed) {
  const found = new Map<string, SelectionSetNode[]>();
  // Each fragment is searched once, however often it is spread.
  const seen = new Set<string>();
  const search = ({ selections }: SelectionSetNode): void => {
    for (const one of selections) {
      if (isLeftOut(one, variableValues)) continue;
      if (one.kind === Kind.INLINE_FRAGMENT) search(one.selectionSet);
      else if (one.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = seen.has(one.name.value) ? undefined : fragments[one.name.value];
        seen.add(one.name.value);
        if (fragment !== undefined) search(fragment.selectionSet);
      } else if (one.name.value === name) {
        const key = one.alias?.value ?? name;
        found.set(key, [...(found.get(key) ?? []), ...(one.selectionSet ? [one.selectionSet] : [])]);
      }
    }
  };
  for (const set of sets) search(set);
  return found;
}

function isLeftOut(one: SelectionNode, variables: GraphQLResolveInfo['variableValues']): boolean {
  if (!one.directives?.length) return false;
  const saysOf = (directive: typeof GraphQLSkipDirective) =>
    getDirectiveValues(directive, one, variables)?.['if'];
  return saysOf(GraphQLSkipDirective) === true || saysOf(GraphQLIncludeDirective) === false;
}
