import type { ExecutionResult, GraphQLError } from 'graphql';
import { MessageType } from 'graphql-ws';
import type { GatewayError } from '../errors.ts';
import { pump, type Sink } from './pump.ts';

/** What an operation, or why it cannot, begins with. */
export type Begun =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] }
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  | { readonly kind: 'stream'; readonly results: AsyncIterableIterator<ExecutionResult> };

/** Where messages of the protocol go. */
export interface Wire {
  /** Resolves when there is room for more, or nobody to read it. */
  send(text: string): Promise<void>;
}

/**
 * One operation of a graphql-transport-ws connection, and the sink of its results. The client, or the end of the
 * connection, can stop it: also before it has begun.
 */
export class GraphqlOperation implements Sink<ExecutionResult> {
  readonly #id: string;
  readonly #wire: Wire;
  readonly #onEnd: () => void;
  #results: AsyncIterator<ExecutionResult> | null = null;
  #isOver = false;

  /** `onEnd` is called when it ends by itself, before the client can know of it and take the id again. */
  constructor(id: string, wire: Wire, onEnd: () => void) {
    this.#id = id;
    this.#wire = wire;
    this.#onEnd = onEnd;
  }

  async run(begun: Begun): Promise<void> {
    switch (begun.kind) {
      case 'refused':
        return this.#finish({ type: MessageType.Error, id: this.#id, payload: begun.errors });
      case 'result':
        await this.write(begun.result);
        return this.end(null);
      case 'stream':
        this.#results = begun.results;
        if (this.#isOver) this.stop();
        return pump(begun.results, this);
    }
  }

  async write(result: ExecutionResult): Promise<void> {
    if (this.#isOver) return;
    // The JSON of a result that is shared is made once; only the id around it differs.
    const json = 'stringify' in result ? (result as Ready).stringify() : JSON.stringify(result);
    await this.#wire.send(
      `{"id":${JSON.stringify(this.#id)},"type":"${MessageType.Next}","payload":${json}}`,
    );
  }

  async end(error: GatewayError | null): Promise<void> {
    if (error !== null) await this.write({ errors: [error] });
    await this.#finish({ type: MessageType.Complete, id: this.#id });
  }

  /** Ends it without another message. */
  stop(): void {
    this.#isOver = true;
    void this.#results?.return?.();
  }

  async #finish(message: object): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    await this.#wire.send(JSON.stringify(message));
  }
}

interface Ready {
  readonly stringify: () => string;
}
