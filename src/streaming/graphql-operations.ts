import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { asGraphqlError, toMessageError, withClientErrors } from '../engine/client-errors.ts';
import type { PersistedOperations } from '../engine/documents/persisted-operations.ts';
import type { OperationTimes } from '../engine/operation-times.ts';
import { type GivenParams, type GraphqlServer, readOperation } from '../engine/read-operation.ts';
import type { Results } from '../engine/run/subscribe.ts';
import { GatewayError } from '../errors.ts';
import type { OperationContext } from '../graphql-http/server-context.ts';
import type { WaitForBlock } from '../http/limits/min-block.ts';
import type { Begun } from './graphql-operation.ts';

export interface OperationsOptions {
  readonly graphql: GraphqlServer;
  readonly textOf: PersistedOperations['textOf'];
  readonly waitForBlock: WaitForBlock;
  /** How many operations a connection may have open at once. */
  readonly maxPerSocket: number;
  /** How they are asked for, and what is noted of that. */
  readonly protocol: 'sse' | 'multipart' | 'websocket';
  readonly times: OperationTimes;
  readonly logger: Logger;
}

/** What the connection says of an operation on it. */
export interface OnConnection {
  /** How many others are open there. */
  readonly others: number;
  /** The block that it is to be at least of; null where it is any. */
  readonly minHeight: bigint | null;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal | undefined;
}

/** The name by which the `connection_init` of a WebSocket says that block. */
export const MIN_HEIGHT = 'minBlockHeight';

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

  /** Begins what is asked on the connection of a request. */
  async begin(
    payload: GivenParams,
    request: IncomingMessage,
    { others, minHeight, signal }: OnConnection,
  ): Promise<Begun> {
    const { waitForBlock, maxPerSocket, protocol, times, logger } = this.#options;
    try {
      if (this.#isDraining)
        throw new GatewayError('UNAVAILABLE', 'The gateway is stopping. Ask another one.');
      if (others >= maxPerSocket) throw tooMany(maxPerSocket);
      if (minHeight !== null) await waitForBlock(minHeight, MIN_HEIGHT, signal);
      return await this.#execute(payload, { req: request, protocol, ...(signal && { signal }) });
    } catch (error) {
      times.addRefused(protocol, error);
      return { kind: 'refused', errors: [toMessageError(asGraphqlError(error), logger)] };
    }
  }

  async #execute(payload: GivenParams, asking: OperationContext): Promise<Begun> {
    const { protocol, times, logger } = this.#options;
    const begun: Results[] = [];
    const onSubscribed = (results: Results) => void begun.push(results);
    const operation = readOperation(this.#options, payload, { ...asking, onSubscribed });
    if (operation.kind === 'refused') {
      times.addRefused(protocol, operation.errors[0]);
      return { kind: 'refused', errors: operation.errors.map((error) => toMessageError(error, logger)) };
    }
    const answer = await operation.run();
    const [results] = begun;
    if (results !== undefined) return { kind: 'stream', results };
    return { kind: 'result', result: withClientErrors(answer, logger) };
  }
}

function tooMany(max: number): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `This connection has ${max} operations open, as many as one may. End one before beginning another.`,
  );
}
