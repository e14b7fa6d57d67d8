import type { DocumentNode } from 'graphql';
import type { CacheTag } from '../cache/cache-tags.ts';
import { asThrown } from '../errors.ts';
import { createContext, type GatewayServices } from '../graphql/context.ts';
import { schema } from '../graphql/index.ts';
import type { RequestScope } from '../http/request-scope.ts';
import type { JsonText } from '../http/write/json-text.ts';
import type { Admit } from './admit.ts';
import { costOf } from './price/cost.ts';
import { type PreparedOperation, prepareOperation, type RunResult } from './run/prepared.ts';

/** A parsed operation with the types of its answer and its variables (what gql.tada's `graphql()` gives). */
export interface Operation<Data, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Data;
}

/** What an operation gave. */
export interface Outcome<Data> {
  readonly data: Data;
  /** The data as JSON where it was made as that, and has no page without rows and nothing that was not found. */
  readonly text: JsonText | null;
  /** The tags of the blocks that may change it; null where any block may. */
  readonly cacheTags: readonly CacheTag[] | null;
}

/** Runs an operation against the schema in this process, without HTTP or parsing in between. */
export type Execute = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
) => Promise<Outcome<Data>>;

/** Gives the function with which somebody's request runs its operations. */
export type ExecuteFor = (scope: RequestScope) => Execute;

/**
 * Makes the functions with which REST runs its operations, which are few: each is prepared once. It throws the first
 * error of an answer as the resolver threw it, so that a GatewayError arrives as one.
 */
export function createExecute(services: GatewayServices, admit: Admit): ExecuteFor {
  const prepared = new WeakMap<DocumentNode, PreparedOperation>();
  const executeFor = async <Data, Variables>(
    scope: RequestScope,
    operation: Operation<Data, Variables>,
    variables: Variables,
  ) => {
    const ready = prepared.get(operation) ?? prepareOperation(operation);
    prepared.set(operation, ready);
    const context = createContext(services, scope);
    const variableValues = variables as Readonly<Record<string, unknown>>;
    const { cost } = costOf({ schema, document: operation, variableValues });
    const result = await admit(
      scope,
      cost,
      () => ready.run(variableValues, context),
      ready.operation.name?.value,
    );
    const cacheTags = context.dependencies.tags();
    if (result.kind === 'text') return new TextOutcome<Data>(result, cacheTags);
    const { data, errors } = result.result;
    const [error] = errors ?? [];
    if (error !== undefined) throw asThrown(error);
    return { data: data as Data, text: null, cacheTags };
  };
  return (scope) => (operation, variables) => executeFor(scope, operation, variables);
}

/** A class, since V8 makes each object with a getter of its own a hidden class, which holds all that the getter sees for long. */
class TextOutcome<Data> implements Outcome<Data> {
  readonly text: JsonText | null;
  readonly cacheTags: Outcome<Data>['cacheTags'];
  readonly #json: JsonText;

  constructor(
    { data, isEmptyPage, isNull }: Extract<RunResult, { readonly kind: 'text' }>,
    cacheTags: Outcome<Data>['cacheTags'],
  ) {
    this.#json = data;
    this.text = isEmptyPage || isNull ? null : data;
    this.cacheTags = cacheTags;
  }

  get data(): Data {
    return JSON.parse(this.#json.join('')) as Data;
  }
}
