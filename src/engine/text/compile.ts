import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import type { AnyNoun } from '../../data/noun.ts';
import { POSITION } from '../../data/queries/text-rows.ts';
import { nodeIdFieldOf, nounOfType } from '../../graphql/node-ids.ts';
import { type AsOfSource, declaredSource } from '../../graphql/sources.ts';
import { Columns, compilePlain, type PlainField, placeFields } from './columns.ts';
import { narrow } from './narrow.ts';
import { compileObjects } from './objects.ts';
import { compilePageInfo } from './page-info.ts';
import {
  type ConnectionField,
  type Field,
  type ListRead,
  NotInText,
  type Plan,
  type ResolvedField,
  type RootField,
  type RowField,
  type RowOf,
  type RowRead,
  type SelectedField,
  type Unplaced,
} from './plan.ts';
import { type Place, SelectedFields } from './selected-fields.ts';
import type { Compilable, FieldNodes } from './selections.ts';

/**
 * Compiles a valid query from what the fields of the schema declare. A field that cannot be written from text is left to
 * graphql-js at its place.
 */
export function compile(operation: Compilable): Plan {
  return new Compiler(operation).compile();
}

type List = { readonly noun: AnyNoun; readonly asked: number };

class Compiler {
  readonly #operation: Compilable;
  readonly #fields: SelectedFields;

  constructor(operation: Compilable) {
    this.#operation = operation;
    this.#fields = new SelectedFields(operation);
  }

  compile(): Plan {
    const type = this.#operation.schema.getQueryType() as GraphQLObjectType;
    const fields = this.#fields.compileRoot<RootField>(type, (nodes, name) =>
      this.#compileRoot({ type, path: [] }, nodes, name),
    );
    return { fields, asked: this.#fields.asked, size: this.#fields.size };
  }

