import { type FieldNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';

/** Gives an argument of a field as it was given, a list as an array; undefined where there is none, or null. */
export type ArgumentReader = (field: FieldNode, name: string) => unknown;

/** Arguments before execution: in the document, in a variable or in its default. */
export function createArgumentReader(
  { variableDefinitions }: OperationDefinitionNode,
  readVariable: (name: string) => unknown,
): ArgumentReader {
  const defaults = new Map(
    variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );

  function read(value: ValueNode | undefined): unknown {
    if (value === undefined) return undefined;
    if (value.kind === Kind.LIST) return value.values;
    if (value.kind !== Kind.VARIABLE) return 'value' in value ? value.value : undefined;
    const name = value.name.value;
    const given = readVariable(name);
    return given === undefined ? read(defaults.get(name)) : (given ?? undefined);
  }

  return (field, name) => read(field.arguments?.find((argument) => argument.name.value === name)?.value);
}
