import type { IncomingMessage } from 'node:http';
import { type DocumentNode, type ExecutionArgs, type GraphQLError, getOperationAST } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { Logger } from 'pino';
import { GatewayError } from '../errors.ts';
import { asGraphqlError, toMessageError, withClientErrors } from '../operations/client-errors.ts';
import { refuseValues } from '../operations/parameter-values.ts';
import type { PersistedOperations } from '../operations/persisted-operations.ts';
import type { OperationContext } from '../operations/server-context.ts';
import type { Results } from '../operations/subscribe.ts';
import type { createGraphqlServer } from '../operations/yoga.ts';
import type { Begun } from './graphql-operation.ts';

export type GraphqlServer = Pick<ReturnType<typeof createGraphqlServer>, 'getEnveloped'>;

export interface OperationsOptions {
  readonly graphql: GraphqlServer;
  readonly textOf: PersistedOperations['textOf'];
  /** How many operations a socket may have open at once. */
  readonly maxPerSocket: number;
  readonly logger: Logger;
}

/**
 * Begins operations as GraphQL over HTTP does, with its plugins: what is refused there is refused here. Whatever is
 * wrong with one is that operation's error, so that a bad operation never closes the socket of its neighbours.
 */
export class Operations {
  readonly #options: OperationsOptions;
  #isDraining = false;

  constructor(options: OperationsOptions) {
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on every operation is refused with UNAVAILABLE. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Begins what a message asks on the socket of a request, which has `others` open already. */
  async begin(
    payload: SubscribePayload,
    request: IncomingMessage,
    others: number,
    signal?: AbortSignal,
  ): Promise<Begun> {
    const { maxPerSocket, logger } = this.#options;
    try {
      if (this.#isDraining)
        throw new GatewayError('UNAVAILABLE', 'The gateway is stopping. Ask another one.');
      if (others >= maxPerSocket) throw tooMany(maxPerSocket);
      return await this.#execute(payload, { req: request, ...(signal && { signal }) });
    } catch (error) {
      return { kind: 'refused', errors: [toMessageError(asGraphqlError(error), logger)] };
    }
  }

  async #execute(payload: SubscribePayload, asking: OperationContext): Promise<Begun> {
    const { variables, operationName } = payload;
    const { graphql, textOf, logger } = this.#options;
    const refusal = refuseValues(payload);
    if (refusal !== null) throw refusal;
    const query = textOf(payload);
    const params = { query, variables, operationName };
    const begun: Results[] = [];
    const onSubscribed = (results: Results) => void begun.push(results);
    const context: OperationContext & { readonly params: object } = { ...asking, params, onSubscribed };
    const { schema, parse, validate, contextFactory, execute, subscribe } = graphql.getEnveloped(context);
    const document: DocumentNode = parse(query);
    const errors: readonly GraphQLError[] = validate(schema, document);
    if (errors.length > 0)
      return { kind: 'refused', errors: errors.map((error) => toMessageError(error, logger)) };
    const args: ExecutionArgs = {
      schema,
      document,
      variableValues: variables,
      operationName,
      contextValue: await contextFactory(),
    };
    const isSubscription = getOperationAST(document, operationName)?.operation === 'subscription';
    const answer = await (isSubscription ? subscribe : execute)(args);
    const [results] = begun;
    if (results !== undefined) return { kind: 'stream', results };
    return { kind: 'result', result: withClientErrors(answer, logger) };
  }
}

function tooMany(max: number): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `This socket has ${max} operations open, as many as one may. End one before beginning another.`,
  );
}
