import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { JsonSchema } from '../rest/json-schema.ts';
import { schemaOfScalar } from './scalar-schemas.ts';

/**
 * The schemas of what operations answer, as the documented paths give it: from the fields that they select, and the
 * types and descriptions that these have in GraphQL. Each type becomes one component, and so is told once.
 */
export class AnswerSchemas {
  readonly #schema: GraphQLSchema;
  readonly #components = new Map<string, JsonSchema>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** By their names, in their order. */
  get components(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.#components].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  /**
   * The schema of each field of an operation's data. What was asked for is there: else the answer is an error. Of the
   * members within, those of these names are absent where they would be null, or empty text as well.
   */
  ofData(
    operation: DocumentNode,
    absent: readonly string[],
    empty: readonly string[],
  ): Readonly<Record<string, JsonSchema>> {
    const { type, fields, document } = this.#rootOf(operation, absent, empty);
    return Object.fromEntries(
      fields.map((node) => [
        nameOf(node),
        {
          ...this.#ofType(fieldOf(type, node).type, node, document, { isFound: true }),
          ...described(ofWhatIsThere(fieldOf(type, node).description)),
        },
      ]),
    );
  }

  /** The schema of the rows of an operation's one list. */
  ofRows(
    operation: DocumentNode,
    absent: readonly string[],
    empty: readonly string[],
  ): { readonly field: string; readonly rows: JsonSchema } {
    const { type, fields, document } = this.#rootOf(operation, absent, empty);
    const [list] = fields;
    if (list === undefined) throw new Error('the operation asks for nothing');
    const field = fieldOf(type, list);
    const edge = stepInto(field, list, 'edges', document);
    const row = stepInto(edge.field, edge.node, 'node', document);
    const items = this.#ofType(row.field.type, row.node, document, { isFound: true });
    return { field: nameOf(list), rows: { type: 'array', items, ...described(field.description) } };
  }

  /** The schemas of some of what a message of a subscription can have: each is there in the messages that have it. */
  ofMessage<Name extends string>(
    operation: DocumentNode,
    names: readonly Name[],
  ): Readonly<Record<Name, JsonSchema>> {
    const { type, fields, document } = this.#rootOf(operation, [], []);
    const [subscription] = fields;
    if (subscription === undefined) throw new Error('the operation asks for nothing');
    const field = fieldOf(type, subscription);
    const schemas = names.map((name) => {
      const inner = stepInto(field, subscription, name, document);
      const schema = this.#ofType(inner.field.type, inner.node, document, { isFound: true });
      return [name, { ...schema, ...described(ofWhatIsThere(inner.field.description)) }];
    });
    return Object.fromEntries(schemas);
  }

  /** The component of a type with the fields that a fragment selects, of which some are absent where they would be null, or empty. */
  ofFragment(document: DocumentNode, absent: readonly string[], empty: readonly string[]): JsonSchema {
    const fragments = fragmentsOf(document);
    const [fragment] = fragments.values();
    const type = this.#schema.getType(fragment?.typeCondition.name.value ?? '');
    if (fragment === undefined || !isObjectType(type)) throw new Error('the fragment is on no object');
    return this.#component(type.name, this.#ofObject(type, fragment, { fragments, absent, empty }));
  }

  /** Adds a component that is no type of GraphQL's. */
  add(name: string, schema: JsonSchema): JsonSchema {
    return this.#component(name, schema);
  }

  #rootOf(operated: DocumentNode, absent: readonly string[], empty: readonly string[]) {
    const operation = getOperationAST(operated);
    const type = operation && this.#schema.getRootType(operation.operation);
    if (!operation || !type) throw new Error('there is no such operation');
    const document = { fragments: fragmentsOf(operated), absent, empty };
    return { type, document, fields: fieldsOf(operation.selectionSet, document) };
  }

