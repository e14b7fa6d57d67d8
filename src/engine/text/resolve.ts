import { type ExecutionResult, execute, type GraphQLError } from 'graphql';
import type { AnyNoun } from '../../data/noun.ts';
import type { GatewayContext } from '../../graphql/context.ts';
import { COST_OF, COST_OF_THE_PAST } from '../../graphql/costs.ts';
import { nodeIdFieldOf } from '../../graphql/node-ids.ts';
import { PastPlaces } from '../../graphql/past-places.ts';
import { TimeSlice } from '../../time-slice.ts';
import { costOf } from '../price/cost.ts';
import type { ResolvedField } from './plan.ts';

/** What a field below the query's own gave instead of a value. */
export class FieldFailed extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('a field could not be resolved');
    this.errors = errors;
  }
}

/** Resolves fields by the rules of graphql-js, each at its place in an answer that is otherwise written from text. */
export class FieldResolver {
  readonly #context: GatewayContext;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #slice: TimeSlice;

  /** The variables are coerced. */
  constructor(
    context: GatewayContext,
    variables: Readonly<Record<string, unknown>>,
    slice: TimeSlice = new TimeSlice(),
  ) {
    this.#context = context;
    this.#variables = variables;
    this.#slice = slice;
  }

  /** The same in another context, as of a block. */
  in(context: GatewayContext): FieldResolver {
    return new FieldResolver(context, this.#variables, this.#slice);
  }

  /** The result of one field of an object. */
  async resolve({ schema, document }: ResolvedField, parent?: unknown): Promise<ExecutionResult> {
    for (let turn = this.#slice.whenNext(); turn !== null; turn = this.#slice.whenNext()) await turn;
    // Plugins remember by the context what they have read for a path, and the paths of several operations are alike.
    const contextValue = { ...this.#context, pastAt: new PastPlaces<GatewayContext>() };
    return execute({ schema, document, rootValue: parent, variableValues: this.#variables, contextValue });
  }

  /** The same, where most of it was read already and is thrown away: that is charged once more. */
  resolveAgain(field: ResolvedField): Promise<ExecutionResult> {
    const { schema, document } = field;
    const { cost } = costOf({ schema, document, variableValues: this.#variables });
    const { past, charge } = this.#context;
    charge((cost * (past === null ? 1 : COST_OF_THE_PAST)) / COST_OF.countedRow);
    return this.resolve(field);
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
