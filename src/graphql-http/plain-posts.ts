import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { isObject } from '../domain/objects.ts';
import type { Admit } from '../engine/admit.ts';
import { asGraphqlError } from '../engine/client-errors.ts';
import type { DocumentCache } from '../engine/documents/document-cache.ts';
import { refuseValues } from '../engine/documents/parameter-values.ts';
import type { PersistedOperations } from '../engine/documents/persisted-operations.ts';
import { type OperationTimes, statusOfResult } from '../engine/operation-times.ts';
import { costOf } from '../engine/price/cost.ts';
import { refuseExcess } from '../engine/price/limits.ts';
import { asksForBlock } from '../engine/run/block-first.ts';
import { type PreparedOperation, prepareOperation } from '../engine/run/prepared.ts';
import { createContext, type GatewayServices } from '../graphql/context.ts';
import { schema } from '../graphql/index.ts';
import type { PlainPosts } from '../http/plain-requests.ts';
import type { RequestScope } from '../http/request-scope.ts';
import { Answer } from '../http/write/answer.ts';
import { toBody } from '../http/write/json-text.ts';
import { chooseMediaType, isJson } from './media-types.ts';
import { noteResult } from './ready-results.ts';

/**
 * Answers the plain case of GraphQL over HTTP for the front: one query, sent as JSON, of a document that was asked
 * before, within the limits, and without an error in its result. All else is left to Yoga, which says what is wrong
 * where something is; it is told the result where there is one, so that nothing is read twice.
 */
export function createPlainPosts(
  services: GatewayServices,
  documents: DocumentCache,
  persisted: PersistedOperations,
  admit: Admit,
  times: OperationTimes,
): PlainPosts {
  /** Which operation an answer is of. */
  const asked = new WeakMap<Answer, Ready>();
  const prepared = new WeakMap<OperationDefinitionNode, Ready>();

  function prepare(document: DocumentNode, name: string | null): Ready | null {
    const operation = getOperationAST(document, name);
    if (operation?.operation !== 'query') return null;
    const known = prepared.get(operation);
    if (known !== undefined) return known;
    const ready: Ready = {
      ...{ document, operationName: name, protocol: 'http' },
      run: prepareOperation(document, name).run,
      name: operation.name?.value,
      asksForBlock: asksForBlock({ document, operationName: name }),
    };
    prepared.set(operation, ready);
    return ready;
  }

  return {
    path: '/graphql',
    formOf: (headers) => (isJson(headers['content-type']) ? chooseMediaType(headers.accept) : null),
    read(body, mediaType) {
      const params = readParams(body, persisted);
      const document = params && documents.get(params.query);
      const operation = document && prepare(document, params.operationName);
      if (!operation || refuseValues({ variables: params.variables }) !== null) return null;
      const { variables } = params;
      // Written out: a spread costs a request more than most of what is done for it here.
      const { operationName } = operation;
      const priced = costOf({ schema, document, operationName, variableValues: variables });
      if (refuseExcess(priced) !== null) return null;
      const make = async (scope: RequestScope) => {
        const outcome = await times.time(
          operation,
          () => admit(scope, priced.cost, () => run(services, operation, variables, scope), operation.name),
          ({ result }) => (result.kind === 'text' ? 'ok' : statusOfResult(result.result)),
        );
        const made = toAnswer(outcome, mediaType);
        asked.set(made.value, operation);
        return made;
      };
      return { head: [], make };
    },
    noteKept(answer) {
      const operation = asked.get(answer);
      if (operation !== undefined) times.addKept(operation);
    },
    noteFailure(request, error) {
      const result =
        error instanceof FailedOperation ? error.result : { errors: [asGraphqlError(error)], data: null };
      // Without data nothing was read: the variables are wrong, of which Yoga's executor says more.
      if (result.data !== undefined) noteResult(request, result);
    },
  };
}

interface Ready extends Pick<PreparedOperation, 'document' | 'run'> {
  readonly operationName: string | null;
  readonly protocol: 'http';
  readonly name: string | undefined;
  readonly asksForBlock: boolean;
}

interface Params {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A result with errors, on its way to who writes those. */
class FailedOperation extends Error {
  readonly result: ExecutionResult;

  constructor(result: ExecutionResult) {
    super('the operation has failed');
    this.result = result;
  }
}

async function run(
  services: GatewayServices,
  { run, asksForBlock }: Ready,
  variables: Params['variables'],
  scope: RequestScope,
) {
  const context = createContext(services, scope);
  if (asksForBlock) await context.newestBlock();
  const result = await run(variables, context);
  return { result, cacheTags: context.dependencies.tags() };
}

function toAnswer({ result, cacheTags }: Awaited<ReturnType<typeof run>>, mediaType: string) {
  if (result.kind === 'result' && result.result.errors !== undefined)
    throw new FailedOperation(result.result);
  const text = result.kind === 'text' ? ['{"data":', ...result.data, '}'] : [JSON.stringify(result.result)];
  return { value: new Answer(`${mediaType}; charset=utf-8`, toBody(text)), cacheTags };
}

/** The parameters of one operation; null for a body that has anything else in it. */
function readParams(body: Buffer, persisted: PersistedOperations): Params | null {
  const params = readObject(body);
  for (const name in params) if (!PARAMETERS.has(name)) return null;
  const { query, operationName = null, variables = null, extensions = null } = params;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (variables !== null && !isObject(variables)) return null;
  if (extensions !== null && !isObject(extensions)) return null;
  if (Object.keys(extensions ?? {}).some((name) => name !== 'persistedQuery')) return null;
  const text = textOrNull({ query, extensions }, persisted);
  return text === null ? null : { query: text, operationName, variables: variables ?? {} };
}

const PARAMETERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions']);

/** The text of the document, which can be named by its hash; null where Yoga has to say what is wrong. */
function textOrNull(params: object, persisted: PersistedOperations): string | null {
  try {
    const text = persisted.textOf(params);
    if (typeof text !== 'string') return null;
    persisted.check(text);
    return text;
  } catch {
    return null;
  }
}

function readObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
