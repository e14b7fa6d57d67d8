import type { ExecutionResult, GraphQLError } from 'graphql';
import { jsonOf } from '../engine/run/json-result.ts';
import type { GatewayError } from '../errors.ts';
import { ClientLeft } from '../http/request-scope.ts';
import { nextOf } from '../readable.ts';
import type { Begun } from './graphql-operation.ts';

/** Where results are handed over to, one at a time. */
export interface Room {
  /** Takes the place of a result that is handed over at once; false where there is none now. */
  take(): boolean;
  /** Resolves when there may be one, or when an operation was stopped. */
  wait(): Promise<void>;
}

/** An operation of an event stream. Whoever reads its results waits until there is room for the next. */
export class EventStreamOperation {
  readonly id: string;
  readonly #leaving = new AbortController();
  #begun: Begun | null = null;
  #lastError: GatewayError | null = null;
  /** The JSON of a query's only result, until it is handed over. */
  #ready: string | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /** Aborted when the operation is stopped. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** How much waits here to be handed over, as characters of JSON. */
  get waiting(): number {
    return this.#ready?.length ?? 0;
  }

  /** Takes what the operation begins with; gives the errors for which it cannot begin. What was not executed has no data. */
  begin(begun: Begun): readonly GraphQLError[] | null {
    if (begun.kind === 'refused') return begun.errors;
    if (begun.kind === 'result') {
      const { data, errors } = begun.result;
      if (data === undefined && errors !== undefined) return errors;
      this.#ready = jsonOf(begun.result);
    }
    this.#begun = begun;
    if (this.signal.aborted) this.#leave();
    return null;
  }

  /** Ends it, also before it has begun; with an error as its last result, or without another word. */
  stop(error: GatewayError | null = null): void {
    if (!this.signal.aborted) this.#lastError = error;
    this.#leaving.abort(new ClientLeft());
    this.#leave();
  }

  /** What comes of it, a result at a time. */
  async *results(room: Room): AsyncGenerator<ExecutionResult, void, undefined> {
    for await (const result of this.#made()) {
      while (!this.signal.aborted && !room.take()) await room.wait();
      // Nothing comes between: the place of a result that is not handed over would never be free again.
      if (this.signal.aborted) break;
      this.#ready = null;
      yield result;
    }
    if (this.#lastError !== null) yield { errors: [this.#lastError] };
  }

  async *#made(): AsyncGenerator<ExecutionResult, void, undefined> {
    if (this.#ready !== null) yield JSON.parse(this.#ready);
    if (this.#begun?.kind !== 'stream') return;
    const { results } = this.#begun;
    for (let next = await nextOf(results); next.done !== true; next = await nextOf(results)) yield next.value;
  }

  #leave(): void {
    this.#ready = null;
    if (this.#begun?.kind === 'stream') void this.#begun.results.return();
  }
}
