import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { GatewayError } from '../errors.ts';
import type { Quota } from '../http/quota.ts';
import type { OpenSource, SharedResult, SourceStream } from '../operations/subscribe.ts';

/** Begins a subscription; or gives, where none can begin, the errors as they were thrown. */
export type Subscribe = (args: ExecutionArgs) => Promise<Subscription | ExecutionResult>;

/** Subscribes for one client, within what it may have open; one too many is refused with RESOURCE_EXHAUSTED. */
export function limitSubscribe(openSource: OpenSource, streams: Quota, client: string): Subscribe {
  return async (args) => {
    let release: () => void;
    try {
      release = streams.take(client);
    } catch (error) {
      if (error instanceof GatewayError) return { errors: [error] };
      throw error;
    }
    try {
      const source = await openSource(args);
      if ('events' in source) return new Subscription(source, release);
      release();
      return source;
    } catch (error) {
      release();
      throw error;
    }
  };
}

type Next = IteratorResult<SharedResult, undefined>;

const DONE: Next = { done: true, value: undefined };

/** What one client subscribed to. When it fails, its last result is the error. */
export class Subscription implements AsyncIterableIterator<SharedResult, undefined> {
  readonly #source: SourceStream;
  readonly #onEnd: () => void;
  #opening: Promise<Next> | null = null;
  #isOver = false;

  /** `onEnd` is called once, when it ends, for whatever reason. */
  constructor(source: SourceStream, onEnd: () => void) {
    this.#source = source;
    this.#onEnd = onEnd;
  }

  /** The first result, when it comes within `ms`; else null. It is still the next one. */
  async peek(ms: number): Promise<SharedResult | null> {
    this.#opening ??= this.#ask();
    const waiting = new AbortController();
    const late = sleep(ms, null, { signal: waiting.signal }).catch(() => null);
    const first = await Promise.race([this.#opening, late]);
    waiting.abort();
    return first?.value ?? null;
  }

  next(): Promise<Next> {
    const next = this.#opening ?? this.#ask();
    this.#opening = null;
    return next;
  }

  async return(): Promise<Next> {
    this.#end();
    await this.#source.events.return?.();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #ask(): Promise<Next> {
    if (this.#isOver) return DONE;
    try {
      const event = await this.#source.events.next();
      if (event.done !== true) return { done: false, value: await this.#source.resultOf(event.value) };
      this.#end();
      return DONE;
    } catch (error) {
      // The events themselves may go on, for nobody.
      void this.return();
      return { done: false, value: this.#source.failureOf(error) };
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
  }
}
