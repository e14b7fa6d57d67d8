import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLObjectType,
  GraphQLSchema,
  Kind,
} from 'graphql';
import type { AnyNoun } from '../../data/noun.ts';
import type { GatewayContext } from '../../graphql/context.ts';
import { nodeIdFieldOf } from '../../graphql/node-ids.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { ResolvedField } from './plan.ts';
import { type Compilable, type FieldNodes, fragmentsOf } from './selections.ts';

/** What a field below the query's own gave instead of a value. */
export class FieldFailed extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('a field could not be resolved');
    this.errors = errors;
  }
}

/** A field that graphql-js resolves: an operation that selects it alone, of a schema whose query is the field's type. */
export function narrow(
  { schema, document, operation }: Compilable,
  type: GraphQLObjectType,
  nodes: FieldNodes,
  name: string,
): ResolvedField {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const definitions = [{ ...operation, selectionSet }, ...fragmentsOf(document)];
  const narrowed: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  return { name, schema: schemaAt(type, schema), document: narrowed };
}

const schemas = new WeakMap<GraphQLObjectType, GraphQLSchema>();

/** The schema with a type of its objects for its query. */
function schemaAt(type: GraphQLObjectType, schema: GraphQLSchema): GraphQLSchema {
  if (type === schema.getQueryType()) return schema;
  const known =
    schemas.get(type) ?? new GraphQLSchema({ ...schema.toConfig(), query: type, assumeValid: true });
  schemas.set(type, known);
  return known;
}

/** Resolves fields by the rules of graphql-js, each at its place in an answer that is otherwise written from text. */
export class FieldResolver {
  readonly #context: GatewayContext;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #slice = new TimeSlice();

  constructor(context: GatewayContext, variables: Readonly<Record<string, unknown>>) {
    this.#context = context;
    this.#variables = variables;
  }

  /** The same in another context, as of a block. */
  in(context: GatewayContext): FieldResolver {
    return new FieldResolver(context, this.#variables);
  }

  /** The result of one field of an object. */
  async resolve({ schema, document }: ResolvedField, parent?: unknown): Promise<ExecutionResult> {
    // Plugins remember by the context what they have read for a path, and the paths of several operations are alike.
    const contextValue = { ...this.#context, pastAt: new Map() };
    return execute({ schema, document, rootValue: parent, variableValues: this.#variables, contextValue });
  }

  /** The values of a field of rows by their keys. Throws FieldFailed where one of them is an error. */
  async resolveOfRows(
    field: ResolvedField,
    noun: AnyNoun,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, unknown>> {
    const models = this.#context.models();
    const rows = await Promise.all(keys.map((key) => models.row(noun, key, {}, nodeIdFieldOf(noun))));
    const resolving: Promise<unknown>[] = [];
    for (const row of rows) {
      const value = this.resolve(field, row).then((result) => takeValue(field, result));
      // One may fail while the others have their turn, before anybody waits for it.
      value.catch(() => {});
      resolving.push(value);
      if (this.#slice.isOver()) await this.#slice.next();
    }
    const values = await Promise.allSettled(resolving);
    return new Map(keys.map((key, index) => [key, valueIn(values[index])]));
  }
}

/** The value of a field in its result. Throws FieldFailed where that has errors. */
export function takeValue({ name }: ResolvedField, { data, errors }: ExecutionResult): unknown {
  if (errors !== undefined) throw new FieldFailed(errors);
  return data?.[name];
}

function valueIn(settled: PromiseSettledResult<unknown> | undefined): unknown {
  if (settled?.status === 'rejected') throw settled.reason;
  return settled?.value;
}
