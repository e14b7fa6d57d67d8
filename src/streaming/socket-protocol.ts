import {
  CloseCode,
  type ConnectionInitMessage,
  type Message,
  MessageType,
  type PingMessage,
  parseMessage,
  type SubscribeMessage,
  type SubscribePayload,
} from 'graphql-ws';
import { isNestedTooDeep } from '../engine/documents/operation-params.ts';
import { readHeight } from '../http/limits/min-block.ts';
import { type Begun, GraphqlOperation, type Wire } from './graphql-operation.ts';
import { MAX_OPERATION_ID_LENGTH, MIN_HEIGHT, type OnConnection } from './graphql-operations.ts';

/** How long a client may take to send `connection_init`. */
const CONNECTION_INIT_TIMEOUT_MS = 3000;
/** How many characters a ping may have, all of it: it is written again for its answer. */
const MOST_OF_PING = 1024;

/** What a connection needs of the socket below it. */
export interface ProtocolWire extends Wire {
  close(code: number, reason: string): void;
}

interface ProtocolEvents {
  /** No operation is left. */
  onIdle(): void;
  /** What nobody expected: the connection is closed for it. */
  onFault(error: unknown): void;
}

/** Begins an operation: gives its result or its results, or the errors for which it cannot begin. Never throws. */
export type Begin = (payload: SubscribePayload, on: OnConnection) => Promise<Begun>;

/**
 * The server's half of the protocol `graphql-transport-ws` on one socket. graphql-ws reads the messages. Its server is not
 * used: it serialises a shared result again for each subscriber (1.4 x the CPU), and it forgets an operation whose id the
 * client used for another one just before, which then goes on for ever (6.4.2).
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export class SocketProtocol {
  readonly #wire: ProtocolWire;
  readonly #begin: Begin;
  readonly #events: ProtocolEvents;
  readonly #operations = new Map<string, GraphqlOperation>();
  readonly #initTimeout: NodeJS.Timeout;
  #isInitialised = false;
  /** The block that every operation is to be at least of. */
  #minHeight: bigint | null = null;
  #running = 0;

  constructor(wire: ProtocolWire, begin: Begin, events: ProtocolEvents) {
    this.#wire = wire;
    this.#begin = begin;
    this.#events = events;
    this.#initTimeout = setTimeout(() => {
      wire.close(CloseCode.ConnectionInitialisationTimeout, 'No connection_init came.');
    }, CONNECTION_INIT_TIMEOUT_MS);
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  receive(text: string): void {
    const message = readMessage(text);
    switch (message?.type) {
      case MessageType.ConnectionInit:
        this.#initialise(message.payload);
        break;
      case MessageType.Ping:
        this.#pong(message.payload, text.length);
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
    clearTimeout(this.#initTimeout);
    for (const operation of this.#operations.values()) operation.stop();
    this.#operations.clear();
  }

  #initialise(payload: ConnectionInitMessage['payload']): void {
    if (this.#isInitialised) {
      this.#wire.close(CloseCode.TooManyInitialisationRequests, 'connection_init came twice.');
      return;
    }
    clearTimeout(this.#initTimeout);
    const given = payload?.[MIN_HEIGHT] ?? '';
    this.#minHeight = given === '' ? null : heightOf(given);
    if (this.#minHeight === null && given !== '') {
      this.#wire.close(CloseCode.BadRequest, `${MIN_HEIGHT} is no height of a block.`);
      return;
    }
    this.#isInitialised = true;
    this.#send({ type: MessageType.ConnectionAck });
  }

  /** Sends back what came with a ping: writing it as JSON goes as deep as it is nested. */
  #pong(payload: PingMessage['payload'], length: number): void {
    if (isNestedTooDeep(payload)) this.#wire.close(CloseCode.BadRequest, 'The payload is nested too deep.');
    else if (length > MOST_OF_PING)
      this.#wire.close(CloseCode.BadRequest, `A ping is longer than ${MOST_OF_PING} characters.`);
    else this.#send({ type: MessageType.Pong, ...(payload && { payload }) });
  }

  #subscribe({ id, payload }: SubscribeMessage): void {
    if (!this.#isInitialised) this.#wire.close(CloseCode.Unauthorized, 'connection_init comes first.');
    else if (id.length > MAX_OPERATION_ID_LENGTH)
      this.#wire.close(CloseCode.BadRequest, `The id has more than ${MAX_OPERATION_ID_LENGTH} characters.`);
    else if (this.#operations.has(id))
      this.#wire.close(CloseCode.SubscriberAlreadyExists, 'The id is in use.');
    else void this.#run(id, payload);
  }

  async #run(id: string, payload: SubscribePayload): Promise<void> {
    const operation = new GraphqlOperation(id, this.#wire, () => this.#operations.delete(id));
    const { signal } = operation;
    const on = { others: this.#operations.size, minHeight: this.#minHeight, signal };
    this.#operations.set(id, operation);
    this.#running += 1;
    try {
      await operation.run(await this.#begin(payload, on));
    } catch (error) {
      // Nobody reads it any more, and it is not among those that end with the connection.
      operation.stop();
      this.#events.onFault(error);
      this.#wire.close(CloseCode.InternalServerError, 'Something went wrong here.');
    } finally {
      // By now the id can be another operation's.
      if (this.#operations.get(id) === operation) this.#operations.delete(id);
      this.#running -= 1;
      if (this.isIdle) this.#events.onIdle();
    }
  }

  #send(message: object): void {
    this.#wire.answer(JSON.stringify(message));
  }
}

/** A number above 2^53 may be another than the client wrote: its JSON was rounded. */
function heightOf(given: unknown): bigint | null {
  if (typeof given === 'string') return readHeight(given);
  return Number.isSafeInteger(given) ? readHeight(`${given}`) : null;
}

function readMessage(text: string): Message | null {
  try {
    return parseMessage(text);
  } catch {
    return null;
  }
}
