import { type ByteFile, openByteFile } from './bytes.ts';
import { decodeEvent } from './decode.ts';
import { type EventSource, IngestError, type NetworkEvent, type SourceEvent } from './events.ts';
import { FrameError, readRecords } from './frames.ts';

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
  for await (const { chainId } of decodeRecords(file, signal)) return chainId;
  throw new IngestError(`${file.name}, byte 0: the file is empty`);
}

async function* readEvents(
  file: ByteFile,
  chainId: string,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent, void> {
  let begun = false;
  let end = 0;
  for await (const decoded of decodeRecords(file, signal)) {
    const { offset, event } = decoded;
    if (decoded.chainId !== chainId) {
      throw failAt(file, offset, `an event of chain ${decoded.chainId} in a recording of chain ${chainId}`);
    }
    begun ||= event.type === 'beginBlock';
    if (begun) yield { event, at: placeIn(file, offset) };
    end = offset;
  }
  if (!begun) throw failAt(file, end, 'the recording ends before any block begins');
}

async function* decodeRecords(file: ByteFile, signal?: AbortSignal): AsyncGenerator<DecodedRecord, void> {
  try {
    for await (const { offset, payload } of readRecords(file.chunks(signal))) {
      yield { offset, ...decodeAt(file, offset, payload) };
    }
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    throw failAt(file, error.offset, error.message, error);
  }
}

interface DecodedRecord {
  readonly offset: number;
  readonly chainId: string;
  readonly event: NetworkEvent;
}

function decodeAt(file: ByteFile, offset: number, payload: Uint8Array) {
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
