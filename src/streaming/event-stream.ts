import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { GatewayError, quoted } from '../errors.ts';
import { hasBacklog } from '../http/server/backlog.ts';
import { cutAnswerWhenStalled } from '../http/server/stalls.ts';
import { HttpError } from '../http/write/error-body.ts';
import type { Reader } from '../readable.ts';
import { beginBody, EVENTS } from './body-sink.ts';
import { type Begun, GraphqlOperation, type Wire } from './graphql-operation.ts';
import { EVENT_MESSAGES } from './operation-messages.ts';
import { stalled } from './pump.ts';
import { ReadyResult } from './ready-result.ts';

/** How long a reservation is kept for whoever has made it. */
const RESERVATION_MS = 10_000;
/** No operation begins while this much waits to be read, in bytes: each that has its result at once adds to it. */
const MOST_WAITING = 2 ** 20;

/** Begins an operation beside others that are open; what it reads ends when the signal is aborted. Never throws. */
type Begin = (others: number, signal: AbortSignal | undefined) => Promise<Begun>;

export interface EventStreamOptions {
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
 * One body of server-sent events that has the messages of many operations, each begun by a request of its own: the
 * single connection mode of GraphQL over SSE. It is reserved first, and ends when it is not read in time.
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export class EventStream implements Wire {
  readonly client: string;
  readonly #options: EventStreamOptions;
  readonly #operations = new Map<string, GraphqlOperation>();
  readonly #unclaimed: NodeJS.Timeout;
  /** What came before there was anybody to read it. */
  #unsent: Buffer[] = [];
  #unsentBytes = 0;
  /** What operations have ready that has not been written yet. */
  #readyBytes = 0;
  #running = 0;
  #response: ServerResponse | null = null;
  #heartbeat: NodeJS.Timeout | undefined;
  #waiting: Reader[] = [];
  #isOver = false;

  constructor(options: EventStreamOptions) {
    this.client = options.client;
    this.#options = options;
    this.#unclaimed = setTimeout(() => this.end(), RESERVATION_MS);
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#operations.size === 0;
  }

  /** Sends everything to this answer from now on. There is one reader, and no other after it. */
  open(response: ServerResponse): void {
    if (this.#response !== null)
      throw new HttpError(409, 'This event stream is read already, and by one only.', 'FAILED_PRECONDITION');
    clearTimeout(this.#unclaimed);
    this.#response = response;
    const { heartbeatMs, stallMs } = this.#options;
    beginBody(response, EVENTS);
    // Some browsers and proxies wait for a first byte of the body before they show even the head.
    response.write(EVENTS.heartbeat);
    for (const bytes of this.#unsent) response.write(bytes);
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#heartbeat = setInterval(() => {
      if (!hasBacklog(response)) response.write(EVENTS.heartbeat);
    }, heartbeatMs);
    response.on('drain', () => this.#tellWaiting());
    response.once('close', () => this.end());
    cutAnswerWhenStalled(response, stallMs, () => {
      this.#options.onStall();
      this.#fail(stalled(stallMs));
    });
    this.#tellWaiting();
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
    if (this.#operations.has(id))
      throw new HttpError(
        409,
        `The operation ${quoted(id)} is open already: operationId must be another.`,
        'FAILED_PRECONDITION',
      );
    if (this.#waitingBytes > MOST_WAITING) throw tooMuchWaits();
    const others = this.#operations.size;
    const operation: GraphqlOperation = new GraphqlOperation(
      id,
      this,
      () => this.#forget(id, operation),
      EVENT_MESSAGES,
    );
    this.#operations.set(id, operation);
    whenLeft(() => operation.stop());
    const begun = await begin(others, operation.signal);
    const errors = errorsOf(begun);
    if (errors === null) void this.#run(id, operation, begun);
    else this.#forget(id, operation);
    return errors;
  }

  /** Ends an operation without another message, also before it has begun. */
  stop(id: string): void {
    this.#operations.get(id)?.stop();
    this.#operations.delete(id);
  }

  /** Ends all of it. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#unclaimed);
    clearInterval(this.#heartbeat);
    for (const id of [...this.#operations.keys()]) this.stop(id);
    this.#unsent = [];
    this.#response?.end();
    this.#tellWaiting();
    this.#options.onEnd();
  }

  get hasRoom(): boolean {
    if (this.#isOver) return true;
    return this.#response !== null && (!hasBacklog(this.#response) || this.#response.destroyed);
  }

  whenRoom(reader: Reader): void {
    this.#waiting.push(reader);
  }

  send(before: string, shared: Buffer, after: string): void {
    this.#write(Buffer.concat([Buffer.from(before), shared, Buffer.from(after)]));
  }

  answer(text: string): void {
    this.#write(Buffer.from(text));
  }

  #write(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#response !== null) {
      this.#response.write(bytes);
      return;
    }
    this.#unsent.push(bytes);
    this.#unsentBytes += bytes.length;
  }

  async #run(id: string, operation: GraphqlOperation, begun: Begun): Promise<void> {
    this.#running += 1;
    try {
      await operation.run(begun.kind === 'result' ? this.#hold(begun.result) : begun);
    } catch (error) {
      this.#options.onFault(error);
      this.end();
    } finally {
      this.#forget(id, operation);
      this.#running -= 1;
      if (this.isIdle) this.#options.onIdle();
    }
  }

  /** A result that waits for room as those of streams do. */
  #hold(result: (Begun & { kind: 'result' })['result']): Begun {
    const ready = new ReadyResult(result, () => {
      this.#readyBytes -= ready.length;
    });
    this.#readyBytes += ready.length;
    return { kind: 'stream', results: ready };
  }

  /** By now the id can be another operation's. */
  #forget(id: string, operation: GraphqlOperation): void {
    if (this.#operations.get(id) === operation) this.#operations.delete(id);
  }

  /** Ends each operation with an error, and then all of it. */
  #fail(error: GatewayError): void {
    for (const operation of [...this.#operations.values()]) {
      operation.end(error);
      operation.stop();
    }
    this.end();
  }

  #tellWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const reader of waiting) reader.onReadable();
  }

  get #waitingBytes(): number {
    return this.#readyBytes + this.#unsentBytes + (this.#response?.writableLength ?? 0);
  }
}

/** Why an operation has not begun; null where it has. What was not executed has no data. */
function errorsOf(begun: Begun): readonly GraphQLError[] | null {
  if (begun.kind === 'refused') return begun.errors;
  if (begun.kind === 'stream' || begun.result.data !== undefined) return null;
  return begun.result.errors ?? null;
}

function tooMuchWaits(): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `More than ${MOST_WAITING} bytes of the event stream wait to be read. Read them before beginning another operation.`,
  );
}