  #ofField(type: GraphQLObjectType, node: FieldNode, document: Document, presence: Presence): JsonSchema {
    const field = fieldOf(type, node);
    const canBeAbsent = document.absent.includes(nameOf(node));
    const words = isScalarType(field.type) ? inRestWords(field.description) : field.description;
    const schema = this.#ofType(field.type, node, document, canBeAbsent ? { isFound: true } : presence);
    const canBeEmpty = document.empty.includes(nameOf(node));
    return {
      ...(canBeEmpty ? { anyOf: [schema, { type: 'string', const: '' }] } : schema),
      ...described(canBeAbsent ? ofWhatCanBeAbsent(field.description, canBeEmpty) : words),
    };
  }

  #ofType(type: GraphQLOutputType, node: FieldNode, document: Document, presence: Presence): JsonSchema {
    if (isNonNullType(type)) return this.#ofType(type.ofType, node, document, { isFound: true });
    if (isListType(type)) {
      return { type: 'array', items: this.#ofType(type.ofType, node, document, { isFound: true }) };
    }
    // A text that is absent is empty on the documented paths: only an object is null.
    if (isScalarType(type)) return schemaOfScalar(type, (name, schema) => this.#component(name, schema));
    if (isEnumType(type)) {
      const names = type.getValues().map(({ name }) => name);
      return this.#component(type.name, { type: 'string', ...described(type.description), enum: names });
    }
    if (!isObjectType(type)) throw new Error(`${type.name} is neither an object nor a value`);
    const object = this.#component(type.name, this.#ofObject(type, node, document));
    return presence.isFound ? object : { anyOf: [object, { type: 'null' }] };
  }

  #ofObject(type: GraphQLObjectType, node: Pick<FieldNode, 'selectionSet'>, document: Document): JsonSchema {
    const fields = fieldsOf(node.selectionSet, document);
    const properties = Object.fromEntries(
      fields.map((field) => [nameOf(field), this.#ofField(type, field, document, { isFound: false })]),
    );
    const required = Object.keys(properties).filter((name) => !document.absent.includes(name));
    return { type: 'object', ...described(type.description), properties, required };
  }

  #component(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two documented answers have a ${name}, with different fields`);
    this.#components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Whether what was asked for is there for certain. */
interface Presence {
  readonly isFound: boolean;
}

/** What an operation's document says besides its selections, and what is said of its answer. */
interface Document {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The names of the members that are absent where they would be null. */
  readonly absent: readonly string[];
  /** Those that are empty text instead, of the absent ones in some answers alone. */
  readonly empty: readonly string[];
}

function fragmentsOf({ definitions }: DocumentNode): Document['fragments'] {
  return new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
}

/** The fields of a selection, those of its fragments among them. */
function fieldsOf(selection: SelectionSetNode | undefined, document: Document): readonly FieldNode[] {
  return (selection?.selections ?? []).flatMap((one) => {
    if (one.kind === Kind.FIELD) return [one];
    const inner =
      one.kind === Kind.FRAGMENT_SPREAD
        ? document.fragments.get(one.name.value)?.selectionSet
        : one.selectionSet;
    return fieldsOf(inner, document);
  });
}

function stepInto(field: Field, node: FieldNode, name: string, document: Document) {
  const inner = fieldsOf(node.selectionSet, document).find((one) => one.name.value === name);
  let type: GraphQLOutputType = field.type;
  while (isNonNullType(type) || isListType(type)) type = type.ofType;
  if (inner === undefined || !(type instanceof GraphQLObjectType)) throw new Error(`there are no ${name}`);
  return { field: fieldOf(type, inner), node: inner };
}

type Field = GraphQLField<unknown, unknown>;

function fieldOf(type: GraphQLObjectType, { name }: FieldNode): Field {
  const field = type.getFields()[name.value];
  if (field === undefined) throw new Error(`${type.name} has no field ${name.value}`);
  return field;
}

function nameOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** What GraphQL says of a value that may be null, of one that is empty then. */
function inRestWords(description: string | null | undefined): string | undefined {
  return description?.replace(/\bnull\b/, 'empty').replace(/\bNull\b/, 'Empty');
}

/** What GraphQL says of a value that may be null, of a member that is left out then, or also empty. */
function ofWhatCanBeAbsent(description: string | null | undefined, canBeEmpty: boolean): string | undefined {
  const more = canBeEmpty ? ' or empty' : '';
  return description?.replace(/\bnull\b/g, `absent${more}`).replace(/\bNull\b/g, `Absent${more}`);
}

/** What GraphQL says of a thing that may be null, of one that is there. */
function ofWhatIsThere(description: string | null | undefined): string | undefined {
  return description?.replace(/; null .*$/, '.');
}

function described(description: string | null | undefined): { readonly description?: string } {
  return description ? { description } : {};
}
