import { type ByteFile, openByteFile } from './bytes.ts';
import { type DecodedEvent, type DecodeEvent, decodeEvent } from './decode.ts';
import { EventError, type EventFault } from './event-faults.ts';
import { type EventSource, FaultError, IngestError, type SourceEvent } from './events.ts';
import { FrameError, RecordCutter } from './frames.ts';

/**
 * A file of events as a core node of the network writes it (or a data node's buffer), plain or gzip, with or
 * without sequence numbers. Reads as much as the first event, for the chain; throws an IngestError when that is
 * not there. The events begin with the first block: what stands before it belongs to a block that is not here.
 */
export async function openRecordedFile(path: string, decode?: DecodeEvent): Promise<EventSource> {
  return openRecording(await openByteFile(path), { decode });
}

/** The same of bytes that are had already. Waits, where the bytes do, for the first event, until it is aborted. */
export async function openRecording(
  file: ByteFile,
  options: { readonly signal?: AbortSignal | undefined; readonly decode?: DecodeEvent | undefined } = {},
): Promise<EventSource> {
  const decoded = { file, decode: options.decode ?? decodeEvent };
  const chainId = await readChainId(decoded, options.signal);
  return {
    name: file.name,
    chainId,
    events: (signal) => readEvents(decoded, chainId, signal),
    progress: () => file.progress(),
  };
}

/** A file, and how its events are read. */
interface Recording {
  readonly file: ByteFile;
  readonly decode: DecodeEvent;
}

async function readChainId(recording: Recording, signal: AbortSignal | undefined): Promise<string> {
  const { file } = recording;
  for await (const records of decodeRecords(recording, signal))
    for (const { chainId } of records) return chainId;
  throw new IngestError(`${file.name}, byte 0: the file is empty`);
}

async function* readEvents(
  recording: Recording,
  chainId: string,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent, void> {
  const { file } = recording;
  let begun = false;
  let end = 0;
  for await (const records of decodeRecords(recording, signal)) {
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
  if (!begun) throw new IngestError(describe(file, end, 'the recording ends before any block begins'));
}

/** The records of a file, those that one chunk completes at a time: to wait for each would cost more than to read it. */
async function* decodeRecords(
  recording: Recording,
  signal?: AbortSignal,
): AsyncGenerator<Iterable<DecodedRecord>, void> {
  const { file } = recording;
  const cutter = new RecordCutter();
  for await (const chunk of file.chunks(signal)) yield decodeChunk(recording, cutter, chunk);
  try {
    cutter.end();
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    // What ends too early has nothing that anybody could be held up at.
    throw new IngestError(describe(file, error.offset, error.message), { cause: error });
  }
}

function* decodeChunk(
  { file, decode }: Recording,
  cutter: RecordCutter,
  chunk: Uint8Array,
): Generator<DecodedRecord, void> {
  try {
    for (const { offset, payload } of cutter.cut(chunk)) {
      yield { offset, ...decodeAt(file, decode, offset, payload) };
    }
  } catch (error) {
    throw error instanceof FrameError ? failAt(file, error.offset, error.message, { cause: error }) : error;
  }
}

interface DecodedRecord extends DecodedEvent {
  readonly offset: number;
}

function decodeAt(file: ByteFile, decode: DecodeEvent, offset: number, payload: Uint8Array): DecodedEvent {
  try {
    return decode(payload);
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    throw failAt(file, offset, error.message, { cause: error, event: error.fault });
  }
}

function failAt(
  file: ByteFile,
  offset: number,
  complaint: string,
  { cause, event = null }: { readonly cause?: unknown; readonly event?: EventFault | null } = {},
): FaultError {
  const place = `${file.name}, ${placeIn(file, offset)}`;
  return new FaultError({ place, height: null, reason: explain(offset, complaint), event }, { cause });
}

function describe(file: ByteFile, offset: number, complaint: string): string {
  return `${file.name}, ${placeIn(file, offset)}: ${explain(offset, complaint)}`;
}

function explain(offset: number, complaint: string): string {
  return offset === 0 ? `${complaint} (is this a recording of events?)` : complaint;
}

function placeIn(file: ByteFile, offset: number): string {
  return file.packed ? `byte ${offset} (unpacked)` : `byte ${offset}`;
}
