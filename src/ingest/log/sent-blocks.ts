import { positionOf, positionWithin } from '../../domain/positions.ts';
import { FaultError } from '../events.ts';
import { frameRecord } from '../frames.ts';
import type { EventHead } from '../socket/envelope.ts';
import { type BlockFormat, type BlockPlace, digestOf, MAX_BLOCK_SIZE } from './block-message.ts';

/** A whole block on its way into a log. */
export interface SentBlock extends BlockPlace {
  readonly height: number;
  readonly payload: Uint8Array;
}

/**
 * Puts what a source has together to whole blocks, as bytes, and finds the positions of their begins and ends. What is in the
 * events is not read: the regions do that, each with its own version.
 */
export class SentBlockBuilder {
  readonly #name: string;
  readonly #chainId: string;
  readonly #format: BlockFormat;
  #last: { readonly height: number; readonly index: number } | null = null;
  #open: { readonly height: number; readonly firstIndex: number; index: number } | null = null;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(name: string, chainId: string, format: BlockFormat) {
    this.#name = name;
    this.#chainId = chainId;
    this.#format = format;
  }

  /**
   * The block that an event ends; null where it ends none. Events before the first begin belong to a block that is not here.
   * Throws a FaultError where blocks overlap or are missing, or events stand outside of them.
   */
  takeEvent(
    { chainId, begins, endsBlock, upgradeAfter }: EventHead,
    payload: Uint8Array,
    at: string,
  ): SentBlock | null {
    if (chainId !== this.#chainId)
      throw this.#fault(at, `an event of chain ${chainId} in a source of chain ${this.#chainId}`);
    if (begins !== null) this.begin(begins.height, at);
    else if (upgradeAfter !== null && this.#open === null) return null;
    else if (this.#open === null && this.#last === null) return null;
    else this.advance(at);
    this.hold(frameRecord(payload), at);
    return endsBlock ? this.end(at) : null;
  }

  begin(height: number, at: string): void {
    const last = this.#last;
    if (this.#open !== null)
      throw this.#fault(at, `block ${height} begins within block ${this.#open.height}`);
    if (last !== null && height !== last.height && height !== last.height + 1) {
      const complaint = height < last.height ? 'heights must not fall' : 'blocks are missing between them';
      throw this.#fault(at, `block ${height} follows block ${last.height}: ${complaint}`);
    }
    const firstIndex = last?.height === height ? last.index + 1 : 0;
    this.#open = { height, firstIndex, index: firstIndex };
  }

  /** One more event of the block, the last included. */
  advance(at: string): void {
    if (this.#open === null) throw this.#fault(at, 'an event stands outside any block');
    this.#open.index += 1;
  }

  hold(part: Uint8Array, at: string): void {
    this.#size += part.length;
    if (this.#size > MAX_BLOCK_SIZE) throw this.#fault(at, `the block has more than ${MAX_BLOCK_SIZE} bytes`);
    this.#parts.push(part);
  }

  /** The block that has begun, whose last event was counted. */
  end(at: string): SentBlock {
    const open = this.#open;
    if (open === null) throw this.#fault(at, 'a block ends that has not begun');
    const { height, firstIndex, index } = open;
    const last = positionWithin(height, index);
    if (last === null)
      throw this.#fault(at, `block ${height}, event ${index} is beyond what positions can hold`);
    const payload = Buffer.concat(this.#parts, this.#size);
    this.#last = { height, index };
    this.#open = null;
    this.#parts = [];
    this.#size = 0;
    return {
      chainId: this.#chainId,
      format: this.#format,
      height,
      first: positionOf(height, firstIndex),
      last,
      digest: digestOf(payload),
      payload,
    };
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  #fault(at: string, reason: string): FaultError {
    const height = this.#open?.height ?? null;
    return new FaultError({ place: `${this.#name}, ${at}`, height, reason, event: null });
  }
}
