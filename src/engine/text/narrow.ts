import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';
import type { ResolvedField } from './plan.ts';
import { type Compilable, type FieldNodes, fragmentsOf } from './selections.ts';

/*
 * graphql-js coerces all variables of an operation and lists all its fragments at each execution. Of one operation there are many:
 * of each field that is left to it, for each row and each block, and for each event of a subscription. So what is executed declares
 * what it uses alone, and takes the values as they are: they were coerced once.
 */

type Narrowable = Pick<Compilable, 'schema' | 'document' | 'operation'>;

/** A field that graphql-js resolves: an operation that selects it alone, of a schema whose query is the field's type. */
export function narrow(
  of: Narrowable,
  type: GraphQLObjectType,
  nodes: FieldNodes,
  name: string,
): ResolvedField {
  // What describes the schema must not find a type that is not there.
  const isOfSchema = nodes[0].name.value.startsWith('__');
  let document: DocumentNode | undefined;
  return {
    name,
    schema: isOfSchema ? of.schema : schemaAt(type, of.schema),
    // Most are never needed.
    get document() {
      document ??= select(of, nodes, isOfSchema ? declareAsGiven : declareSettled);
      return document;
    },
  };
}

/** The same operation for values that are coerced. */
export function settle(of: Narrowable): Pick<ResolvedField, 'schema' | 'document'> {
  const { schema, operation } = of;
  const document = select(of, operation.selectionSet.selections, declareSettled);
  return { schema: schemaAt(schema.getQueryType() as GraphQLObjectType, schema), document };
}

/** A type that takes every value as it is. */
const SETTLED = new GraphQLScalarType({ name: 'Settled' });
const SETTLED_NODE = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: SETTLED.name } } as const;

type Variables = NonNullable<OperationDefinitionNode['variableDefinitions']>;

function declareSettled(variables: Variables): Variables {
  return variables.map(({ kind, variable }) => ({ kind, variable, type: SETTLED_NODE }));
}

function declareAsGiven(variables: Variables): Variables {
  return variables;
}

function select(
  { document, operation }: Narrowable,
  selections: readonly SelectionNode[],
  declare: (variables: Variables) => Variables,
): DocumentNode {
  const { variables, fragments } = findUses(document, selections);
  const declared = operation.variableDefinitions?.filter(({ variable }) =>
    variables.has(variable.name.value),
  );
  const selectionSet = { kind: Kind.SELECTION_SET, selections } as const;
  const narrowed = { ...operation, selectionSet, variableDefinitions: declare(declared ?? []) };
  return { kind: Kind.DOCUMENT, definitions: [narrowed, ...fragments] };
}

/** The variables and the fragments that selections name. */
interface Uses {
  readonly variables: ReadonlySet<string>;
  readonly spreads: ReadonlySet<string>;
}

/** What selections need of their document, the fragments of fragments with them. */
function findUses(document: DocumentNode, selections: readonly SelectionNode[]) {
  const byName = fragmentsOf(document);
  const fragments = new Set<FragmentDefinitionNode>();
  const variables = new Set<string>();
  const add = (uses: Uses) => {
    for (const name of uses.variables) variables.add(name);
    for (const name of uses.spreads) {
      const fragment = byName[name];
      if (fragment === undefined || fragments.has(fragment)) continue;
      fragments.add(fragment);
      add(usesOf(fragment));
    }
  };
  for (const selection of selections) add(namedIn(selection));
  return { variables, fragments };
}

/** Each fragment is looked at once, however many fields spread it. */
const known = new WeakMap<FragmentDefinitionNode, Uses>();

function usesOf(fragment: FragmentDefinitionNode): Uses {
  const uses = known.get(fragment) ?? namedIn(fragment);
  known.set(fragment, uses);
  return uses;
}

function namedIn(node: ASTNode): Uses {
  const variables = new Set<string>();
  const spreads = new Set<string>();
  visit(node, {
    Variable: ({ name }) => {
      variables.add(name.value);
    },
    FragmentSpread: ({ name }) => {
      spreads.add(name.value);
    },
  });
  return { variables, spreads };
}

const schemas = new WeakMap<GraphQLObjectType, GraphQLSchema>();

/** The schema with a type of its objects for its query, and with the type of what is coerced. */
function schemaAt(type: GraphQLObjectType, schema: GraphQLSchema): GraphQLSchema {
  const kept = schemas.get(type);
  if (kept !== undefined) return kept;
  const { types, ...config } = schema.toConfig();
  const made = new GraphQLSchema({ ...config, types: [...types, SETTLED], query: type, assumeValid: true });
  schemas.set(type, made);
  return made;
}
