import { setTimeout as sleep } from 'node:timers/promises';
import type { SkippedEvent } from '../data/writing/hold-ups.ts';
import type { NewBlock, PreparedBlock } from '../data/writing/prepared-block.ts';
import type { Writer } from '../data/writing/writer.ts';
import { heightOf, positionOf } from '../domain/positions.ts';
import { BlockQueue } from './block-queue.ts';
import { readBlocks, type SourceBlock, type UnfinishedBlock } from './blocks.ts';
import { collectChanges } from './collect-changes.ts';
import { type EventSource, IngestError } from './events.ts';
import { type BlockUnknowns, findUnknowns } from './unknowns.ts';

/** How fast blocks are applied: as they come, at the pace of their own times, or this many a second. */
export type Pace = 'max' | 'realtime' | number;

const OTHER_CHAIN = 'not the same chain (docs/running.md says how to start again)';

/** Timers take no more; a longer one would fire at once. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

export interface IngestSummary {
  /** How many blocks of the source were applied, and how many the database held already. */
  readonly applied: number;
  readonly skipped: number;
  /** The events of the blocks applied as the source has them, those that the gateway does not keep included. */
  readonly events: number;
  /** How many of these were passed over as damaged. */
  readonly skippedEvents: number;
  /** The block within which the source ended, which is left out; null where it ended with a whole one. */
  readonly unfinished: UnfinishedBlock | null;
}

/** What came of an ingest before its first block. */
export const NOTHING_APPLIED: IngestSummary = {
  applied: 0,
  skipped: 0,
  events: 0,
  skippedEvents: 0,
  unfinished: null,
};

/**
 * Applies a source's blocks in their order, none in part, going on where the database stands. While some are being written
 * the next are read and made ready, where the source allows it, and then written together. Ends with the source; on abort
 * after what is in hand. Throws what the source and the database throw, and a RefusedBlockError at a block that the database refuses for
 * what it holds; every block before that is kept.
 */
export async function applySource(
  source: EventSource,
  writer: Writer,
  options: {
    readonly pace: Pace;
    readonly signal: AbortSignal;
    readonly onBlock?: (summary: IngestSummary) => void;
    /** Told of each block that is applied, before `onBlock`. */
    readonly onUnknowns?: (unknowns: BlockUnknowns) => void;
    /** Called for each block that was applied without some of its events. */
    readonly onSkipped?: (skipped: readonly SkippedEvent[], height: bigint) => void;
  },
): Promise<IngestSummary> {
  const { pace, signal, onBlock, onUnknowns, onSkipped } = options;
  await writer.claimNetwork(source.chainId);
  const failing = new AbortController();
  // Whoever waits, for a source or for the time of a block, is to hear of a failure too.
  const either = AbortSignal.any([signal, failing.signal]);
  const waitForTurn = createPacer(pace, either);
  let summary = NOTHING_APPLIED;
  const onUnfinished = (unfinished: UnfinishedBlock) => {
    summary = { ...summary, unfinished };
  };
  const sources = new WeakMap<PreparedBlock, MadeReady>();
  const onWritten = (block: PreparedBlock) => {
    const source = sources.get(block);
    summary = {
      ...summary,
      applied: summary.applied + 1,
      events: summary.events + (source?.events ?? 0),
      skippedEvents: summary.skippedEvents + block.skipped.length,
    };
    if (source !== undefined) onUnknowns?.(source.unknowns);
    if (block.skipped.length > 0) onSkipped?.(block.skipped, block.block.height);
    onBlock?.(summary);
  };
  const onFailure = (error: unknown) => failing.abort(error);
  const queue = new BlockQueue(writer, { source: source.name, signal, onWritten, onFailure });
  try {
    let last: SourceBlock | null = null;
    /** The last block that the database holds, or will. */
    let lastBlock: NewBlock | null = writer.lastBlock;
    let known = true;
    for await (const block of readBlocks(source, either, onUnfinished)) {
      // Blocks that are there already are not made ready; behind one that is not, none is.
      const ready = known ? null : prepare(block, writer);
      await queue.room();
      known = await isApplied(source, block, last && endOf(last), lastBlock, writer);
      last = block;
      if (known) {
        summary = { ...summary, skipped: summary.skipped + 1 };
        onBlock?.(summary);
        continue;
      }
      await waitForTurn(block);
      const { prepared, unknowns } = ready ?? prepare(block, writer);
      sources.set(prepared, { events: countEvents(source, block), unknowns });
      lastBlock = prepared.block;
      queue.add(prepared);
      if (source.needsAllApplied) await queue.drain();
    }
    await queue.drain();
    if (last && known) await checkLast(source, last, writer);
  } catch (error) {
    // What became of the blocks before comes first: the source may only have been told to stop for them.
    await queue.drain();
    if (!isAbort(error, signal)) throw error;
  }
  return summary;
}

