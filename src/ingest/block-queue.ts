import type { PreparedBlock } from '../data/writing/prepared-block.ts';
import { describeFault, isOfOneBlock } from '../data/writing/write-faults.ts';
import type { Writer } from '../data/writing/writer.ts';
import { RefusedBlockError } from './events.ts';

/** As much as may wait behind what is being written, and is written at once after it. */
const MOST_BLOCKS = 512;
/** In rows, of less than a kilobyte each but for market data. */
const MOST_ROWS = 10_000;

/**
 * The blocks of a source on their way into the database, in their order. The first is written as it comes; those that
 * come while it is being written are then written together, in one transaction: which costs less, and holds none back.
 */
export class BlockQueue {
  readonly #writer: Writer;
  readonly #source: string;
  readonly #signal: AbortSignal;
  readonly #onWritten: (block: PreparedBlock) => void;
  readonly #onFailure: (error: unknown) => void;
  #waiting: PreparedBlock[] = [];
  #size = 0;
  /** Ends with what is being written, and then with all. */
  #inHand: Promise<void> = Promise.resolve();
  #writing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(
    writer: Writer,
    options: {
      /** What the blocks are of, as its errors name it. */
      readonly source: string;
      /** When it is aborted what is being written is finished, and nothing else is begun. */
      readonly signal: AbortSignal;
      readonly onWritten: (block: PreparedBlock) => void;
      readonly onFailure: (error: unknown) => void;
    },
  ) {
    this.#writer = writer;
    this.#source = options.source;
    this.#signal = options.signal;
    this.#onWritten = options.onWritten;
    this.#onFailure = options.onFailure;
  }

  add(block: PreparedBlock): void {
    this.#waiting.push(block);
    this.#size += block.size;
    if (this.#writing !== null) this.#writer.announce(block);
    this.#writing ??= this.#writeAll();
  }

  /** Waits until there is room for another block. Throws what writing threw, and the signal's reason. */
  async room(): Promise<void> {
    while (true) {
      if (this.#failure !== null) throw this.#failure.error;
      this.#signal.throwIfAborted();
      if (this.#waiting.length < MOST_BLOCKS && this.#size < MOST_ROWS) return;
      await this.#inHand.catch(() => undefined);
    }
  }

  /** Waits until all is written, or as much as is to be after an abort. Throws what writing threw. */
  async drain(): Promise<void> {
    await this.#writing;
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && !this.#signal.aborted) {
        const blocks = this.#waiting;
        this.#waiting = [];
        this.#size = 0;
        this.#inHand = this.#write(blocks);
        await this.#inHand;
      }
    } catch (error) {
      this.#failure = { error };
      this.#onFailure(error);
    }
    this.#writing = null;
  }

  /** Throws a RefusedBlockError where the database refuses what a block holds: the same block is refused however often it is tried. */
  async #write(blocks: readonly PreparedBlock[]): Promise<void> {
    let written = 0;
    const onWritten = (block: PreparedBlock) => {
      written += 1;
      this.#onWritten(block);
    };
    try {
      await this.#writer.writePrepared(blocks, onWritten);
    } catch (error) {
      const refused = blocks[written];
      if (refused === undefined || !isOfOneBlock(error)) throw error;
      const { height } = refused.block;
      const place = `${this.#source}, block ${height}`;
      const fault = { place, height: Number(height), reason: describeFault(error), event: null };
      throw new RefusedBlockError(fault, { cause: error });
    }
  }
}
