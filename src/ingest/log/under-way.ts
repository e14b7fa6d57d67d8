import { type BlockLog, countChunks, type LogEnd } from './block-log.ts';
import type { ChunkHead } from './block-message.ts';
import type { SentBlock } from './sent-blocks.ts';
import { standingBehind } from './standing.ts';

/** What may be under way at a time. */
const MOST_BLOCKS = 64;
const MOST_BYTES = 8 * 2 ** 20;

/** How a block that was sent has fared: why it is not stored, or null where it is. */
type Outcome = Error | null;

/** Blocks that were sent to a log and that it has not confirmed yet, in their order; all follow each other. */
export class UnderWay {
  readonly #log: BlockLog;
  readonly #relay: string;
  readonly #chunkSize: number;
  readonly #sent: { readonly bytes: number; readonly outcome: Promise<Outcome>; readonly end: LogEnd }[] = [];
  #bytes = 0;
  /** The end of the log once all of them are stored. */
  #end: LogEnd;

  /** Begins behind the end of a log. */
  constructor(log: BlockLog, relay: string, end: LogEnd) {
    this.#log = log;
    this.#relay = relay;
    this.#chunkSize = log.chunkSize;
    this.#end = end;
  }

  get length(): number {
    return this.#sent.length;
  }

  get hasRoom(): boolean {
    return this.#sent.length < MOST_BLOCKS && this.#bytes < MOST_BYTES;
  }

  /** What becomes of the first; undefined where there is none. Never rejects. */
  get first(): Promise<Outcome> | undefined {
    return this.#sent[0]?.outcome;
  }

  /** Takes the first out, which is stored; gives where the log ends with it. */
  shift(): LogEnd {
    const first = this.#sent.shift();
    this.#bytes -= first?.bytes ?? 0;
    return first?.end ?? this.#end;
  }

  /** Resolves when nothing is known to be on its way any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#sent.map(({ outcome }) => outcome));
  }

  /** Sends a block behind the others, unless the log has it already. Gives whether it follows them. */
  send(block: SentBlock): boolean {
    const standing = standingBehind(this.#end.chunk, block);
    if (standing === 'held') this.#add(0, Promise.resolve(null));
    if (standing === 'next') this.#publish(block);
    return standing === 'held' || standing === 'next';
  }

  #publish(block: SentBlock): void {
    const { sequence, chunk } = this.#end;
    const chunks = countChunks(block, this.#chunkSize);
    // What another relay has begun with the same chunks is only ended.
    const from = isBegunWith(chunk, block, chunks) ? chunk.chunk + 1 : 0;
    const { chainId, format, first, last, digest } = block;
    this.#end = {
      sequence: sequence + chunks - from,
      chunk: { chainId, format, first, last, digest, chunk: chunks - 1, chunks, relay: this.#relay },
    };
    const stored = this.#log.publish(block, {
      after: sequence,
      from,
      size: this.#chunkSize,
      relay: this.#relay,
    });
    this.#add(
      block.payload.length,
      stored.then(
        () => null,
        (error: Error) => error,
      ),
    );
  }

  #add(bytes: number, outcome: Promise<Outcome>): void {
    this.#sent.push({ bytes, outcome, end: this.#end });
    this.#bytes += bytes;
  }
}

function isBegunWith(end: ChunkHead | null, block: SentBlock, chunks: number): end is ChunkHead {
  return (
    end !== null &&
    end.chunk < end.chunks - 1 &&
    end.first === block.first &&
    end.digest === block.digest &&
    end.chunks === chunks
  );
}
