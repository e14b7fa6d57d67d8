import type { ExecutionResult } from 'graphql';
import { jsonOf } from '../engine/run/json-result.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import type { Readable, Reader } from '../readable.ts';

/** The one result of a query, to be read as those of a subscription are. */
export class ReadyResult implements Readable<SharedResult> {
  /** Of its JSON, in bytes. */
  readonly length: number;
  #result: SharedResult | null;
  readonly #onEnd: () => void;
  reader: Reader | null = null;

  /** `onEnd` is called once, when it was read or let go. */
  constructor(result: ExecutionResult, onEnd: () => void) {
    const bytes = Buffer.from(jsonOf(result));
    this.length = bytes.length;
    this.#result = { ...result, encode: () => bytes, stringify: () => bytes.toString() };
    this.#onEnd = onEnd;
  }

  get isOver(): boolean {
    return this.#result === null;
  }

  read(): SharedResult | null {
    const result = this.#result;
    this.#result = null;
    if (result !== null) this.#onEnd();
    return result;
  }

  async return(): Promise<void> {
    this.read();
    this.reader?.onReadable();
  }
}
