import type { Readable } from 'node:stream';
import { type ByteFile, openByteFile } from '../bytes.ts';
import { IngestError } from '../events.ts';
import { openGrowingFile } from '../follow.ts';
import { FrameError, RecordCutter } from '../frames.ts';
import { openRawLines } from '../ndjson.ts';
import { type EventHead, readHead } from '../socket/envelope.ts';
import type { BlockFeed } from './feed.ts';
import { SentBlockBuilder } from './sent-blocks.ts';

/**
 * The whole blocks of a file: a recorded one, plain or gzip, or one of lines of JSON, which its first byte tells apart; by the
 * path `-` lines of standard input. With `follows` a recorded one goes on with what is added to it, until it is stopped.
 */
export async function openFileFeed(
  path: string,
  options: {
    readonly follows: boolean;
    readonly standardInput: Readable;
    readonly signal: AbortSignal;
    readonly onWaiting: () => void;
  },
): Promise<BlockFeed> {
  const { follows, standardInput, signal } = options;
  if (follows) return recordedFeed(await openGrowingFile(path, options));
  if (path === '-') return linesFeed(path, standardInput, signal);
  const file = await openByteFile(path);
  return (await isRecorded(file)) ? recordedFeed(file) : linesFeed(path, standardInput, signal);
}

/** The length of a record begins with a byte of 0, as none has 16 MiB; no line does. */
async function isRecorded(file: ByteFile): Promise<boolean> {
  for await (const chunk of file.chunks()) {
    if (chunk.length > 0) return (chunk[0] ?? 0) <= 1;
  }
  throw new IngestError(`${file.name} is empty`);
}

/** What is read again from its beginning, each time. */
const FROM_A_FILE = { settle: () => undefined, leave: () => false } as const;

function recordedFeed(file: ByteFile): BlockFeed {
  return {
    ...FROM_A_FILE,
    name: file.name,
    async *blocks(signal) {
      const cutter = new RecordCutter();
      let builder: SentBlockBuilder | null = null;
      try {
        for await (const chunk of file.chunks(signal)) {
          for (const { offset, payload } of cutter.cut(chunk)) {
            const at = `byte ${offset}`;
            const head = readHeadAt(file, at, payload);
            builder ??= new SentBlockBuilder(file.name, head.chainId, 'events');
            const block = builder.takeEvent(head, payload, at);
            if (block !== null) yield block;
          }
        }
        cutter.end();
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        throw new IngestError(`${file.name}, byte ${error.offset}: ${error.message}`, { cause: error });
      }
    },
  };
}

function readHeadAt({ name }: ByteFile, at: string, payload: Uint8Array): EventHead {
  try {
    return readHead(payload);
  } catch (error) {
    throw new IngestError(`${name}, ${at}: ${(error as Error).message}`, { cause: error });
  }
}

/** A block has the lines from its own on, up to that of the next, or to the end. */
async function linesFeed(path: string, standardInput: Readable, signal: AbortSignal): Promise<BlockFeed> {
  const source = await openRawLines(path, standardInput, signal);
  const { name, chainId } = source;
  return {
    ...FROM_A_FILE,
    name,
    async *blocks(signal) {
      const builder = new SentBlockBuilder(name, chainId, 'lines');
      let at = '';
      for await (const { number, text, begins } of source.lines(signal)) {
        if (begins !== null && builder.isOpen) yield endAt(builder, at);
        at = `line ${number}`;
        if (begins === null) builder.advance(at);
        else builder.begin(begins, at);
        builder.hold(Buffer.from(`${text}\n`), at);
      }
      if (builder.isOpen) yield endAt(builder, at);
    },
  };
}

/** No line stands for the end of a block, which takes its place in the block's order nevertheless. */
function endAt(builder: SentBlockBuilder, at: string) {
  builder.advance(at);
  return builder.end(at);
}
