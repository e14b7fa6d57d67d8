import { EventEmitter, once } from 'node:events';
import type { SentBlock } from './sent-blocks.ts';

/** A block that waits for the log to have it. */
export interface WaitingBlock {
  readonly block: SentBlock;
  /** Since when, by the clock of `performance.now()`. */
  readonly since: number;
}

/** What may wait in memory; the feed waits meanwhile. A block that is larger waits alone. */
const MOST_BLOCKS = 1_024;
const MOST_BYTES = 32 * 2 ** 20;

/** Blocks between their feed and the log, in their order. */
export class BlockQueue {
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #waiting: WaitingBlock[] = [];
  #size = 0;
  #end: { readonly error: unknown } | null = null;

  get length(): number {
    return this.#waiting.length;
  }

  /** Whether nothing comes any more. */
  get isEnded(): boolean {
    return this.#end !== null;
  }

  at(index: number): WaitingBlock | undefined {
    return this.#waiting[index];
  }

  /** Adds a block, once there is room for it. Throws the signal's reason. */
  async push(block: SentBlock, signal: AbortSignal): Promise<void> {
    while (
      this.#waiting.length >= MOST_BLOCKS ||
      (this.#size > 0 && this.#size + block.payload.length > MOST_BYTES)
    ) {
      await this.changed(signal);
    }
    this.#waiting.push({ block, since: performance.now() });
    this.#size += block.payload.length;
    this.#changes.emit('change');
  }

  /** Takes the first out. */
  shift(): SentBlock | undefined {
    const first = this.#waiting.shift();
    if (first === undefined) return undefined;
    this.#size -= first.block.payload.length;
    this.#changes.emit('change');
    return first.block;
  }

  /** Nothing comes any more: the feed has ended, or thrown this. */
  end(error: unknown = null): void {
    this.#end = { error };
    this.#changes.emit('change');
  }

  /** Throws what the feed has ended with, if that is an error. */
  throwEnd(): void {
    if (this.#end?.error) throw this.#end.error;
  }

  /** Resolves at the next change. Throws the signal's reason when it is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.#changes, 'change', { signal });
  }
}
