import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { Admit } from '../engine/admit.ts';
import { asGraphqlError, badRequest, toMessageError, withClientErrors } from '../engine/client-errors.ts';
import type { PersistedOperations } from '../engine/documents/persisted-operations.ts';
import type { OperationCost } from '../engine/price/cost.ts';
import { refuseExcess } from '../engine/price/limits.ts';
import { type GraphqlServer, readOperation } from '../engine/read-operation.ts';
import { type GatewayError, gatewayErrorOf } from '../errors.ts';
import { OPERATION_LIMITS } from '../graphql/costs.ts';
import type { ScopeOf } from '../http/request-scope.ts';
import { answerErrors } from './answer-errors.ts';
import { chooseMediaType } from './media-types.ts';
import { isJsonBody, readJsonBody, readOperationParams } from './operation-params.ts';
import type { OperationContext } from './server-context.ts';
import { jsonOf } from './text-answers.ts';

export interface BatchOptions {
  readonly graphql: GraphqlServer;
  readonly textOf: PersistedOperations['textOf'];
  readonly admit: Admit;
  readonly scopeOf: ScopeOf;
  readonly logger: Logger;
}

/** One operation of a batch, to be run when the batch is admitted. */
interface Entry {
  readonly priced: OperationCost;
  run(): Promise<ExecutionResult>;
}

/**
 * Answers a list of operations with the list of their results, as Apollo's BatchHttpLink sends and takes them. It is
 * admitted as one operation that costs what all of them do. What is wrong with one is its own result; what is wrong with
 * the list refuses it. Everything that is no list is left to the next handler.
 */
export function serveBatches(options: BatchOptions) {
  return async (
    request: IncomingMessage & { readonly body?: unknown },
    response: ServerResponse,
    next: () => void,
  ): Promise<void> => {
    if (request.method !== 'POST' || !isJsonBody(request) || !beginsAsList(request.body)) return next();
    try {
      const given = readList(request);
      const scope = options.scopeOf(request, response);
      const { signal, steps } = scope;
      const entries = given.map((one) =>
        readEntry(one, { req: request, signal, isAdmitted: true, protocol: 'batch', steps }, options),
      );
      const sum = add(entries.map(({ priced }) => priced));
      if (refuseExcess(sum) !== null) throw refuseSum(sum);
      const results = await options.admit(scope, sum.cost, () =>
        Promise.all(entries.map(({ run }) => run())),
      );
      const texts = results.map((result) => jsonOf(withClientErrors(result, options.logger)));
      const type = chooseMediaType(request.headers.accept) ?? 'application/json';
      response.setHeader('Content-Type', `${type}; charset=utf-8`);
      response.end(`[${texts.join(',')}]`);
    } catch (error) {
      const known = gatewayErrorOf(error);
      if (known === undefined) throw error;
      answerErrors(request, response, [toMessageError(known, options.logger)]);
    }
  };
}

/** Whether a body is a list, if it is JSON at all. */
function beginsAsList(body: unknown): boolean {
  return Buffer.isBuffer(body) && /^[ \t\r\n]*\[/.test(body.toString('latin1', 0, 1024));
}

function readList(request: IncomingMessage): readonly unknown[] {
  const given = readJsonBody(request) as readonly unknown[];
  const { batch } = OPERATION_LIMITS;
  if (given.length === 0 || given.length > batch)
    throw badRequest('body', `The batch has ${given.length} operations; it takes 1 to ${batch}.`);
  return given;
}

function refuseSum({ cost, counts }: OperationCost): GatewayError {
  return badRequest(
    'body',
    `The operations of the batch can cost ${cost} and select totalCount ${counts} times together; the most is ${OPERATION_LIMITS.cost} and ${OPERATION_LIMITS.counts}, as for one. Send fewer of them at once.`,
  );
}

function readEntry(
  given: unknown,
  asking: OperationContext,
  { graphql, textOf }: Pick<BatchOptions, 'graphql' | 'textOf'>,
): Entry {
  try {
    const operation = readOperation({ graphql, textOf }, readOperationParams(given), asking);
    if (operation.kind === 'refused') return failed(operation.errors);
    if (operation.type === 'subscription')
      throw badRequest('query', 'A subscription is no part of a batch: ask for it in a request of its own.');
    const priced = operation.price();
    const refusal = refuseExcess(priced);
    return refusal === null ? { priced, run: () => runOrFail(operation.run) } : failed([refusal]);
  } catch (error) {
    return failed([asGraphqlError(error)]);
  }
}

async function runOrFail(run: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  try {
    return await run();
  } catch (error) {
    return { errors: [asGraphqlError(error)] };
  }
}

function failed(errors: readonly GraphQLError[]): Entry {
  return { priced: { cost: 0, counts: 0 }, run: async () => ({ errors }) };
}

function add(costs: readonly OperationCost[]): OperationCost {
  return costs.reduce((sum, one) => ({ cost: sum.cost + one.cost, counts: sum.counts + one.counts }));
}
