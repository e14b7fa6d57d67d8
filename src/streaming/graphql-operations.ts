import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { errorsOf, toMessageError, withClientErrors } from '../engine/client-errors.ts';
import type { Engine } from '../engine/engine.ts';
import { resultOf } from '../engine/run/json-result.ts';
import { GatewayError } from '../errors.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import type { WaitForBlock } from '../http/limits/min-block.ts';
import { NOBODY } from '../http/request-scope.ts';
import type { Begun } from './graphql-operation.ts';
import type { StreamProtocol } from './stream-counts.ts';

export interface OperationsOptions {
  readonly engine: Engine;
  readonly clients: ClientAddresses;
  readonly waitForBlock: WaitForBlock;
  /** How many operations a connection may have open at once. */
  readonly maxPerSocket: number;
  readonly protocol: StreamProtocol;
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

/** The longest id of an operation that is taken, in characters: it stands in every message. */
export const MAX_OPERATION_ID_LENGTH = 256;
/** The name by which the `connection_init` of a WebSocket says that block. */
export const MIN_HEIGHT = 'minBlockHeight';

/**
 * Begins operations on connections that may have several. Whatever is
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

  /** Reads a message of so many bytes on the connection of a request, when it is paid and has its turn. */
  readMessage(
    request: IncomingMessage,
    bytes: number,
    signal: AbortSignal,
    read: () => void,
  ): void | Promise<void> {
    const { engine, clients } = this.#options;
    return engine.readMessage(clients.ofRequest(request), bytes, signal, read);
  }

  /** Begins what is asked, in bytes that are charged, on the connection of a request. */
  async begin(
    params: unknown,
    request: IncomingMessage,
    { others, minHeight, signal }: OnConnection,
  ): Promise<Begun> {
    const { engine, clients, waitForBlock, maxPerSocket, protocol, logger } = this.#options;
    const caller = { client: clients.ofRequest(request), signal: signal ?? NOBODY.signal };
    const reject = (errors: ReturnType<typeof errorsOf>): Begun => ({
      kind: 'refused',
      errors: errors.map((error) => toMessageError(error, logger)),
    });
    try {
      if (this.#isDraining)
        throw new GatewayError('UNAVAILABLE', 'The gateway is stopping. Ask another one.');
      if (others >= maxPerSocket) throw tooMany(maxPerSocket);
      if (minHeight !== null) await waitForBlock(minHeight, MIN_HEIGHT, caller);
    } catch (error) {
      engine.noteRejected(protocol, error);
      return reject(errorsOf(error));
    }
    const outcome = await engine.operate(params, caller, protocol);
    if (outcome.kind === 'stream') return outcome;
    if (outcome.kind === 'rejected') return reject(outcome.errors);
    return { kind: 'result', result: withClientErrors(resultOf(outcome), logger) };
  }
}

function tooMany(max: number): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `This connection has ${max} operations open, as many as one may. End one before beginning another.`,
  );
}
