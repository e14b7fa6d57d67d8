import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { quoted } from '../../errors.ts';
import { OPERATION_LIMITS } from '../../graphql/costs.ts';
import { badRequest } from '../client-errors.ts';

/**
 * Throws INVALID_ARGUMENT for a document that asks for something under one name in one place again and again: graphql-js compares
 * each with each of the others, in one piece that others wait for. Plain fields, as `id`, take it next to nothing. The document
 * need not be valid: fragments may be missing, or spread themselves.
 */
export function refuseRepeats(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const places: (readonly SelectionSetNode[])[] = [];
  const alone = new Set<SelectionSetNode>();
  let looked = 0;

  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if ('selectionSet' in definition) places.push([definition.selectionSet]);
  }
  // It grows meanwhile.
  for (const place of places) lookInto(place);

  function lookInto(place: readonly SelectionSetNode[]): void {
    const [first] = place;
    if (place.length === 1 && first !== undefined) {
      if (alone.has(first)) return;
      alone.add(first);
    }
    const named = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const set of place) collect(set, named, spread);
    for (const [name, nodes] of named) {
      if (nodes.length > OPERATION_LIMITS.repeats && !nodes.every(isPlain))
        throw repeated(name, nodes.length);
      const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) places.push(below);
    }
  }

  function collect({ selections }: SelectionSetNode, into: Map<string, FieldNode[]>, spread: Set<string>) {
    for (const selection of selections) {
      looked += 1;
      if (looked > OPERATION_LIMITS.places) throw tooManyPlaces();
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, into, spread);
      else if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const known = into.get(name);
        if (known === undefined) into.set(name, [selection]);
        else known.push(selection);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet, into, spread);
      }
    }
  }
}

function isPlain({ alias, arguments: args = [], selectionSet }: FieldNode): boolean {
  return alias === undefined && args.length === 0 && selectionSet === undefined;
}

function repeated(name: string, times: number): Error {
  return badRequest(
    'query',
    `The document selects ${quoted(name)} ${times} times in one place; the most is ${OPERATION_LIMITS.repeats}. Select it once, with all that is asked of it, or give each an alias of its own.`,
  );
}

function tooManyPlaces(): Error {
  return badRequest(
    'query',
    `The document selects more than ${OPERATION_LIMITS.places} fields, as fragments that are spread again count again. Spread them in fewer places.`,
  );
}
