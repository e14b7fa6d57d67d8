import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, execute, GraphQLError } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { GatewayError } from '../errors.ts';
import { toMessageError, withClientErrors } from '../graphql/client-errors.ts';
import type { SharedResult, Subscribe } from '../graphql/subscribe.ts';
import { stalled } from './follow.ts';
import { FrameQueue } from './frame-queue.ts';
import type { ReadOperation } from './read-operation.ts';
import { readyPayload, spliceReady } from './ready-frames.ts';
import type { CompleteUpgrade } from './sockets.ts';
import { cutWhenStalled } from './stalls.ts';
import type { UpgradeHandler } from './upgrades.ts';

export interface GraphqlSocketOptions {
  readonly readOperation: ReadOperation;
  /** Subscribes for the client that a request came from. */
  readonly subscribeFor: (request: IncomingMessage) => Subscribe;
  readonly completeUpgrade: CompleteUpgrade;
  /** How many operations a socket may have open at once. */
  readonly maxOperations: number;
  readonly stallMs: number;
  readonly logger: Logger;
}

/** GraphQL over WebSocket, with the protocol `graphql-transport-ws`. */
export interface GraphqlSockets {
  readonly handler: UpgradeHandler;
  /** Takes no more operations, and closes each socket (1001) when its last operation is over. */
  drain(): void;
}

/** Chooses among the protocols that a client offers. Without this one, the socket is closed with 4406. */
export function chooseGraphqlProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL;
}

/**
 * Serves the protocol by graphql-ws, which knows no sockets: here it gets ours. Whatever is wrong with an operation is
 * told as its error, so that one bad operation never closes the socket of its neighbours.
 */
export function createGraphqlSockets(options: GraphqlSocketOptions): GraphqlSockets {
  const { completeUpgrade, subscribeFor, stallMs, logger } = options;
  const open = new Set<OpenSocket>();
  let isDraining = false;
  const protocol = createProtocol(options, () => isDraining);
  return {
    async handler(request, connection, head) {
      if (isDraining) throw stopping();
      const webSocket = await completeUpgrade(request, connection, head);
      const frames = new FrameQueue(webSocket);
      const socket = new OpenSocket(webSocket, logger);
      open.add(socket);
      const closed = protocol.opened(
        {
          protocol: webSocket.protocol,
          send: (text) => frames.send(spliceReady(text)),
          close: (code, reason) => webSocket.close(code, reason),
          onMessage: (handle) => {
            webSocket.on('message', (data) => socket.run(() => handle(String(data))));
          },
        },
        { subscribe: subscribeFor(request) },
      );
      cutWhenStalled(connection, stallMs, () => {
        void closed(1013, '');
        webSocket.close(1013, stalled(stallMs).message);
      });
      webSocket.once('close', (code, reason) => {
        open.delete(socket);
        void closed(code, String(reason));
      });
    },
    drain() {
      isDraining = true;
      for (const socket of open) socket.closeWhenIdle();
    },
  };
}

/** A socket, and how many of its messages are being dealt with: an operation is for as long as it lasts. */
class OpenSocket {
  readonly #webSocket: WebSocket;
  readonly #logger: Logger;
  #running = 0;
  #isClosing = false;

  constructor(webSocket: WebSocket, logger: Logger) {
    this.#webSocket = webSocket;
    this.#logger = logger;
  }

  async run(handle: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await handle();
    } catch (err) {
      this.#logger.error({ err }, 'a message on a WebSocket was not dealt with');
      this.#webSocket.close(4500, 'Internal server error');
    }
    this.#running -= 1;
    if (this.#isClosing) this.closeWhenIdle();
  }

  closeWhenIdle(): void {
    this.#isClosing = true;
    if (this.#running === 0) this.#webSocket.close(1001, 'The gateway is stopping.');
  }
}

/** What the protocol's hooks know of a socket. */
interface Extra {
  readonly subscribe: Subscribe;
}

function createProtocol(options: GraphqlSocketOptions, isDraining: () => boolean) {
  const { readOperation, maxOperations, logger } = options;
  const subscribers = new WeakMap<ExecutionArgs, Subscribe>();
  const refuse = (error: unknown) => [toMessageError(asGraphqlError(error), logger)];
  return makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: INIT_WAIT_MS,
    async onSubscribe({ subscriptions, extra }, _id, payload) {
      try {
        if (isDraining()) throw stopping();
        if (Object.keys(subscriptions).length > maxOperations) throw tooMany(maxOperations);
        const operation = await readOperation(payload);
        if (!('schema' in operation)) return operation.map((error) => toMessageError(error, logger));
        subscribers.set(operation, extra.subscribe);
        return operation;
      } catch (error) {
        return refuse(error);
      }
    },
    async execute(operation) {
      try {
        return withClientErrors(await execute(operation), logger);
      } catch (error) {
        return { errors: refuse(error) };
      }
    },
    async subscribe(operation) {
      try {
        const messages = await subscribers.get(operation)?.(operation);
        if (messages === undefined) throw new Error('an operation that onSubscribe did not give');
        return Symbol.asyncIterator in messages ? messages : withClientErrors(messages, logger);
      } catch (error) {
        return { errors: refuse(error) };
      }
    },
    onNext: (_context, _id, _payload, _args, result) =>
      'stringify' in result ? readyPayload(result as SharedResult) : undefined,
  });
}

/** How long a client may take to say `connection_init`. */
const INIT_WAIT_MS = 3000;

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError('Unexpected error.', { originalError });
}

function stopping(): GatewayError {
  return new GatewayError('UNAVAILABLE', 'The gateway is stopping. Ask another one.');
}

function tooMany(max: number): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `This socket has ${max} operations open, as many as one may. End one before beginning another.`,
  );
}
