import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionNode } from 'graphql';
import { createArgumentReader, isLeftOut } from './argument-reader.ts';
import type { Given } from './given.ts';

/** What is looked at for the places of an operation. */
interface Asked {
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly operation: OperationDefinitionNode;
  readonly given: Given;
}

/** In how many places fields are selected. No size of a page matters to that, so that each fragment is looked at once. */
export function countPlaces({ fragments, operation, given }: Asked, asked: readonly SelectionNode[]): number {
  const readArgument = createArgumentReader(operation, given.size);
  const counted = new Map<string, number>();

  return inAll(asked);

  function inAll(selections: readonly SelectionNode[]): number {
    let places = 0;
    for (const selection of selections) if (!isLeftOut(selection, readArgument)) places += inOne(selection);
    return places;
  }

  function inOne(selection: SelectionNode): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return inFragment(selection.name.value);
    const own = selection.kind === Kind.FIELD ? 1 : 0;
    return own + inAll(selection.selectionSet?.selections ?? []);
  }

  function inFragment(name: string): number {
    const places = counted.get(name) ?? inAll(fragments[name]?.selectionSet.selections ?? []);
    counted.set(name, places);
    return places;
  }
}
