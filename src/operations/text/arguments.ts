import { getArgumentValues } from 'graphql';
import type { PageRequest } from '../../data/pages.ts';
import { readPageArgs } from '../../graphql/connections.ts';
import type { Field, FieldNodes, ListRead, RowField, RowRead } from './plan.ts';

/** The values of an operation's variables, coerced. */
export type Variables = Readonly<Record<string, unknown>>;

/** What the arguments of each list of a plan ask for. */
export type GivenPages = ReadonlyMap<ListRead, GivenPage>;

interface GivenPage {
  readonly filter: never;
  readonly request: PageRequest;
}

/** Reads the arguments of a list and of all below it. Throws what graphql-js would throw of one that is refused. */
export function readListArguments(
  list: ListRead,
  variables: Variables,
  into: Map<ListRead, GivenPage>,
): void {
  const { source, definition, nodes } = list;
  const args = readArguments(definition, nodes, variables);
  into.set(list, {
    filter: source.filterOf(args as never),
    request: readPageArgs(source.noun.name, args),
  });
  for (const field of list.fields) {
    if (field.kind !== 'edges') continue;
    for (const edge of field.fields)
      if (edge.kind === 'node') readFieldsArguments(edge.fields, variables, into);
  }
}

/** The same for a row. */
export function readRowArguments(
  { fields }: RowRead,
  variables: Variables,
  into: Map<ListRead, GivenPage>,
): void {
  readFieldsArguments(fields, variables, into);
}

function readFieldsArguments(
  fields: readonly RowField[],
  variables: Variables,
  into: Map<ListRead, GivenPage>,
): void {
  for (const field of fields) {
    if (field.kind === 'link') readRowArguments(field.row, variables, into);
    else if (field.kind === 'list') readListArguments(field.list, variables, into);
  }
}

export function readArguments(definition: Field, [node]: FieldNodes, variables: Variables) {
  return getArgumentValues(definition, node, variables);
}
