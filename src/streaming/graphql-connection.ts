import type { ExecutionResult, GraphQLError } from 'graphql';
import {
  CloseCode,
  type Message,
  MessageType,
  type PingMessage,
  parseMessage,
  type SubscribeMessage,
  type SubscribePayload,
} from 'graphql-ws';
import { isNestedTooDeep } from '../operations/parameter-values.ts';

/** What a connection needs of the socket below it. */
export interface Wire {
  /** Resolves when there is room for more, or nobody to read it. */
  send(text: string): Promise<void>;
  close(code: number, reason: string): void;
}

export interface ConnectionEvents {
  /** No operation is left. */
  onIdle(): void;
  /** What nobody expected: the connection is closed for it. */
  onFault(error: unknown): void;
}

/** Begins an operation: gives its result or its results, or the errors for which it cannot begin. Never throws. */
export type Begin = (payload: SubscribePayload, open: number) => Promise<Begun>;

export type Begun =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] }
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  | { readonly kind: 'stream'; readonly results: AsyncIterableIterator<ExecutionResult> };

/**
 * The server's half of the protocol `graphql-transport-ws` for one connection; its messages are read by graphql-ws.
 * (Its own server half loses an operation whose id the client takes again at once, and writes the JSON of a result
 * anew for each of those that it goes to.) https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export class GraphqlConnection {
  readonly #wire: Wire;
  readonly #begin: Begin;
  readonly #events: ConnectionEvents;
  readonly #operations = new Map<string, Operation>();
  readonly #greeting: NodeJS.Timeout;
  #isGreeted = false;
  #running = 0;

  constructor(wire: Wire, begin: Begin, events: ConnectionEvents) {
    this.#wire = wire;
    this.#begin = begin;
    this.#events = events;
    this.#greeting = setTimeout(() => {
      wire.close(CloseCode.ConnectionInitialisationTimeout, 'No connection_init came.');
    }, GREETING_MS);
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  receive(text: string): void {
    const message = readMessage(text);
    switch (message?.type) {
      case MessageType.ConnectionInit:
        this.#greet();
        break;
      case MessageType.Ping:
        this.#pong(message.payload);
        break;
      case MessageType.Pong:
        break;
      case MessageType.Subscribe:
        this.#subscribe(message);
        break;
      case MessageType.Complete:
        this.#operations.get(message.id)?.stop();
        this.#operations.delete(message.id);
        break;
      default:
        this.#wire.close(CloseCode.BadRequest, 'This is no message that a client may send.');
    }
  }

  /** The socket is gone, or about to be: nothing goes on for it. */
  end(): void {
    clearTimeout(this.#greeting);
    for (const operation of this.#operations.values()) operation.stop();
    this.#operations.clear();
  }

  #greet(): void {
    if (this.#isGreeted) {
      this.#wire.close(CloseCode.TooManyInitialisationRequests, 'connection_init came twice.');
      return;
    }
    clearTimeout(this.#greeting);
    this.#isGreeted = true;
    void this.#send({ type: MessageType.ConnectionAck });
  }

  /** Sends back what came with a ping: writing it as JSON goes as deep as it is nested. */
  #pong(payload: PingMessage['payload']): void {
    if (isNestedTooDeep(payload)) this.#wire.close(CloseCode.BadRequest, 'The payload is nested too deep.');
    else void this.#send({ type: MessageType.Pong, ...(payload && { payload }) });
  }

  #subscribe({ id, payload }: SubscribeMessage): void {
    if (!this.#isGreeted) this.#wire.close(CloseCode.Unauthorized, 'connection_init comes first.');
    else if (this.#operations.has(id))
      this.#wire.close(CloseCode.SubscriberAlreadyExists, 'The id is in use.');
    else void this.#run(id, payload);
  }

  async #run(id: string, payload: SubscribePayload): Promise<void> {
    const operation = new Operation();
    const open = this.#operations.size;
    this.#operations.set(id, operation);
    this.#running += 1;
    try {
      await this.#answer(id, operation, await this.#begin(payload, open));
    } catch (error) {
      this.#events.onFault(error);
      this.#wire.close(CloseCode.InternalServerError, 'Something went wrong here.');
    } finally {
      // By now the id can be another operation's.
      if (this.#operations.get(id) === operation) this.#operations.delete(id);
      this.#running -= 1;
      if (this.isIdle) this.#events.onIdle();
    }
  }

  async #answer(id: string, operation: Operation, begun: Begun): Promise<void> {
    if (begun.kind === 'stream') {
      operation.follow(begun.results);
      // Each result is a call's own: none stays in memory while its stream is quiet.
      while (await this.#handOn(id, operation, begun.results));
    }
    if (operation.isOver) return;
    if (begun.kind === 'result') await this.#sendNext(id, begun.result);
    // Before the message: once it is out, the client may take the id again.
    this.#operations.delete(id);
    if (begun.kind === 'refused') await this.#send({ type: MessageType.Error, id, payload: begun.errors });
    else await this.#send({ type: MessageType.Complete, id });
  }

  async #handOn(id: string, operation: Operation, results: AsyncIterator<ExecutionResult>): Promise<boolean> {
    const next = await results.next();
    if (next.done === true || operation.isOver) return false;
    await this.#sendNext(id, next.value);
    return true;
  }

  /** The JSON of a result that is shared is made once; only the id around it differs. */
  #sendNext(id: string, result: ExecutionResult): Promise<void> {
    const json = 'stringify' in result ? (result as Ready).stringify() : JSON.stringify(result);
    return this.#wire.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`);
  }

  #send(message: object): Promise<void> {
    return this.#wire.send(JSON.stringify(message));
  }
}

/** How long a client may take to say `connection_init`. */
const GREETING_MS = 3000;

interface Ready {
  readonly stringify: () => string;
}

/** An operation that the client, or the end of the connection, can stop: also before it has begun. */
class Operation {
  #results: AsyncIterableIterator<ExecutionResult> | null = null;
  isOver = false;

  follow(results: AsyncIterableIterator<ExecutionResult>): void {
    this.#results = results;
    if (this.isOver) this.stop();
  }

  stop(): void {
    this.isOver = true;
    void this.#results?.return?.();
  }
}

function readMessage(text: string): Message | null {
  try {
    return parseMessage(text);
  } catch {
    return null;
  }
}
