import type { SkippedEvent } from '../data/writing/hold-ups.ts';
import { positionWithin } from '../domain/positions.ts';
import { type EventSource, FaultError, type KeptEvent, type SourceEvent } from './events.ts';

/**
 * One block as it is applied: in one transaction, or not at all. Every event takes an index in its block's
 * order, the block's begin and end too, and so do the kinds that are not kept; `events` holds the kept ones.
 */
export interface SourceBlock {
  readonly height: number;
  /** Nanoseconds since the epoch. */
  readonly timestamp: bigint;
  readonly hash: string;
  /** The index of the block's begin: 0, or where the block before it stopped if that had the same height. */
  readonly firstIndex: number;
  /** The index of the block's end. */
  readonly lastIndex: number;
  readonly events: readonly { readonly index: number; readonly event: KeptEvent }[];
  /** The kinds of the events that are not kept, each as often as it comes. */
  readonly passedOver: readonly number[];
  /** The fields that no known release has, as `Market.25`, each as often as it comes. */
  readonly unknownFields: readonly string[];
  /** The events that were passed over as damaged. */
  readonly skipped: readonly SkippedEvent[];
}

/** A block that a source had begun when it ended. */
export interface UnfinishedBlock {
  readonly height: number;
  /** Where it begins in the source. */
  readonly at: string;
}

/**
 * The whole blocks of a source, in order: heights rise by one from whatever the source begins with, and a
 * height that begins again continues its indexes. Throws a FaultError that names the source and the place
 * when events stand outside a block, or blocks overlap or are missing, and names the block in those that the source throws;
 * every whole block before the fault was yielded. Throws the signal's reason when it is aborted.
 *
 * A source that ends within a block is no fault: a core node may still be writing it. `onUnfinished` is called then.
 */
export async function* readBlocks(
  source: EventSource,
  signal: AbortSignal,
  onUnfinished: (block: UnfinishedBlock) => void = () => undefined,
): AsyncGenerator<SourceBlock, void> {
  const builder = new BlockBuilder(source.name);
  try {
    for await (const event of source.events(signal)) {
      const block = builder.take(event);
      if (block !== null) yield block;
    }
  } catch (error) {
    throw error instanceof FaultError ? error.inBlock(builder.height) : error;
  }
  signal.throwIfAborted();
  const { open } = builder;
  if (open) onUnfinished({ height: open.height, at: open.at });
}

/** Puts events together, one after the other. */
class BlockBuilder {
  readonly #name: string;
  #last: SourceBlock | null = null;
  /** The block that has begun and not ended. */
  open: OpenBlock | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  /** The block in hand, or the one that should come next; null before the first. */
  get height(): number | null {
    if (this.open !== null) return this.open.height;
    return this.#last === null ? null : this.#last.height + 1;
  }

  /** Gives the block that an event ends, if it ends one. */
  take({ event, at, unknownFields }: SourceEvent): SourceBlock | null {
    const fail = (reason: string) =>
      new FaultError({ place: `${this.#name}, ${at}`, height: null, reason, event: null });
    if (event.type === 'beginBlock') {
      if (this.open) throw fail(`block ${event.height} begins within block ${this.open.height}`);
      const complaint = this.#last && faultBetween(this.#last.height, event.height);
      if (complaint) throw fail(complaint);
      const firstIndex = this.#last?.height === event.height ? this.#last.lastIndex + 1 : 0;
      const { height, timestamp, hash } = event;
      this.open = {
        height,
        timestamp,
        hash,
        firstIndex,
        lastIndex: firstIndex,
        events: [],
        passedOver: [],
        unknownFields: [],
        skipped: [],
        at,
      };
    } else if (event.type === 'upgradeStarted') {
      if (this.open) throw fail(`an upgrade starts within block ${this.open.height}`);
      return null;
    } else if (!this.open) {
      throw fail(`an event (${event.type}) stands outside any block`);
    } else {
      this.open.lastIndex += 1;
    }
    const { open } = this;
    const position = positionWithin(open.height, open.lastIndex);
    if (position === null) {
      throw fail(`block ${open.height}, event ${open.lastIndex} is beyond what positions can hold`);
    }
    for (const field of unknownFields ?? []) open.unknownFields.push(field);
    if (event.type === 'endBlock') {
      if (event.height !== 0 && event.height !== open.height) {
        throw fail(`block ${open.height} ends as block ${event.height}`);
      }
      this.#last = close(open);
      this.open = null;
      return this.#last;
    }
    if (event.type === 'skipped') {
      open.skipped.push({ position, kind: event.kind, reason: event.reason });
    } else if (event.type === 'other') {
      open.passedOver.push(event.kind);
    } else if (event.type === 'several') {
      for (const one of event.events) open.events.push({ index: open.lastIndex, event: one });
    } else if (event.type !== 'beginBlock') {
      open.events.push({ index: open.lastIndex, event });
    }
    return null;
  }
}

interface OpenBlock {
  readonly height: number;
  readonly timestamp: bigint;
  readonly hash: string;
  readonly firstIndex: number;
  lastIndex: number;
  readonly events: { index: number; event: KeptEvent }[];
  readonly passedOver: number[];
  readonly unknownFields: string[];
  readonly skipped: SkippedEvent[];
  readonly at: string;
}

function close({ at, ...block }: OpenBlock): SourceBlock {
  return block;
}

function faultBetween(last: number, height: number): string | null {
  if (height < last) return `block ${height} follows block ${last}: heights must not fall`;
  if (height > last + 1) return `block ${height} follows block ${last}: blocks are missing between them`;
  return null;
}
