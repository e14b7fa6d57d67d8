import {
  type DirectiveNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
} from 'graphql';

/** What `@skip` or `@include` leaves out is not executed. Whatever is no boolean is refused before that. */
export function isLeftOut({ directives }: SelectionNode, readArgument: ArgumentReader): boolean {
  return (directives ?? []).some(
    (one) => LEAVING_OUT.has(one.name.value) && readArgument(one, 'if') === LEAVING_OUT.get(one.name.value),
  );
}

const LEAVING_OUT: ReadonlyMap<string, boolean> = new Map([
  ['skip', true],
  ['include', false],
]);

/** Gives an argument of a field or a directive as it was given, a list as an array of its length; undefined where there is none, or null. */
export type ArgumentReader = (of: FieldNode | DirectiveNode, name: string) => unknown;

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

  return (of, name) => read(of.arguments?.find((argument) => argument.name.value === name)?.value);
}
