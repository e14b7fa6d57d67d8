import { type FieldNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';

/** Gives an argument of a field as it was given, a list as an array; undefined where there is none, or null. */
export type ArgumentReader = (field: FieldNode, name: string) => unknown;

/** Arguments before execution: in the document, in a variable or in its default. */
export function createArgumentReader(
  { variableDefinitions }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): ArgumentReader {
  const defaults = new Map(
    variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );

  function read(value: ValueNode | undefined): unknown {
    if (value === undefined) return undefined;
    if (value.kind === Kind.LIST) return value.values;
    if (value.kind !== Kind.VARIABLE) return 'value' in value ? value.value : undefined;
    const name = value.name.value;
    const given = variables[name];
    return given === undefined ? read(defaults.get(name)) : (given ?? undefined);
  }

  return (field, name) => read(field.arguments?.find((argument) => argument.name.value === name)?.value);
}

/** How many rows a list asks for. A size that it does not take counts 1: it is refused when the page is asked for. */
export function readPageSize(read: ArgumentReader, list: FieldNode): number {
  const sizes = ['first', 'last'].map((name) => read(list, name)).filter((size) => size !== undefined);
  const size = sizes.length === 0 ? DEFAULT_PAGE_SIZE : Math.max(...sizes.map(Number));
  return size >= 1 && size <= MAX_PAGE_SIZE ? size : 1;
}
