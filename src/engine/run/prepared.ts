import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  isNonNullType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GatewayContext } from '../../graphql/context.ts';
import { schema } from '../../graphql/index.ts';
import type { JsonText } from '../../http/write/json-text.ts';
import { type Ask, bind, type RootText } from '../text/bind.ts';
import { compile } from '../text/compile.ts';
import type { Plan, RootField } from '../text/plan.ts';
import { createVariableReader } from './variables.ts';

/** An operation, prepared once: parsed, valid, and compiled where it can be. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Runs it. `data` is the JSON text of the answer's `data`; anything else comes as graphql-js gives it. */
  run(variables: Readonly<Record<string, unknown>>, context: GatewayContext): Promise<RunResult>;
}

export type RunResult =
  | {
      readonly kind: 'text';
      readonly data: JsonText;
      /** Whether the one root field is a list, and its page has no row. */
      readonly isEmptyPage: boolean;
      /** Whether the one root field is null. */
      readonly isNull: boolean;
    }
  | { readonly kind: 'result'; readonly result: ExecutionResult };

export interface PrepareOptions {
  /** Whether what can be written from text is; else graphql-js does all, which is for tests to compare. */
  readonly asText?: boolean;
}

/** Prepares a valid operation of a document; as long as the document is kept, so is what is prepared of it. */
export function prepareOperation(
  document: DocumentNode,
  operationName?: string | null,
  { asText = true }: PrepareOptions = {},
): PreparedOperation {
  const name = operationName ?? '';
  const known = asText ? prepared.get(document)?.get(name) : undefined;
  if (known !== undefined) return known;
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error(`the document has no operation ${JSON.stringify(name)}`);
  const planFor = createPlanner(document, operation);
  const readVariables = createVariableReader(schema, operation);
  const one: PreparedOperation = {
    document,
    operation,
    async run(variables, context) {
      const args = { schema, document, operationName, variableValues: variables, contextValue: context };
      // Of variables that cannot be taken graphql-js has its own words.
      const coerced = readVariables(variables);
      if (operation.operation !== OperationTypeNode.QUERY || coerced === null) {
        return { kind: 'result', result: await execute(args) };
      }
      const { fields } = planFor(coerced);
      const asks = fields.map((field) => (asText ? bindOrLeave(field, coerced) : null));
      const [[field, another], [ask]] = [fields, asks];
      // What most operations are: they wait for nothing but their one field.
      if (field !== undefined && another === undefined && ask)
        return combine(fields, [await answer(field, ask, context)], NOTHING);
      const left = fields.filter((_, index) => asks[index] === null);
      if (left.length === fields.length && left.length > 0) {
        return { kind: 'result', result: await execute(args) };
      }
      const answers = fields.map((field, index) => answer(field, asks[index] ?? null, context));
      const rest =
        left.length === 0 ? NOTHING : execute({ ...args, document: only(left, document, operation) });
      const [texts, result] = await Promise.all([Promise.all(answers), rest]);
      return combine(fields, texts, result);
    },
  };
  if (asText) prepared.set(document, (prepared.get(document) ?? new Map()).set(name, one));
  return one;
}

const prepared = new WeakMap<DocumentNode, Map<string, PreparedOperation>>();
const NOTHING: ExecutionResult = { data: {} };

/** How many ways of skipping and including an operation's fields are kept. */
const MOST_PLANS = 8;

/** Compiles an operation for what its directives skip and include: each way once, when it first comes. */
function createPlanner(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => Plan {
  const plans = new LRUCache<string, Plan>({ max: MOST_PLANS });
  const conditions = findConditions(document);
  return (variables) => {
    const key = conditions.map((name) => String(variables[name])).join();
    const plan = plans.get(key) ?? compile({ schema, document, operation, variables });
    plans.set(key, plan);
    return plan;
  };
}

/** The variables that directives of a document name. */
function findConditions(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** Null where graphql-js has to answer: what an argument check refuses is reported as it does it. */
function bindOrLeave(field: RootField, variables: Readonly<Record<string, unknown>>): Ask | null {
  try {
    return bind(field, variables);
  } catch {
    return null;
  }
}

/** The text of a field, or why there is none; null where graphql-js answers it. */
async function answer(
  { name, nodes }: RootField,
  ask: Ask | null,
  context: GatewayContext,
): Promise<RootText | GraphQLError | null> {
  if (ask === null) return null;
  try {
    return await ask(context);
  } catch (error) {
    return locatedError(error, nodes, [name]);
  }
}

/** The document with the fields that are left alone. */
function only(
  left: readonly RootField[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode {
  const selections = left.flatMap(({ nodes }) => nodes);
  const narrowed = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const definitions = document.definitions.map((one) => (one === operation ? narrowed : one));
  return { ...document, definitions };
}

function combine(
  fields: readonly RootField[],
  answers: readonly (RootText | GraphQLError | null)[],
  rest: ExecutionResult,
): RunResult {
  const errors = answers.flatMap((one, index) => errorsOf(fields[index] as RootField, one));
  if (errors.length > 0 || rest.errors !== undefined) {
    const data = dataOf(fields, answers, rest);
    return { kind: 'result', result: { errors: [...errors, ...(rest.errors ?? [])], data } };
  }
  const data = ['{'];
  for (const [index, { before, name }] of fields.entries()) {
    const one = answers[index] as RootText | null;
    data.push(before, ...(one === null ? [JSON.stringify(rest.data?.[name])] : one.text));
  }
  data.push('}');
  const [only] = answers.length === 1 ? (answers as readonly RootText[]) : [];
  return {
    kind: 'text',
    data,
    isEmptyPage: only?.rows === 0,
    isNull: only?.text[0] === 'null',
  };
}

function errorsOf({ name, nodes }: RootField, one: RootText | GraphQLError | null): readonly GraphQLError[] {
  if (one instanceof GraphQLError) return [one];
  return [...(one?.errors ?? [])].map(([place, error]) => locatedError(error, nodes, [name, place]));
}

/** The data beside errors: null where a field failed that cannot be. */
function dataOf(
  fields: readonly RootField[],
  answers: readonly (RootText | GraphQLError | null)[],
  rest: ExecutionResult,
): Record<string, unknown> | null {
  if (!rest.data) return null;
  const data: Record<string, unknown> = Object.create(null);
  for (const [index, field] of fields.entries()) {
    const one = answers[index] ?? null;
    if (one === null) data[field.name] = rest.data[field.name];
    else if (!(one instanceof GraphQLError)) data[field.name] = JSON.parse(one.text.join(''));
    else if ('definition' in field && isNonNullType(field.definition.type)) return null;
    else data[field.name] = null;
  }
  return data;
}
