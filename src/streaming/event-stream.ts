import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { createHandler, type Handler } from 'graphql-sse';
import { GatewayError, quoted } from '../errors.ts';
import { cutAnswerWhenStalled, hasBacklog } from '../http/server/stalls.ts';
import { HttpError } from '../http/write/error-body.ts';
import { beginBody, EVENTS } from './body-sink.ts';
import { EventStreamOperation, type Room } from './event-stream-operation.ts';
import type { Begun } from './graphql-operation.ts';
import { MOST_UNREAD, stalled } from './pump.ts';

/** How long a reservation is kept for whoever has made it. */
const RESERVATION_MS = 10_000;

/** Begins an operation beside others that are open; what it reads ends when the signal is aborted. Never throws. */
type Begin = (others: number, signal: AbortSignal) => Promise<Begun>;

interface EventStreamOptions {
  /** Whose it is: nobody else may use it. */
  readonly client: string;
  readonly heartbeatMs: number;
  readonly stallMs: number;
  /** Called once, when it ends: by its reader, or because nobody has come for it. */
  readonly onEnd: () => void;
  /** Called when its reader takes nothing, and it ends for that. */
  readonly onStall: () => void;
  /** Called when its last operation is over. */
  readonly onIdle: () => void;
  /** Called with what nobody expected. */
  readonly onFault: (error: unknown) => void;
}

/**
 * One body of server-sent events with the messages of many operations: the single connection mode of graphql-sse, whose
 * handler keeps the operations apart and writes their messages. The handler takes results as fast as they come and keeps
 * a reservation for ever. So each event stream has a handler of its own, which is gone with the stream, and which is
 * given a result only when the one before is written and the connection takes more.
 */
export class EventStream {
  readonly token: string = randomUUID();
  readonly client: string;
  readonly #options: EventStreamOptions;
  readonly #handle: Handler<null, EventStreamOperation | null>;
  readonly #reserved: Promise<unknown>;
  readonly #unclaimed: NodeJS.Timeout;
  readonly #operations = new Map<string, EventStreamOperation>();
  #response: ServerResponse | null = null;
  #events: AsyncGenerator<string, void, undefined> | null = null;
  /** Results that the handler has and that are not written yet. */
  #unwritten = 0;
  #waiting: (() => void)[] = [];
  #isOver = false;

  constructor(options: EventStreamOptions) {
    this.client = options.client;
    this.#options = options;
    this.#handle = createHandler<null, EventStreamOperation | null>({
      authenticate: () => this.token,
      onSubscribe: ({ context }) => context?.results(this.#room),
      onComplete: (_, { context }) => this.#forget(context),
    });
    this.#reserved = this.#handle(requestOf('PUT'));
    this.#unclaimed = setTimeout(() => this.end(), RESERVATION_MS);
  }

  get isIdle(): boolean {
    return this.#operations.size === 0;
  }

  /** Writes all of it to this answer, until its end. There is one reader, and no other after it. */
  async open(response: ServerResponse): Promise<void> {
    if (this.#response !== null)
      throw new HttpError(409, 'This event stream is read already, and by one only.', 'FAILED_PRECONDITION');
    this.#response = response;
    clearTimeout(this.#unclaimed);
    response.once('close', () => this.end());
    await this.#reserved;
    const [events] = await this.#handle(requestOf('GET'));
    this.#events = events as AsyncGenerator<string, void, undefined>;
    if (this.#isOver) void this.#events.return();
    const { heartbeatMs, stallMs, onStall, onFault } = this.#options;
    const heartbeat = setInterval(
      () => hasBacklog(response) || response.write(EVENTS.heartbeat),
      heartbeatMs,
    );
    beginBody(response, EVENTS);
    response.on('drain', () => this.#tellRoom());
    cutAnswerWhenStalled(response, stallMs, () => {
      onStall();
      this.#fail(stalled(stallMs));
    });
    try {
      for await (const event of this.#events) this.#write(response, event);
    } catch (error) {
      onFault(error);
    }
    clearInterval(heartbeat);
    response.end();
    this.end();
  }

  /**
   * Begins an operation; gives the errors for which it cannot begin. `whenLeft` is given what stops it where whoever asks
   * is gone before that.
   */
  async begin(
    id: string,
    begin: Begin,
    whenLeft: (stop: () => void) => void,
  ): Promise<readonly GraphQLError[] | null> {
    if (this.#operations.has(id)) throw idInUse(id);
    if (this.#waitingToBeRead > MOST_UNREAD) throw tooMuchWaits();
    const others = this.#operations.size;
    const operation = new EventStreamOperation(id);
    this.#operations.set(id, operation);
    whenLeft(() => operation.stop());
    const errors = operation.begin(await begin(others, operation.signal));
    await this.#reserved;
    if (this.#isOver) operation.stop();
    if (errors !== null || this.#isOver) this.#forget(operation);
    else await this.#handle(requestOf('POST', operation));
    return errors;
  }

  /** Ends an operation without another result, also before it has begun. */
  stop(id: string): void {
    this.#operations.get(id)?.stop();
    this.#tellRoom();
  }

  /** Ends all of it. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#unclaimed);
    for (const operation of this.#operations.values()) operation.stop();
    this.#tellRoom();
    void this.#events?.return();
    this.#options.onEnd();
  }

  /** Ends each operation with an error, and all of it when that is written. */
  #fail(error: GatewayError): void {
    for (const operation of this.#operations.values()) operation.stop(error);
    this.#tellRoom();
    setImmediate(() => this.end());
  }

  #write(response: ServerResponse, event: string): void {
    response.write(event);
    if (event.startsWith('event: next')) this.#unwritten = Math.max(0, this.#unwritten - 1);
    this.#tellRoom();
  }

  readonly #room: Room = {
    take: () => {
      if (!this.#hasRoom) return false;
      this.#unwritten += 1;
      return true;
    },
    wait: () => new Promise<void>((resolve) => this.#waiting.push(resolve)),
  };

  get #hasRoom(): boolean {
    return this.#response !== null && this.#unwritten === 0 && !hasBacklog(this.#response);
  }

  get #waitingToBeRead(): number {
    let sum = this.#response?.writableLength ?? 0;
    for (const { waiting } of this.#operations.values()) sum += waiting;
    return sum;
  }

  #tellRoom(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #forget(operation: EventStreamOperation | null): void {
    if (operation !== null) this.#operations.delete(operation.id);
    if (this.isIdle) this.#options.onIdle();
  }
}

/** A request as the handler of one event stream reads it. What is asked has begun already: its text says nothing. */
function requestOf(method: 'PUT' | 'GET' | 'POST', operation: EventStreamOperation | null = null) {
  const headers: Readonly<Record<string, string>> = {
    ...(method === 'GET' && { accept: 'text/event-stream' }),
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  };
  return {
    method,
    url: '/',
    headers: { get: (name: string) => headers[name] },
    body: { query: '', extensions: { operationId: operation?.id } },
    raw: null,
    context: operation,
  };
}

function idInUse(id: string): HttpError {
  return new HttpError(
    409,
    `The operation ${quoted(id)} is open already: operationId must be another.`,
    'FAILED_PRECONDITION',
  );
}

function tooMuchWaits(): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `More than ${MOST_UNREAD} bytes of the event stream wait to be read. Read them before beginning another operation.`,
  );
}
