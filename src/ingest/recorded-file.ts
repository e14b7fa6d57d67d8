import { type ByteFile, openByteFile } from './bytes.ts';
import { type DecodedEvent, decodeEvent } from './decode.ts';
import { type EventSource, IngestError, type SourceEvent } from './events.ts';
import { FrameError, RecordCutter } from './frames.ts';

/**
 * A file of events as a core node of the network writes it (or a data node's buffer), plain or gzip, with or
 * without sequence numbers. Reads as much as the first event, for the chain; throws an IngestError when that is
 * not there. The events begin with the first block: what stands before it belongs to a block that is not here.
 */
export async function openRecordedFile(path: string): Promise<EventSource> {
  return openRecording(await openByteFile(path));
}

/** The same of bytes that are had already. Waits, where the bytes do, for the first event, until it is aborted. */
export async function openRecording(file: ByteFile, signal?: AbortSignal): Promise<EventSource> {
  const chainId = await readChainId(file, signal);
  return {
    name: file.name,
    chainId,
    events: (signal) => readEvents(file, chainId, signal),
    progress: () => file.progress(),
  };
}

async function readChainId(file: ByteFile, signal: AbortSignal | undefined): Promise<string> {
  for await (const records of decodeRecords(file, signal)) for (const { chainId } of records) return chainId;
  throw new IngestError(`${file.name}, byte 0: the file is empty`);
}

async function* readEvents(
  file: ByteFile,
  chainId: string,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent, void> {
  let begun = false;
  let end = 0;
  for await (const records of decodeRecords(file, signal)) {
    for (const decoded of records) {
      const { offset, event, unknownFields } = decoded;
      if (decoded.chainId !== chainId) {
        throw failAt(file, offset, `an event of chain ${decoded.chainId} in a recording of chain ${chainId}`);
      }
      begun ||= event.type === 'beginBlock';
      if (begun) yield { event, at: placeIn(file, offset), unknownFields };
      end = offset;
    }
  }
  if (!begun) throw failAt(file, end, 'the recording ends before any block begins');
}

/** The records of a file, those that one chunk completes at a time: to wait for each would cost more than to read it. */
async function* decodeRecords(
  file: ByteFile,
  signal?: AbortSignal,
): AsyncGenerator<Iterable<DecodedRecord>, void> {
  const cutter = new RecordCutter();
  for await (const chunk of file.chunks(signal)) yield decodeChunk(file, cutter, chunk);
  try {
    cutter.end();
  } catch (error) {
    throw explained(file, error);
  }
}

function* decodeChunk(
  file: ByteFile,
  cutter: RecordCutter,
  chunk: Uint8Array,
): Generator<DecodedRecord, void> {
  try {
    for (const { offset, payload } of cutter.cut(chunk)) {
      yield { offset, ...decodeAt(file, offset, payload) };
    }
  } catch (error) {
    throw explained(file, error);
  }
}

function explained(file: ByteFile, error: unknown): unknown {
  return error instanceof FrameError ? failAt(file, error.offset, error.message, error) : error;
}

interface DecodedRecord extends DecodedEvent {
  readonly offset: number;
}

function decodeAt(file: ByteFile, offset: number, payload: Uint8Array): DecodedEvent {
  try {
    return decodeEvent(payload);
  } catch (error) {
    throw failAt(file, offset, error instanceof Error ? error.message : String(error), error);
  }
}

function failAt(file: ByteFile, offset: number, complaint: string, cause?: unknown): IngestError {
  const foreign = offset === 0 ? ' (is this a recording of events?)' : '';
  return new IngestError(`${file.name}, ${placeIn(file, offset)}: ${complaint}${foreign}`, { cause });
}

function placeIn(file: ByteFile, offset: number): string {
  return file.packed ? `byte ${offset} (unpacked)` : `byte ${offset}`;
}
