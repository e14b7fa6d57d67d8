import {
  type FieldNode,
  type GraphQLError,
  getArgumentValues,
  isNonNullType,
  Kind,
  locatedError,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import type { PageRequest } from '../../data/queries/page-statements.ts';
import { GatewayError } from '../../errors.ts';
import { readListArgs } from '../../graphql/list-args.ts';
import { invalidNodeId, type NodeId, readNodeId } from '../../graphql/node-ids.ts';
import { checkNodeIds } from '../../graphql/nodes.ts';
import { declaredSource } from '../../graphql/sources.ts';
import { MOST_ERRORS } from '../price/reading.ts';
import type { AskedField, Field } from './plan.ts';
import type { FieldNodes } from './selections.ts';

/** The values of an operation's variables, coerced. */
export type Variables = Readonly<Record<string, unknown>>;

/** What the arguments of each field ask for, by the places of the fields in the plan. */
export type Given = readonly unknown[];

export interface GivenPage {
  readonly filter: never;
  readonly request: PageRequest;
}

/** Global IDs, and what each means; null for a text that is none. */
export interface GivenNodes {
  readonly nodeIds: readonly string[];
  readonly nodes: readonly (NodeId | null)[];
}

/**
 * Settles the arguments of all fields: what they ask for, or what is wrong with the first that are refused. Fragments can multiply
 * those to thousands: where there are more, the last error says so, and nobody looks further.
 */
export function settleArguments(
  asked: readonly AskedField[],
  variables: Variables,
): { readonly given: Given; readonly errors: readonly GraphQLError[] } {
  const given: unknown[] = [];
  let errors: GraphQLError[] | undefined;
  for (const field of asked) {
    try {
      given.push(settle(field, variables));
    } catch (error) {
      errors ??= [];
      const isLast = errors.length === MOST_ERRORS;
      errors.push(locatedError(isLast ? tooManyWrong() : error, field.nodes, field.path));
      if (isLast) break;
    }
  }
  return { given, errors: errors ?? NO_ERRORS };
}

const NO_ERRORS: readonly GraphQLError[] = [];

function tooManyWrong(): GatewayError {
  return new GatewayError(
    'INVALID_ARGUMENT',
    'Too many errors: arguments are refused here as well, and those of the fields that follow are not looked at.',
  );
}

/** Throws what graphql-js, or the resolver, would throw of arguments that are refused. */
function settle({ definition, nodes }: AskedField, variables: Variables): unknown {
  const args = readArguments(definition, nodes, variables);
  const source = declaredSource(definition);
  switch (source?.kind) {
    case 'list':
      return readListArgs(source, args as never);
    case 'node':
      return settleNode(String(args['nodeId']));
    case 'nodes':
      return settleNodes(args['nodeIds'] as readonly string[]);
    default:
      if (source !== undefined && 'check' in source) source.check?.(args as never);
      return args;
  }
}

function settleNode(nodeId: string): GivenNodes {
  const node = readNodeId(nodeId);
  if (node === null) throw invalidNodeId('nodeId', nodeId);
  return { nodeIds: [nodeId], nodes: [node] };
}

/** A text that is no global ID is an error in its place only. */
function settleNodes(nodeIds: readonly string[]): GivenNodes {
  checkNodeIds(nodeIds);
  return { nodeIds, nodes: nodeIds.map(readNodeId) };
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