/** A fault that happens to come while the ingest is being stopped is a fault still. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === 'AbortError';
}

/** What is told of a block once it is written. */
interface MadeReady {
  readonly events: number;
  readonly unknowns: BlockUnknowns;
}

function prepare(block: SourceBlock, writer: Writer) {
  const { height, hash, timestamp } = block;
  const row = { height: BigInt(height), hash, timestamp, lastPosition: endOf(block) };
  const unknowns = findUnknowns(block);
  const notes = { unknown: unknowns.numbers, skipped: block.skipped };
  return { prepared: writer.prepare(row, collectChanges(block), notes), unknowns };
}

function countEvents({ boundariesImplied }: EventSource, { firstIndex, lastIndex }: SourceBlock): number {
  return lastIndex - firstIndex + (boundariesImplied ? -1 : 1);
}

function endOf({ height, lastIndex }: SourceBlock): bigint {
  return positionOf(height, lastIndex);
}

/**
 * Whether the database holds a block already; throws where the block, or the source's block before, cannot be of
 * what it holds. `before` is where that one ended, if there was one; `lastBlock` is the last that it holds, those included
 * that are being written.
 */
async function isApplied(
  source: EventSource,
  block: SourceBlock,
  before: bigint | null,
  lastBlock: NewBlock | null,
  writer: Writer,
): Promise<boolean> {
  if (lastBlock === null) return false;
  const fail = (complaint: string) => new IngestError(`${source.name}: ${complaint}`);
  const { height, hash, timestamp } = block;
  const lastHeight = Number(lastBlock.height);
  const find = (at: number) => (at === lastHeight ? lastBlock : writer.findBlock(BigInt(at)));

  const heightBefore = before === null ? height : Number(heightOf(before));
  if (before !== null && heightBefore < height && heightBefore <= lastHeight) {
    const held = await find(heightBefore);
    if (held !== undefined && before < held.lastPosition) {
      throw fail(`block ${heightBefore} holds fewer events than the one that was applied: ${OTHER_CHAIN}`);
    }
  }
  if (height > lastHeight + 1) {
    throw fail(
      `begins with block ${height}, yet the database ends with block ${lastHeight}: blocks are missing`,
    );
  }
  if (height <= lastHeight) {
    const held = await find(height);
    if (held === undefined) throw fail(`block ${height} is older than the first block of the database`);
    const begin = positionOf(height, block.firstIndex);
    const end = endOf(block);
    if (end > held.lastPosition && (begin <= held.lastPosition || height < lastHeight)) {
      throw fail(`block ${height} holds more events than the one that was applied: ${OTHER_CHAIN}`);
    }
    // A height can begin again under another hash, of which the database holds the last.
    if (end === held.lastPosition && hash !== held.hash) {
      throw fail(`block ${height} has hash ${hash}, the database holds ${held.hash}: ${OTHER_CHAIN}`);
    }
    if (end === held.lastPosition && timestamp !== held.timestamp) {
      throw fail(describeOtherTime(block, held.timestamp));
    }
    if (end <= held.lastPosition) return true;
  }
  if (timestamp < lastBlock.timestamp) {
    throw fail(
      `block ${height} is of the time ${timestamp}, before that of block ${lastHeight}, ${lastBlock.timestamp}: times must not fall`,
    );
  }
  return false;
}

/**
 * A block of fewer events than the database holds of its height can be the first of two with that height, as which it
 * was passed. Both have one time. Throws where the source ends with a block that cannot be that.
 */
async function checkLast(source: EventSource, block: SourceBlock, writer: Writer): Promise<void> {
  const held = await writer.findBlock(BigInt(block.height));
  if (held !== undefined && endOf(block) < held.lastPosition && block.timestamp !== held.timestamp) {
    throw new IngestError(`${source.name}: ${describeOtherTime(block, held.timestamp)}`);
  }
}

function describeOtherTime({ height, timestamp }: SourceBlock, held: bigint): string {
  return `block ${height} is of the time ${timestamp}, in the database of ${held}: ${OTHER_CHAIN}`;
}

/** Waits until a block is due, counted from the first block that is applied. */
function createPacer(pace: Pace, signal: AbortSignal): (block: SourceBlock) => Promise<void> {
  if (pace === 'max') return async () => {};
  let start: { readonly at: number; readonly timestamp: bigint } | null = null;
  let count = 0;
  return async (block) => {
    start ??= { at: performance.now(), timestamp: block.timestamp };
    const due =
      pace === 'realtime'
        ? Number((block.timestamp - start.timestamp) / 1_000_000n)
        : (count++ * 1000) / pace;
    const end = start.at + due;
    for (let wait = end - performance.now(); wait > 0; wait = end - performance.now()) {
      await sleep(Math.min(wait, LONGEST_SLEEP_MS), undefined, { signal });
    }
  };
}
