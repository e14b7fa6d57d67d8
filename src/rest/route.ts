import type { DocumentNode } from 'graphql';
import { type Parameters, type ParameterValues, parameterReader } from './params.ts';

/** An operation that knows the types of its variables and of its data, as gql.tada makes them. */
export interface TypedOperation<Data, Variables> extends DocumentNode {
  readonly __ensureTypesOfVariablesAndResultMatching?: (variables: Variables) => Data;
}

/** One documented path: how a request becomes a GraphQL operation, and its data the documented body. */
export interface RouteOptions<P extends Parameters, Data, Variables> {
  readonly path: string;
  readonly summary: string;
  readonly parameters: P;
  readonly operation: TypedOperation<Data, Variables>;
  readonly variables: (parameters: ParameterValues<P>) => Loose<Variables>;
  readonly body: (data: Data) => unknown;
}

/**
 * Variables as parameters give them: undefined for what is not given, lists that nobody changes. In input objects
 * GraphQL takes undefined for not given by itself, among the variables it would take it for null.
 */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Loose<T[Key]> | (object extends Pick<T, Key> ? undefined : never) }
    : T;

/** A route as the router, the OpenAPI document and the tests see it, whatever its types. */
export interface Route {
  readonly method: 'GET';
  /** As express writes it: `/api/v2/deposit/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: Parameters;
  readonly operation: DocumentNode;
  /** Reads a request into the operation's variables. Throws a 400 for parameters that are not as documented. */
  readonly variables: (
    path: Readonly<Record<string, unknown>>,
    rawQuery: string,
  ) => Readonly<Record<string, unknown>>;
  /** Makes the documented body of the operation's data. */
  readonly body: (data: unknown) => unknown;
}

/** Makes a route. Its types are checked here, and erased so that routes can stand in one list. */
export function route<const P extends Parameters, Data, Variables extends object>(
  options: RouteOptions<P, Data, Variables>,
): Route {
  const read = parameterReader(options.parameters);
  return {
    method: 'GET',
    path: options.path,
    summary: options.summary,
    parameters: options.parameters,
    operation: options.operation,
    variables: (path, rawQuery) => withoutUndefined(options.variables(read(path, rawQuery))),
    body: (data) => options.body(data as Data),
  };
}

function withoutUndefined(variables: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}
