import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  version,
} from 'graphql';
// A private end of graphql-js: what it merges selections with itself, by the specification.
import * as collecting from 'graphql/execution/collectFields.js';

/** All places of a selection that ask for one field under one name. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** What is selected of an object, in the order of the answer. */
export type Selected = readonly (readonly [name: string, nodes: FieldNodes])[];

/** What an operation is compiled from. Of the variables only those count that directives name. */
export interface Compilable {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The selections of an operation, without what its fragments and directives leave out. */
export class Selections {
  readonly #of: Compilable;
  readonly #fragments: Readonly<Record<string, FragmentDefinitionNode>>;

  constructor(of: Compilable) {
    this.#of = of;
    this.#fragments = fragmentsOf(of.document);
  }

  /** What the operation selects of a type at its root. */
  root(type: GraphQLObjectType): Selected {
    const { schema, variables, operation } = this.#of;
    return toSelected(collectFields(schema, this.#fragments, variables, type, operation.selectionSet));
  }

  /** What is selected below a field, of an object of a type. */
  below(type: GraphQLObjectType, nodes: FieldNodes): Selected {
    const { schema, variables } = this.#of;
    return toSelected(collectSubfields(schema, this.#fragments, variables, type, nodes));
  }
}

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): Readonly<Record<string, FragmentDefinitionNode>> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one;
  return fragments;
}

const { collectFields, collectSubfields } = requireCollectors(collecting);

type Collectors = Pick<typeof collecting, 'collectFields' | 'collectSubfields'>;

/** Throws where this release of graphql-js has them no more, or others: at the start, not at a request. */
export function requireCollectors(found: Partial<Collectors>): Collectors {
  const { collectFields, collectSubfields } = found;
  if (
    collectFields !== undefined &&
    collectSubfields !== undefined &&
    doCollect({ collectFields, collectSubfields })
  )
    return { collectFields, collectSubfields };
  throw new Error(
    `graphql ${version} does not collect fields as release 16 does, which operations are compiled with: use release 16, or change src/engine/text/selections.ts.`,
  );
}

/** Whether they find `a` and `b` in `{ a { b } }`. */
function doCollect({ collectFields, collectSubfields }: Collectors): boolean {
  try {
    const schema = buildSchema('type Query { a: Query b: Int }');
    const type = schema.getQueryType() as GraphQLObjectType;
    const { selectionSet } = parse('{ a { b } }').definitions[0] as OperationDefinitionNode;
    const nodes = collectFields(schema, {}, {}, type, selectionSet).get('a') ?? [];
    return collectSubfields(schema, {}, {}, type, nodes).has('b');
  } catch {
    return false;
  }
}

function toSelected(collected: ReadonlyMap<string, readonly FieldNode[]>): Selected {
  return [...collected] as unknown as Selected;
}
