import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GatewayContext } from '../../graphql/context.ts';
import { schema } from '../../graphql/index.ts';
import type { JsonText } from '../../http/write/json.ts';
import { answerField, type RootAnswer } from '../text/answer.ts';
import { settleArguments } from '../text/arguments.ts';
import { compile } from '../text/compile.ts';
import type { Plan, RootField } from '../text/plan.ts';
import { FieldResolver } from '../text/resolve.ts';
import { tellFew } from './few-errors.ts';
import { createVariableReader, findWrongVariables } from './variables.ts';

/** An operation, prepared once: parsed, valid, and compiled where it can be. */
export interface PreparedOperation {
  /** Whether it is a query with a block, the newest or another, among its root fields. */
  readonly asksForBlock: boolean;
  /** Runs it. `data` is the JSON text of the answer's `data`; anything else comes as graphql-js gives it. */
  run(variables: Readonly<Record<string, unknown>>, context: GatewayContext): Promise<RunResult>;
}

export type RunResult =
  | {
      readonly kind: 'text';
      readonly data: JsonText;
      /** Of that, the value of the first root field. */
      readonly first: JsonText;
      /** Whether the one root field is a list, and its page has no row. */
      readonly isEmptyPage: boolean;
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
    asksForBlock: findBlock(document, operation),
    async run(variables, context) {
      const args = { schema, document, operationName, variableValues: variables, contextValue: context };
      // Of variables that cannot be taken graphql-js has its own words.
      const coerced = readVariables(variables);
      const wrong = coerced === null ? findWrongVariables(operation, variables) : undefined;
      if (wrong !== undefined) return asResult({ errors: wrong });
      if (operation.operation !== OperationTypeNode.QUERY || coerced === null) {
        return asResult(await execute(args));
      }
      const { fields, asked } = planFor(coerced);
      const { given, errors } = settleArguments(asked, coerced);
      if (errors.length > 0) return asResult(refuse(fields, errors));
      if (!asText) return asResult(await execute(args));
      const run = { context, given, resolver: new FieldResolver(context, coerced) };
      const [only, another] = fields;
      // What most operations are: they wait for nothing but their one field.
      if (only !== undefined && another === undefined) return combine(fields, [await answerField(only, run)]);
      return combine(fields, await Promise.all(fields.map((field) => answerField(field, run))));
    },
  };
  if (asText) prepared.set(document, (prepared.get(document) ?? new Map()).set(name, one));
  return one;
}

const prepared = new WeakMap<DocumentNode, Map<string, PreparedOperation>>();

/** What plans take of the heap, all together, in bytes. */
const KEPT_BYTES = 32 * 2 ** 20;
const BYTES_OF_FIELD = 1024;

/** The plans of an operation, one for each way of skipping and including its fields. */
type Ways = Map<string, Plan>;

/**
 * Says which plans of all operations are kept, and holds none of them: each is held by its document, and goes with it. So the bytes of a
 * document count where documents are kept, and not again for each of its plans.
 */
const kept = new LRUCache<string, WeakRef<Ways>>({
  maxSize: KEPT_BYTES,
  dispose: (ways, key) => ways.deref()?.delete(key),
});
let planners = 0;

/** Compiles an operation for what its directives skip and include: each way once, when it first comes. */
function createPlanner(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => Plan {
  planners += 1;
  const own = `${planners} `;
  const conditions = findConditions(document);
  const ways: Ways = new Map();
  const held = new WeakRef(ways);
  return (variables) => {
    const key = conditions.reduce((text, name) => `${text},${variables[name]}`, own);
    const known = ways.get(key);
    // Whatever is asked for is the last that goes.
    if (known !== undefined && kept.get(key) !== undefined) return known;
    const plan = compile({ schema, document, operation, variables });
    kept.set(key, held, { size: BYTES_OF_FIELD * (plan.size + 1) });
    // One that is larger than all together may be is not.
    if (kept.has(key)) ways.set(key, plan);
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

/** Nothing is read of an operation with an argument that is refused: what of its data can be null is, if all of it can. */
function refuse(fields: readonly RootField[], errors: readonly GraphQLError[]): ExecutionResult {
  const refused = new Set(errors.map(({ path = [] }) => path[0]));
  const areNull = fields.every(({ name, isNullable }) => isNullable && refused.has(name));
  return { errors, data: areNull ? Object.fromEntries(fields.map(({ name }) => [name, null])) : null };
}

/** Every result of a query, with as few errors as are told. */
function asResult(result: ExecutionResult): RunResult {
  return { kind: 'result', result: tellFew(result) };
}

function combine(fields: readonly RootField[], answers: readonly RootAnswer[]): RunResult {
  if (answers.some(({ errors }) => errors !== undefined && errors.length > 0)) {
    const errors = answers.flatMap((answer) => answer.errors ?? []);
    return asResult({ errors, data: dataBesideErrors(fields, answers) });
  }
  const data = ['{'];
  for (const [index, { before }] of fields.entries()) data.push(before, ...(answers[index]?.text ?? []));
  data.push('}');
  const [first, another] = answers;
  const isEmptyPage = another === undefined && first?.rows === 0;
  return { kind: 'text', data, first: first?.text ?? [], isEmptyPage };
}

/** The data beside errors: null where a field failed that cannot be. */
function dataBesideErrors(
  fields: readonly RootField[],
  answers: readonly RootAnswer[],
): Record<string, unknown> | null {
  if (answers.some(({ leavesNothing }) => leavesNothing)) return null;
  const data: Record<string, unknown> = Object.create(null);
  for (const [index, { name }] of fields.entries())
    data[name] = JSON.parse(answers[index]?.text.join('') ?? 'null');
  return data;
}

/** The fields of the query that name the newest block, and those that may: alone, these need nobody to look for it first. */
const NAMING_BLOCKS: readonly string[] = ['block', 'blocks'];
const NAMING_BESIDE_OTHERS: readonly string[] = ['asOf', 'changes'];

function findBlock(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  if (operation.operation !== OperationTypeNode.QUERY) return false;
  const names = namesOfRoot(document, operation);
  const isNaming = (naming: readonly string[]) => naming.some((name) => names.has(name));
  return isNaming(NAMING_BLOCKS) || (names.size > 1 && isNaming(NAMING_BESIDE_OTHERS));
}

/** The root fields, but for those as of a height. */
function namesOfRoot(document: DocumentNode, { selectionSet }: OperationDefinitionNode): ReadonlySet<string> {
  // Each is searched once, however often it is spread: fragments can multiply.
  const fragments = new Map<string, SelectionSetNode>();
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one.selectionSet);
  const names = new Set<string>();
  const search = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        // What was at a height never changes, whatever is read before or after.
        if (!isOfHeight(selection)) names.add(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) search(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        fragments.delete(selection.name.value);
        if (fragment !== undefined) search(fragment);
      }
    }
  };
  search(selectionSet);
  return names;
}

/** Whether a field is as of a height that the document says: a variable may be null, and a time the newest block's. */
function isOfHeight({ name, arguments: given = [] }: FieldNode): boolean {
  const height = given.find((one) => one.name.value === 'height')?.value.kind;
  return name.value === 'asOf' && (height === Kind.INT || height === Kind.STRING);
}
