import type { ExecutionResult, GraphQLError } from 'graphql';
import { MessageType } from 'graphql-ws';
import { jsonOf } from '../engine/run/json-result.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import type { GatewayError } from '../errors.ts';
import { ClientLeft } from '../http/request-scope.ts';
import type { Readable, Reader } from '../readable.ts';
import { pump, type Sink } from './pump.ts';

/** What an operation, or why it cannot, begins with. */
export type Begun =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] }
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  | { readonly kind: 'stream'; readonly results: Readable<SharedResult> };

/** Where messages of the protocol go. */
export interface Wire {
  /** Whether more of a stream may be sent now. */
  readonly hasRoom: boolean;
  /** Tells the reader when there is room again, or nobody to read what is sent. */
  whenRoom(reader: Reader): void;
  /** Sends a message of a stream, with what it shares with those of other streams in the middle. */
  send(before: string, shared: Buffer, after: string): void;
  /** Sends what comes of a message of the client. */
  answer(text: string): void;
}

/**
 * One of the operations of a connection, and the sink of its results. The client, or the end of the connection, can
 * stop it: also before it has begun.
 */
export class GraphqlOperation implements Sink<SharedResult> {
  readonly #id: string;
  readonly #wire: Wire;
  readonly #onEnd: () => void;
  /** What stands before the payload of a message. */
  readonly #before: string;
  #results: Readable<SharedResult> | null = null;
  /** Ends what is done for it before there are results. */
  #leaving: AbortController | null = new AbortController();
  #isOver = false;

  /** `onEnd` is called when it ends by itself, before the client can know of it and take the id again. */
  constructor(id: string, wire: Wire, onEnd: () => void) {
    this.#id = id;
    this.#wire = wire;
    this.#onEnd = onEnd;
    this.#before = `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`;
  }

  /** Aborted when it is stopped while it begins. */
  get signal(): AbortSignal | undefined {
    return this.#leaving?.signal;
  }

  async run(begun: Begun): Promise<void> {
    this.#leaving = null;
    switch (begun.kind) {
      case 'refused':
        return this.#finish({ type: MessageType.Error, id: this.#id, payload: begun.errors });
      case 'result':
        if (!this.#isOver) this.#wire.answer(`${this.#before}${jsonOf(begun.result)}}`);
        return this.end(null);
      case 'stream':
        this.#results = begun.results;
        if (this.#isOver) this.stop();
        return pump(begun.results, this);
    }
  }

  get hasRoom(): boolean {
    return this.#wire.hasRoom;
  }

  whenRoom(reader: Reader): void {
    this.#wire.whenRoom(reader);
  }

  write(result: SharedResult): void {
    if (!this.#isOver) this.#wire.send(this.#before, result.encode(), '}');
  }

  end(error: GatewayError | null): void {
    if (error !== null && !this.#isOver)
      this.#wire.answer(`${this.#before}${JSON.stringify({ errors: [error] })}}`);
    this.#finish({ type: MessageType.Complete, id: this.#id });
  }

  /** Ends it without another message. */
  stop(): void {
    this.#isOver = true;
    this.#leaving?.abort(new ClientLeft());
    void this.#results?.return();
  }

  #finish(message: object): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#wire.answer(JSON.stringify(message));
  }
}
