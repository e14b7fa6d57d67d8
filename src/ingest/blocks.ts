import { positionOf } from '../domain/positions.ts';
import { type EventSource, IngestError, type KeptEvent } from './events.ts';

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
}

/** A block that a source had begun when it ended. */
export interface UnfinishedBlock {
  readonly height: number;
  /** Where it begins in the source. */
  readonly at: string;
}

/**
 * The whole blocks of a source, in order: heights rise by one from whatever the source begins with, and a
 * height that begins again continues its indexes. Throws an IngestError that names the source and the place
 * when events stand outside a block, or blocks overlap or are missing; every whole block before the fault was
 * yielded. Throws the signal's reason when it is aborted.
 *
 * A source that ends within a block is no fault: a core node may still be writing it. `onUnfinished` is called then.
 */
export async function* readBlocks(
  source: EventSource,
  signal: AbortSignal,
  onUnfinished: (block: UnfinishedBlock) => void = () => undefined,
): AsyncGenerator<SourceBlock, void> {
  let open: OpenBlock | null = null;
  let last: SourceBlock | null = null;
  for await (const { event, at, unknownFields } of source.events(signal)) {
    const fail = (complaint: string) => new IngestError(`${source.name}, ${at}: ${complaint}`);
    if (event.type === 'beginBlock') {
      if (open) throw fail(`block ${event.height} begins within block ${open.height}`);
      const complaint = last && faultBetween(last.height, event.height);
      if (complaint) throw fail(complaint);
      const firstIndex: number = last?.height === event.height ? last.lastIndex + 1 : 0;
      const { height, timestamp, hash } = event;
      open = {
        height,
        timestamp,
        hash,
        firstIndex,
        lastIndex: firstIndex,
        events: [],
        passedOver: [],
        unknownFields: [],
        at,
      };
    } else if (event.type === 'upgradeStarted') {
      if (open) throw fail(`an upgrade starts within block ${open.height}`);
      continue;
    } else if (!open) {
      throw fail(`an event (${event.type}) stands outside any block`);
    } else {
      open.lastIndex += 1;
    }
    if (!hasPositions(open)) {
      throw fail(`block ${open.height}, event ${open.lastIndex} is beyond what positions can hold`);
    }
    if (unknownFields !== undefined) open.unknownFields.push(...unknownFields);
    if (event.type === 'endBlock') {
      if (event.height !== 0 && event.height !== open.height) {
        throw fail(`block ${open.height} ends as block ${event.height}`);
      }
      last = close(open);
      open = null;
      yield last;
    } else if (event.type === 'other') {
      open.passedOver.push(event.kind);
    } else if (event.type !== 'beginBlock') {
      open.events.push({ index: open.lastIndex, event });
    }
  }
  signal.throwIfAborted();
  if (open) onUnfinished({ height: open.height, at: open.at });
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

function hasPositions({ height, lastIndex }: OpenBlock): boolean {
  try {
    positionOf(height, lastIndex);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
