import { setTimeout as sleep } from 'node:timers/promises';
import type { Writer } from '../data/writer.ts';
import { heightOf, positionOf } from '../domain/positions.ts';
import { type Block, readBlocks, type UnfinishedBlock } from './blocks.ts';
import { collectChanges } from './collect-changes.ts';
import { type EventSource, IngestError } from './events.ts';

/** How fast blocks are applied: as they come, at the pace of their own times, or this many a second. */
export type Pace = 'max' | 'realtime' | number;

/** Timers take no more; a longer one would fire at once. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

export interface IngestSummary {
  /** How many blocks of the source were applied, and how many the database held already. */
  readonly applied: number;
  readonly skipped: number;
  /** The events within the blocks applied, those that the gateway does not keep included. */
  readonly events: number;
  /** The block within which the source ended, which is left out; null where it ended with a whole one. */
  readonly unfinished: UnfinishedBlock | null;
}

/** What came of an ingest before its first block. */
export const NOTHING_APPLIED: IngestSummary = { applied: 0, skipped: 0, events: 0, unfinished: null };

/**
 * Applies a source's blocks in their order, one transaction each, going on where the database stands. Ends with
 * the source; on abort after the block in hand. Throws what the source and the database throw; every block
 * before that is kept.
 */
export async function applySource(
  source: EventSource,
  writer: Writer,
  options: {
    readonly pace: Pace;
    readonly signal: AbortSignal;
    readonly onBlock?: (summary: IngestSummary) => void;
  },
): Promise<IngestSummary> {
  const { pace, signal, onBlock } = options;
  await writer.claimNetwork(source.chainId);
  const waitForTurn = createPacer(pace, signal);
  let summary = NOTHING_APPLIED;
  const onUnfinished = (unfinished: UnfinishedBlock) => {
    summary = { ...summary, unfinished };
  };
  let before: bigint | null = null;
  try {
    for await (const block of readBlocks(source, signal, onUnfinished)) {
      const known = await isApplied(source, block, before, writer);
      before = endOf(block);
      if (known) {
        summary = { ...summary, skipped: summary.skipped + 1 };
      } else {
        await waitForTurn(block);
        await applyBlock(block, writer);
        const events = block.lastIndex - block.firstIndex + 1;
        summary = { ...summary, applied: summary.applied + 1, events: summary.events + events };
      }
      onBlock?.(summary);
    }
  } catch (error) {
    if (!isAbort(error, signal)) throw error;
  }
  return summary;
}

/** A fault that happens to come while the ingest is being stopped is a fault still. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === 'AbortError';
}

async function applyBlock(block: Block, writer: Writer): Promise<void> {
  const { height, hash, timestamp } = block;
  const row = { height: BigInt(height), hash, timestamp, lastPosition: endOf(block) };
  await writer.write(row, collectChanges(block));
}

function endOf({ height, lastIndex }: Block): bigint {
  return BigInt(positionOf(height, lastIndex));
}

/**
 * Tells whether the database holds a block already; throws where the block, or the source's block before, cannot be of
 * what it holds. `before` is where that one ended, if there was one.
 */
async function isApplied(
  source: EventSource,
  block: Block,
  before: bigint | null,
  writer: Writer,
): Promise<boolean> {
  const { lastBlock } = writer;
  if (lastBlock === null) return false;
  const fail = (complaint: string) => new IngestError(`${source.name}: ${complaint}`);
  const { height, hash, timestamp } = block;
  const lastHeight = Number(lastBlock.height);
  const find = (at: number) => (at === lastHeight ? lastBlock : writer.findBlock(BigInt(at)));

  const heightBefore = before === null ? height : heightOf(Number(before));
  if (before !== null && heightBefore < height && heightBefore <= lastHeight) {
    const held = await find(heightBefore);
    if (held !== undefined && before < held.lastPosition) {
      throw fail(
        `block ${heightBefore} holds fewer events than the one that was applied: not the same chain`,
      );
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
    const begin = BigInt(positionOf(height, block.firstIndex));
    const end = endOf(block);
    if (end > held.lastPosition && (begin <= held.lastPosition || height < lastHeight)) {
      throw fail(`block ${height} holds more events than the one that was applied: not the same chain`);
    }
    // A height can begin again under another hash, of which the database holds the last.
    if (end === held.lastPosition && hash !== held.hash) {
      throw fail(`block ${height} has hash ${hash}, the database holds ${held.hash}: not the same chain`);
    }
    if (end === held.lastPosition && timestamp !== held.timestamp) {
      throw fail(
        `block ${height} is of the time ${timestamp}, in the database of ${held.timestamp}: not the same chain`,
      );
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

/** Waits until a block is due, counted from the first block that is applied. */
function createPacer(pace: Pace, signal: AbortSignal): (block: Block) => Promise<void> {
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
