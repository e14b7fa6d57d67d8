import { type BlockPlace, type ChunkHead, digestOf, MAX_BLOCK_SIZE } from './block-message.ts';

/** A whole block as a log had it. */
export interface ReadBlock extends BlockPlace {
  readonly payload: Uint8Array;
  /** The message that its last chunk is. */
  readonly sequence: number;
}

/**
 * Puts chunks together to whole blocks. A block is there when all its chunks have come, one behind the other; what a relay
 * has begun and not ended is replaced by the block that another begins anew.
 */
export class BlockAssembler {
  #parts: Uint8Array[] = [];
  #size = 0;
  #last: ChunkHead | null = null;

  /**
   * The block that a message ends; null where it ends none; in words, why it cannot be a part of any.
   */
  take(head: ChunkHead, payload: Uint8Array, sequence: number): ReadBlock | string | null {
    if (head.chunk === 0) this.#drop();
    else if (!follows(this.#last, head))
      return `chunk ${head.chunk + 1} of ${head.chunks} does not follow the one before it`;
    this.#size += payload.length;
    if (this.#size > MAX_BLOCK_SIZE) return `the block has more than ${MAX_BLOCK_SIZE} bytes`;
    this.#parts.push(payload);
    this.#last = head;
    if (head.chunk < head.chunks - 1) return null;
    const whole = this.#parts.length === 1 ? payload : Buffer.concat(this.#parts, this.#size);
    this.#drop();
    if (digestOf(whole) !== head.digest)
      return `its bytes are not those of its header Periscope-Digest, ${head.digest}`;
    const { chainId, format, first, last, digest } = head;
    return { chainId, format, first, last, digest, payload: whole, sequence };
  }

  #drop(): void {
    this.#parts = [];
    this.#size = 0;
    this.#last = null;
  }
}

function follows(last: ChunkHead | null, head: ChunkHead): boolean {
  return (
    last !== null &&
    last.chunk + 1 === head.chunk &&
    last.chunks === head.chunks &&
    last.first === head.first &&
    last.digest === head.digest &&
    last.chainId === head.chainId
  );
}
