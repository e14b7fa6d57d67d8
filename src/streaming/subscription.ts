import type { ExecutionResult } from 'graphql';
import { codeOf } from '../engine/client-errors.ts';
import { PendingResult } from '../engine/run/pending-result.ts';
import type { OpenSource, SharedResult, SourceStream, Subscribing } from '../engine/run/subscribe.ts';
import { GatewayError } from '../errors.ts';
import type { GiveBack } from '../http/limits/quota.ts';
import { nextOf, type Readable, type Reader } from '../readable.ts';
import type { StreamCount, StreamEnd } from './stream-counts.ts';

/** Begins a subscription; or gives, where none can begin, the errors as they were thrown. */
export type Subscribe = (operation: Subscribing) => Promise<Subscription | ExecutionResult>;

/** Subscribes for one client, within what it may have open; one too many is refused with RESOURCE_EXHAUSTED. */
export function limitSubscribe(
  openSource: OpenSource,
  take: (operation: Subscribing) => GiveBack | Promise<GiveBack>,
  count: StreamCount,
): Subscribe {
  return async (operation) => {
    let release: GiveBack;
    try {
      release = await take(operation);
    } catch (error) {
      if (error instanceof GatewayError) return { errors: [error] };
      throw error;
    }
    try {
      const source = await openSource(operation);
      if ('events' in source) return new Subscription(source, release, count);
      release();
      return source;
    } catch (error) {
      release();
      throw error;
    }
  };
}

type Next = IteratorResult<SharedResult, undefined>;

/** What one client subscribed to. When it fails, its last result is the error. */
export class Subscription
  implements Readable<SharedResult>, AsyncIterableIterator<SharedResult, undefined>, Reader
{
  readonly #source: SourceStream;
  readonly #onEnd: () => void;
  readonly #count: StreamCount;
  /** What was made, or peeked at, and is to be read next. */
  #made: SharedResult | null = null;
  /** What its next result is to be, while that is read. */
  #pending: PendingResult<SharedResult> | null = null;
  #isOver = false;
  reader: Reader | null = null;

  /** `onEnd` is called once, when it ends, for whatever reason. */
  constructor(source: SourceStream, onEnd: () => void, count: StreamCount) {
    this.#source = source;
    this.#count = count;
    count.open += 1;
    count.opened += 1;
    this.#onEnd = onEnd;
    source.events.reader = this;
  }

  get isOver(): boolean {
    return this.#isOver && this.#made === null;
  }

  read(): SharedResult | null {
    const made = this.#made;
    this.#made = null;
    if (made !== null || this.#pending !== null || this.#isOver) return made;
    try {
      return this.#make();
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** The first result, when it comes within `ms`; else null. It is still the next one. */
  async peek(ms: number): Promise<SharedResult | null> {
    const end = performance.now() + ms;
    for (let left = ms; this.#peekNow() === null && !this.isOver && left > 0; left = end - performance.now())
      await this.#arrival(left);
    return this.#made;
  }

  next(): Promise<Next> {
    return nextOf(this);
  }

  return(): Promise<Next> {
    return this.#leave('left');
  }

  /** Lets it go because its client takes nothing. */
  cut(): Promise<Next> {
    return this.#leave('stalled');
  }

  async #leave(why: StreamEnd): Promise<Next> {
    this.#made = null;
    this.#end(why);
    this.reader?.onReadable();
    await this.#source.events.return();
    return { done: true, value: undefined };
  }

  onReadable(): void {
    this.reader?.onReadable();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #peekNow(): SharedResult | null {
    this.#made = this.read();
    return this.#made;
  }

  /** Resolves when there may be something to read, or the time is over. */
  #arrival(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, ms);
      this.reader = {
        onReadable() {
          clearTimeout(late);
          resolve();
        },
      };
    });
  }

  #make(): SharedResult | null {
    const event = this.#source.events.read();
    if (event === null) {
      if (this.#source.events.isOver) this.#end('done');
      return null;
    }
    const result = this.#source.resultOf(event);
    if (!(result instanceof PendingResult)) {
      this.#count.messages += 1;
      return result;
    }
    this.#pending = result;
    const deliver = (make: () => SharedResult) => {
      this.#pending = null;
      if (!this.#isOver) this.#made = make();
      this.reader?.onReadable();
    };
    result.join().then(
      (made) =>
        deliver(() => {
          this.#count.messages += 1;
          return made;
        }),
      (error) => deliver(() => this.#fail(error)),
    );
    return null;
  }

  /** The events themselves may go on, for nobody. */
  #fail(error: unknown): SharedResult {
    this.#end(codeOf(error));
    void this.#source.events.return();
    return this.#source.failureOf(error);
  }

  #end(why: StreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#count.open -= 1;
    this.#count.ended[why] = (this.#count.ended[why] ?? 0) + 1;
    this.#pending?.leave();
    this.#pending = null;
    this.#onEnd();
  }
}