  /** A field of the query, or of the queries as of a block. */
  #compileRoot({ type, path }: Place, nodes: FieldNodes, name: string): Unplaced<RootField> {
    const definition = type.getFields()[nodes[0].name.value];
    const resolved = narrow(this.#operation, type, nodes, name);
    const own = { name, nodes, isNullable: isNullable(definition), resolved };
    if (nodes[0].name.value === '__typename')
      return { ...own, kind: 'constant', text: JSON.stringify(type.name) };
    // `__schema` and `__type` are no fields of the type.
    if (definition === undefined) return { ...own, kind: 'resolved' };
    const field = { definition, nodes, name, path: [...path, name] };
    const compile = () => this.#compileQuery(type, field);
    return { ...own, ...this.#fields.orElse<RootKind>(field, compile, () => ({ kind: 'resolved' })) };
  }

  #compileAsOf(field: SelectedField, { readAll }: AsOfSource): RootKind {
    const { definition, nodes, path } = field;
    const asked = this.#fields.ask(field);
    const isList = isListType(getNullableType(definition.type));
    const place = { type: objectOf(definition.type), path: isList ? [...path, 0] : path };
    const fields = this.#fields.compileAt<RootField>(place.type, nodes, (of, name) =>
      this.#compileRoot(place, of, name),
    );
    return { kind: 'asOf', asked, isList, readAll, fields };
  }

  #compileQuery(type: GraphQLObjectType, field: SelectedField): RootKind {
    const { definition, nodes, path } = field;
    const source = declaredSource(definition);
    switch (source?.kind) {
      case 'list':
        return { kind: 'list', list: this.#compileList(type, field) };
      case 'row': {
        const asked = this.#fields.ask(field);
        const row = this.#compileRead(definition.type, source.noun, source.noun.namedBy, field);
        return { kind: 'row', asked, argument: source.argument, row };
      }
      case 'node':
        return {
          kind: 'nodes',
          isList: false,
          asked: this.#fields.ask(field),
          rowOf: this.#compileNodes(field),
        };
      case 'nodes': {
        const first = { ...field, path: [...path, 0] };
        return {
          kind: 'nodes',
          isList: true,
          asked: this.#fields.ask(field),
          rowOf: this.#compileNodes(first),
        };
      }
      case 'computed': {
        const write = this.#compileObjects(definition.type, nodes);
        return { kind: 'computed', asked: this.#fields.ask(field), definition, write };
      }
      case 'asOf':
        return this.#compileAsOf(field, source);
      default:
        throw new NotInText(definition.name);
    }
  }

  /** The type of a node is known when its global ID is. */
  #compileNodes(field: SelectedField): RowOf {
    const { schema } = this.#operation;
    const rows = new Map<string, RowRead>();
    for (const type of schema.getPossibleTypes(schema.getType('Node') as never)) {
      const noun = nounOfType(type.name);
      if (noun === undefined) throw new NotInText(type.name);
      rows.set(type.name, this.#compileRead(type, noun, nodeIdFieldOf(noun), field));
    }
    return (typename) => rows.get(typename) as RowRead;
  }

  #compileRead(type: GraphQLOutputType, noun: AnyNoun, key: string, { nodes, path }: SelectedField): RowRead {
    if (!isObjectType(type)) throw new NotInText(noun.name);
    const columns = new Columns();
    return {
      noun,
      key,
      fields: this.#compileRow({ type, path }, noun, nodes, columns),
      columns: columns.all,
    };
  }

  #compileRow(at: Place, noun: AnyNoun, of: FieldNodes, columns: Columns): readonly RowField[] {
    const { type } = at;
    const fields = this.#fields.compile<RowField | PlainField>(at, of, {
      typename: (text) => ({ kind: 'constant', text }),
      field: (field) =>
        this.#fields.orElse<Unplaced<RowField | PlainField>>(
          field,
          () => this.#compileRowField(type, noun, field, columns),
          () => {
            const resolved = narrow(this.#operation, type, field.nodes, field.name);
            return { kind: 'resolved', column: columns.place(nodeIdFieldOf(noun)), noun, field: resolved };
          },
        ),
    });
    return placeFields(fields, columns);
  }

  #compileRowField(
    type: GraphQLObjectType,
    noun: AnyNoun,
    field: SelectedField,
    columns: Columns,
  ): Unplaced<RowField | PlainField> {
    const { definition, nodes } = field;
    const source = declaredSource(definition);
    switch (source?.kind) {
      case 'link': {
        const row = this.#compileRead(definition.type, source.noun, source.noun.namedBy, field);
        const isCertain = source.isCertain ?? false;
        return { kind: 'link', column: columns.place(source.key), row, isCertain };
      }
      case 'list': {
        const key = source.owner?.key ?? '';
        const list = this.#compileList(type, field);
        // What is left of such a list is resolved of the row with the key.
        if (list.rest !== null && key !== nodeIdFieldOf(noun)) throw new NotInText(definition.name);
        return { kind: 'list', column: columns.place(key), list, noun };
      }
      case 'json': {
        const writeObjects = this.#compileObjects(definition.type, nodes);
        const { column, read = JSON.parse } = source;
        const write = (text: string | null) => writeObjects(text === null ? null : read(text));
        return { kind: 'column', column: columns.place(column), write };
      }
      case 'nodeId': {
        return { kind: 'nodeId', column: columns.place(nodeIdFieldOf(noun)), typename: type.name };
      }
      default:
        return compilePlain(definition, nodes);
    }
  }

  /** `owner` is the type of the objects that the list hangs off. */
  #compileList(owner: GraphQLObjectType, list: SelectedField): ListRead {
    const { definition, nodes, path } = list;
    const source = declaredSource(definition);
    if (source?.kind !== 'list') throw new NotInText(definition.name);
    const asked = this.#fields.ask(list);
    const columns = new Columns(POSITION);
    const left: FieldNodes[number][] = [];
    const leave = (field: SelectedField): Unplaced<ConnectionField> => {
      left.push(...field.nodes);
      return { kind: 'written', write: ({ rest }) => JSON.stringify(rest?.[field.name]) };
    };
    const at = { type: objectOf(definition.type), path };
    const fields = this.#fields.compile<ConnectionField>(at, nodes, {
      typename: (text) => ({ kind: 'written', write: () => text }),
      field: (field) =>
        this.#fields.orElse<Unplaced<ConnectionField>>(
          field,
          () => this.#compileConnectionField({ noun: source.noun, asked }, field, columns),
          () => leave(field),
        ),
    });
    const names = this.#fields.namesOf(at.type, nodes);
    return {
      ...{ source, asked, columns: columns.all, fields },
      hasPage: ['edges', 'nodes', 'pageInfo'].some((name) => names.has(name)),
      hasCount: names.has('totalCount'),
      rest: left.length === 0 ? null : this.#narrowList(owner, list, left),
    };
  }

  /** The same list with what is left of it alone. */
  #narrowList(
    owner: GraphQLObjectType,
    { nodes, name }: SelectedField,
    left: readonly FieldNodes[number][],
  ): ResolvedField {
    const selectionSet = { kind: Kind.SELECTION_SET, selections: left } as const;
    return narrow(this.#operation, owner, [{ ...nodes[0], selectionSet }], name);
  }

  #compileConnectionField(
    list: List,
    { definition, nodes, path }: SelectedField,
    columns: Columns,
  ): Unplaced<ConnectionField> {
    const at = () => ({ type: objectOf(definition.type), path });
    switch (definition.name) {
      case 'edges':
        return { kind: 'rows', fields: this.#compileEdge(at(), list, nodes, columns) };
      case 'nodes':
        return { kind: 'rows', fields: this.#compileRow(at(), list.noun, nodes, columns) };
      case 'pageInfo': {
        const write = compilePageInfo((compile) => this.#fields.compile(at(), nodes, compile));
        return { kind: 'written', write };
      }
      case 'totalCount':
        return { kind: 'written', write: ({ count }) => `${count}` };
      default:
        throw new NotInText(definition.name);
    }
  }

  #compileEdge(at: Place, { noun, asked }: List, of: FieldNodes, columns: Columns): readonly RowField[] {
    return this.#fields.compile<RowField>(at, of, {
      typename: (text) => ({ kind: 'constant', text }),
      field: ({ definition, nodes, path }) => {
        if (definition.name === 'cursor') return { kind: 'cursor', list: noun.name, asked };
        if (definition.name !== 'node') throw new NotInText(definition.name);
        const place = { type: objectOf(definition.type), path };
        return { kind: 'node', fields: this.#compileRow(place, noun, nodes, columns) };
      },
    });
  }

  #compileObjects(type: GraphQLOutputType, nodes: FieldNodes) {
    return compileObjects(type, nodes, (object, of, compiled) =>
      this.#fields.compile({ type: object, path: [] }, of, compiled),
    );
  }
}

/** What a field of the query is compiled to. */
type RootKind = RootField extends infer F
  ? F extends F
    ? Omit<F, 'before' | 'name' | 'nodes' | 'isNullable' | 'resolved'>
    : never
  : never;

function isNullable(definition: Field | undefined): boolean {
  return definition !== undefined && !isNonNullType(definition.type);
}

function objectOf(type: GraphQLOutputType): GraphQLObjectType {
  const named = getNamedType(type);
  if (!isObjectType(named)) throw new NotInText(named.name);
  return named;
}
