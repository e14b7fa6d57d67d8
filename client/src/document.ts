/** What a typed document carries: `TypedDocumentNode` and `TypedDocumentString`, of gql.tada and GraphQL codegen. */
export interface Typed<Data, Variables> {
  __apiType?: (variables: Variables) => Data;
}

/** An operation: text, or a document with the types of its answer and its variables. */
export type Operation<Data, Variables> = string | (Typed<Data, Variables> & object);

interface Node {
  readonly kind: string;
  readonly [part: string]: unknown;
}

/** The operation as text. Documents that were parsed are written out, as no parser is carried along. */
export function textOf(operation: string | object): string {
  const node = operation as Node;
  return node.kind === 'Document' ? write(node) : String(operation);
}

/** Nodes in brackets, where there are some. */
const list = (nodes: unknown, open = '', close = '') => {
  const texts = ((nodes ?? []) as readonly Node[]).map(write);
  return texts.length === 0 ? '' : `${open}${texts.join(' ')}${close}`;
};
const after = (sign: string, node: unknown) => (node == null ? '' : `${sign}${write(node as Node)}`);

/** How each kind of node of what can be executed is written. */
const WRITERS: Readonly<Record<string, (node: Node) => string>> = {
  Document: ({ definitions }) => list(definitions),
  OperationDefinition: ({ operation, name, variableDefinitions, directives, selectionSet }) =>
    `${operation}${after(' ', name)}${list(variableDefinitions, '(', ')')}${list(directives, ' ')}${after(' ', selectionSet)}`,
  FragmentDefinition: ({ name, typeCondition, directives, selectionSet }) =>
    `fragment${after(' ', name)} on${after(' ', typeCondition)}${list(directives, ' ')}${after(' ', selectionSet)}`,
  VariableDefinition: ({ variable, type, defaultValue, directives }) =>
    `${after('', variable)}:${after('', type)}${after('=', defaultValue)}${list(directives, ' ')}`,
  SelectionSet: ({ selections }) => list(selections, '{', '}'),
  Field: ({ alias, name, arguments: args, directives, selectionSet }) =>
    `${alias == null ? '' : `${write(alias as Node)}:`}${after('', name)}${list(args, '(', ')')}${list(directives, ' ')}${after('', selectionSet)}`,
  FragmentSpread: ({ name, directives }) => `...${after('', name)}${list(directives, ' ')}`,
  InlineFragment: ({ typeCondition, directives, selectionSet }) =>
    `...${after('on ', typeCondition)}${list(directives, ' ')}${after('', selectionSet)}`,
  Argument: ({ name, value }) => `${after('', name)}:${after('', value)}`,
  ObjectField: ({ name, value }) => `${after('', name)}:${after('', value)}`,
  Directive: ({ name, arguments: args }) => `@${after('', name)}${list(args, '(', ')')}`,
  Variable: ({ name }) => `$${after('', name)}`,
  NamedType: ({ name }) => after('', name),
  ListType: ({ type }) => `[${after('', type)}]`,
  NonNullType: ({ type }) => `${after('', type)}!`,
  Name: ({ value }) => String(value),
  StringValue: ({ value }) => JSON.stringify(value),
  ListValue: ({ values }) => `[${list(values)}]`,
  ObjectValue: ({ fields }) => `{${list(fields)}}`,
  NullValue: () => 'null',
};

/** Numbers, booleans and enumerations are as they stand. */
function write(node: Node): string {
  return WRITERS[node.kind]?.(node) ?? String(node['value']);
}
