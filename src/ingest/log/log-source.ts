import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { heightOf, positionsOf } from '../../domain/positions.ts';
import { type DecodeEvent, decodeEvent } from '../decode.ts';
import { EventError } from '../event-faults.ts';
import { type EventSource, FaultError, type SourceEvent } from '../events.ts';
import { FrameError, RecordCutter } from '../frames.ts';
import { readBlockLines } from '../ndjson.ts';
import { skippingDamaged } from '../skip-damaged.ts';
import { BlockAssembler, type ReadBlock } from './assemble.ts';
import type { BlockLog } from './block-log.ts';
import { readChunkHead } from './block-message.ts';
import { findStart, type LogStart } from './find-start.ts';
import { readMessages } from './read-messages.ts';
import { standingBehindBlock } from './standing.ts';

export interface LogSourceOptions {
  readonly log: BlockLog;
  /** The position of the last event that the database has; null where it has none. */
  readonly newest: bigint | null;
  readonly skipsDamaged: boolean;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Throws where the database takes no blocks of a chain. */
  readonly checkChain: (chainId: string) => Promise<void>;
  /** Called once where the log has nothing yet that the database could take. */
  readonly onWaiting: () => void;
  /** Called with the reason where the log cannot be read any more, and with null once it can be again. */
  readonly onAway: (reason: string | null) => void;
  /** Called with the bytes of each block that is read. */
  readonly onRead: (bytes: number) => void;
}

const LOOK_EVERY_MS = 1_000;

/**
 * The blocks of a log from the newest of a database on, each once and whole, as they come. Waits for the first. Throws an
 * IngestError where the log begins behind what the database needs next, and what `checkChain` throws of the chain of the log.
 */
export async function openLogSource(options: LogSourceOptions): Promise<EventSource> {
  const { log, checkChain, signal, onWaiting } = options;
  const newest = options.newest === null ? null : heightOf(options.newest);
  let isChecked = false;
  const find = async () => {
    const found = await findStart(log, newest);
    // The log of another network may never come as far as the database is.
    const chunk = found?.chunk ?? (isChecked ? null : await log.findAnyChunk());
    if (chunk !== null) await checkChain(chunk.head.chainId);
    isChecked ||= chunk !== null;
    return found;
  };
  let start = await find();
  // A block that the database has is read once more, and the next one waited for.
  const isAtEnd = newest !== null && (await findStart(log, newest + 1n)) === null;
  if (start === null || isAtEnd) onWaiting();
  while (start === null) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    start = await find();
  }
  const begin = start;
  let blocks = 0;
  return {
    name: `the ${log.name}`,
    chainId: begin.chunk.head.chainId,
    progress: () => ({ done: blocks, total: null, unit: 'blocks' }),
    async *events(signal) {
      for await (const block of readBlocks(begin, options, signal)) {
        blocks += 1;
        options.onRead(block.payload.length);
        yield* readEvents(block, options, signal);
      }
    },
  };
}

/** Whole blocks, none twice and none missing between two. */
async function* readBlocks(
  start: LogStart,
  { log, logger, onAway }: LogSourceOptions,
  signal: AbortSignal,
): AsyncGenerator<ReadBlock, void> {
  const { chainId } = start.chunk.head;
  const assembler = new BlockAssembler();
  let last: ReadBlock | null = null;
  /** Why a message was passed over, as it may be the block that is missing. */
  let strange = '';
  for await (const message of readMessages(log, start.sequence, { signal, logger, onAway })) {
    const fail = (reason: string) =>
      new FaultError({ place: `the ${log.name}, message ${message.seq}`, height: null, reason, event: null });
    const head = readChunkHead(message.headers);
    const block = typeof head === 'string' ? head : assembler.take(head, message.data, message.seq);
    if (block === null) continue;
    if (typeof block === 'string') {
      strange = `; message ${message.seq} was passed over: ${block}`;
      logger.warn({ message: message.seq, reason: block }, `passed over a message of the ${log.name}`);
      continue;
    }
    if (block.chainId !== chainId)
      throw fail(`a block of chain ${block.chainId} in a log of chain ${chainId}`);
    const height = heightOf(block.first);
    if (last === null && block.first !== positionsOf(height).first)
      throw fail(`the log begins within block ${height}: the first part of it has passed its retention`);
    const standing = last === null ? 'next' : standingBehindBlock(last, block);
    if (standing === 'held') continue;
    if (standing === 'conflict')
      throw fail(`block ${height} is not the one that the log has already${strange}`);
    if (standing === 'gap') {
      const before = last === null ? null : heightOf(last.last);
      throw fail(`block ${height} follows block ${before}: blocks are missing between them${strange}`);
    }
    last = block;
    strange = '';
    yield block;
  }
}

function readEvents(
  block: ReadBlock,
  { log, newest, ...options }: LogSourceOptions,
  signal: AbortSignal,
): AsyncIterable<SourceEvent> | Iterable<SourceEvent> {
  // What the database has holds nothing up any more.
  const skipsDamaged = options.skipsDamaged || (newest !== null && block.last <= newest);
  const name = `the ${log.name}, message ${block.sequence}`;
  if (block.format === 'lines') return readBlockLines(name, block.payload, { skipsDamaged, signal });
  return readBlockEvents(name, block, skipsDamaged ? skippingDamaged(decodeEvent) : decodeEvent);
}

function* readBlockEvents(name: string, block: ReadBlock, decode: DecodeEvent): Generator<SourceEvent, void> {
  const height = Number(heightOf(block.first));
  const fail = (at: string, reason: string, cause?: unknown) => {
    const event = cause instanceof EventError ? cause.fault : null;
    return new FaultError({ place: `${name}, ${at}`, height, reason, event }, { cause });
  };
  const cutter = new RecordCutter();
  try {
    for (const { offset, payload } of cutter.cut(block.payload)) {
      const at = `byte ${offset}`;
      const { chainId, event, unknownFields } = decodeAt(payload, decode, (error) =>
        fail(at, error.message, error),
      );
      if (chainId !== block.chainId)
        throw fail(at, `an event of chain ${chainId} in a block of chain ${block.chainId}`);
      yield { event, at: `message ${block.sequence}, ${at}`, unknownFields };
    }
    cutter.end();
  } catch (error) {
    throw error instanceof FrameError ? fail(`byte ${error.offset}`, error.message, error) : error;
  }
}

function decodeAt(payload: Uint8Array, decode: DecodeEvent, explain: (error: EventError) => FaultError) {
  try {
    return decode(payload);
  } catch (error) {
    throw error instanceof EventError ? explain(error) : error;
  }
}
