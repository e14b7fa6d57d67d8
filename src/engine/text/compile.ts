import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
// What graphql-js itself merges selections with, by the specification.
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { type AnyNoun, keyFieldOf } from '../../data/noun.ts';
import { POSITION } from '../../data/queries/text-rows.ts';
import { nodeIdFieldOf, nounOfType, writeNodeId } from '../../graphql/node-ids.ts';
import { declaredSource } from '../../graphql/sources.ts';
import { Columns, compilePlain, type PlainField, placeFields } from './columns.ts';
import { compileObjects } from './objects.ts';
import {
  type ConnectionField,
  type EdgeField,
  type Field,
  type FieldNodes,
  type ListRead,
  NotInText,
  type PageInfoField,
  type Placed,
  type Plan,
  type RootField,
  type RowField,
  type RowOf,
  type RowRead,
  type Unplaced,
} from './plan.ts';
import { quote } from './values.ts';

/** What an operation is compiled from. Of the variables only those count that directives name. */
export interface Compilable {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Compiles a valid query from what the fields of the schema declare. What cannot be written from text is left to graphql-js. */
export function compile({ schema, document, operation, variables }: Compilable): Plan {
  const query = schema.getQueryType() as GraphQLObjectType;
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one;
  const selected = collectFields(schema, fragments, variables, query, operation.selectionSet);
  return { fields: named<RootField>([...selected], compileRoot) };

  function compileRoot(nodes: FieldNodes, name: string): Unplaced<RootField> {
    const own = { name, nodes };
    const field = nodes[0].name.value;
    if (field === '__typename') return { ...own, ...typename(query) };
    const definition = query.getFields()[field];
    // `__schema` and `__type` are no fields of the type.
    if (definition === undefined) return { ...own, kind: 'resolved' };
    try {
      return { ...own, definition, ...compileQuery(definition, nodes) };
    } catch (error) {
      if (!(error instanceof NotInText)) throw error;
      return { ...own, kind: 'resolved' };
    }
  }

  function compileQuery(definition: Field, nodes: FieldNodes) {
    const source = declaredSource(definition);
    switch (source?.kind) {
      case 'list':
        return { kind: 'list', list: compileList(definition, nodes) } as const;
      case 'row':
        return {
          kind: 'row',
          argument: source.argument,
          row: compileRead(definition.type, source.noun, keyFieldOf(source.noun), nodes),
        } as const;
      case 'node':
      case 'nodes':
        return { kind: source.kind, rowOf: compileNodes(nodes) } as const;
      case 'computed':
        return { kind: source.kind, write: compileObjects(definition.type, nodes, compileFields) } as const;
      default:
        throw new NotInText(definition.name);
    }
  }

  /** The type of a node is known when its global ID is. */
  function compileNodes(nodes: FieldNodes): RowOf {
    const known = new Map<string, RowRead>();
    const compileType = (typename: string) => {
      const type = schema.getType(typename);
      const noun = nounOfType(typename);
      if (!isObjectType(type) || noun === undefined) throw new NotInText(typename);
      return compileRead(type, noun, nodeIdFieldOf(noun), nodes);
    };
    // Each is tried at once: what cannot be done must be known before anything is read.
    for (const type of schema.getPossibleTypes(schema.getType('Node') as never))
      known.set(type.name, compileType(type.name));
    return (typename) => known.get(typename) ?? compileType(typename);
  }

  function compileRead(
    outputType: GraphQLOutputType,
    noun: AnyNoun,
    key: string,
    nodes: FieldNodes,
  ): RowRead {
    const type = getNamedType(outputType);
    if (!isObjectType(type) || isNonNullType(outputType)) throw new NotInText(type.name);
    const columns = new Columns();
    const fields = compileRow(type, noun, nodes, columns);
    return { noun, key, columns: columns.all, fields };
  }

  function compileRow(
    type: GraphQLObjectType,
    noun: AnyNoun,
    of: FieldNodes,
    columns: Columns,
  ): readonly RowField[] {
    const fields = compileFields<RowField | PlainField>(type, of, (definition, nodes) => {
      const source = declaredSource(definition);
      switch (source?.kind) {
        case 'link': {
          const row = compileRead(definition.type, source.noun, keyFieldOf(source.noun), nodes);
          const isCertain = source.isCertain ?? false;
          return { kind: 'link', column: columns.place(source.key), row, isCertain };
        }
        case 'list': {
          const list = compileList(definition, nodes);
          return { kind: 'list', column: columns.place(source.owner?.key ?? ''), list };
        }
        case 'json': {
          const writeObjects = compileObjects(definition.type, nodes, compileFields);
          const write = (text: string | null) => writeObjects(text === null ? null : JSON.parse(text));
          return { kind: 'column', column: columns.place(source.column), write };
        }
        case 'nodeId': {
          const column = columns.place(nodeIdFieldOf(noun));
          const write = (id: string | null) => quote(writeNodeId({ typename: type.name, id: id ?? '' }));
          return { kind: 'column', column, write };
        }
        default:
          return compilePlain(definition, nodes);
      }
    });
    return placeFields(fields, columns);
  }

  function compileList(definition: Field, nodes: FieldNodes): ListRead {
    const source = declaredSource(definition);
    const type = getNamedType(definition.type);
    if (source?.kind !== 'list' || !isObjectType(type)) throw new NotInText(definition.name);
    const columns = new Columns(POSITION);
    const fields = compileFields<ConnectionField>(type, nodes, (field, of) => {
      switch (field.name) {
        case 'edges':
          return { kind: 'edges', fields: compileEdge(field, source.noun, of, columns) };
        case 'pageInfo':
          return { kind: 'pageInfo', fields: compilePageInfo(field, of) };
        case 'totalCount':
          return { kind: 'totalCount' };
        default:
          throw new NotInText(field.name);
      }
    });
    const has = (kinds: readonly string[]) => fields.some(({ kind }) => kinds.includes(kind));
    return {
      source,
      definition,
      nodes,
      columns: columns.all,
      fields,
      hasPage: has(['edges', 'pageInfo']),
      hasCount: has(['totalCount']),
    };
  }

  function compileEdge(
    { type }: Field,
    noun: AnyNoun,
    of: FieldNodes,
    columns: Columns,
  ): readonly EdgeField[] {
    return compileFields<EdgeField>(objectOf(type), of, (field, nodes) => {
      if (field.name === 'cursor') return { kind: 'cursor' };
      if (field.name !== 'node') throw new NotInText(field.name);
      return { kind: 'node', fields: compileRow(objectOf(field.type), noun, nodes, columns) };
    });
  }

  function compilePageInfo({ type }: Field, of: FieldNodes): readonly PageInfoField[] {
    return compileFields<PageInfoField>(objectOf(type), of, ({ name }) => {
      if (isPageInfo(name)) return { kind: name };
      throw new NotInText(name);
    });
  }

  /** The fields that are selected of an object of a type, each with what it is compiled to. */
  function compileFields<Compiled extends Placed>(
    type: GraphQLObjectType,
    of: FieldNodes,
    compileField: (definition: Field, nodes: FieldNodes) => Unplaced<Compiled>,
  ): readonly Compiled[] {
    const selected = collectSubfields(schema, fragments, variables, type, of);
    return named<Compiled>([...selected], (nodes) => {
      const field = nodes[0].name.value;
      if (field === '__typename') return typename(type) as unknown as Unplaced<Compiled>;
      const definition = type.getFields()[field];
      if (definition === undefined) throw new NotInText(field);
      return compileField(definition, nodes);
    });
  }
}

function named<Compiled extends Placed>(
  selected: readonly (readonly [string, readonly unknown[]])[],
  compileField: (nodes: FieldNodes, name: string) => Unplaced<Compiled>,
): readonly Compiled[] {
  return selected.map(([name, nodes], index) => {
    const before = `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
    return { before, ...compileField(nodes as unknown as FieldNodes, name) } as unknown as Compiled;
  });
}

function typename({ name }: GraphQLObjectType) {
  return { kind: 'constant', text: JSON.stringify(name) } as const;
}

function objectOf(type: GraphQLOutputType): GraphQLObjectType {
  const named = getNamedType(type);
  if (!isObjectType(named)) throw new NotInText(named.name);
  return named;
}

function isPageInfo(name: string): name is Exclude<PageInfoField['kind'], 'constant'> {
  return ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'].includes(name);
}
