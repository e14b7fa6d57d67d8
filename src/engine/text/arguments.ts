import {
  type FieldNode,
  getArgumentValues,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import type { PageRequest } from '../../data/queries/page-statements.ts';
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

/** The values of a field's arguments. Throws what graphql-js throws of one that is refused. */
export function readArguments(definition: Field, [node]: FieldNodes, variables: Variables): Values {
  const known = readers.get(node);
  if (known?.definition === definition) return known.read(variables);
  const read = createReader(definition, node);
  readers.set(node, { definition, read });
  return read(variables);
}

type Values = Record<string, unknown>;

/** A field of a fragment can be of several types. */
const readers = new WeakMap<
  FieldNode,
  { readonly definition: Field; readonly read: (variables: Variables) => Values }
>();

/** An argument that is a variable, or has one and the same value in each request; undefined where it has none. */
interface GivenArgument {
  readonly name: string;
  readonly variable: string | null;
  readonly isRequired: boolean;
  readonly value: unknown;
}

/** What the document says of the arguments is looked at once; graphql-js does it at every request. */
function createReader(definition: Field, node: FieldNode): (variables: Variables) => Values {
  const readAnew = (variables: Variables) => getArgumentValues(definition, node, variables);
  const given = definition.args.map((argument) => giveArgument(argument, node));
  if (!given.every((one) => one !== null)) return readAnew;
  return (variables) => {
    const values: Values = {};
    for (const { name, variable, isRequired, value } of given) {
      const isGiven = variable !== null && Object.hasOwn(variables, variable);
      const found = isGiven ? variables[variable] : value;
      if (isRequired && (found === null || found === undefined)) return readAnew(variables);
      if (found !== undefined) values[name] = found;
    }
    return values;
  };
}

/** Null where its value is made of variables. */
function giveArgument(
  { name, type, defaultValue }: Field['args'][number],
  { arguments: all = [] }: FieldNode,
): GivenArgument | null {
  const given = { name, variable: null, isRequired: isNonNullType(type), value: defaultValue };
  const value = all.find((one) => one.name.value === name)?.value;
  if (value === undefined) return given;
  if (value.kind === Kind.VARIABLE) return { ...given, variable: value.name.value };
  const constant = valueFromAST(value, type);
  return constant === undefined || hasVariable(value) ? null : { ...given, value: constant };
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
