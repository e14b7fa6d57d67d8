import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ByteFile, isGzip } from './bytes.ts';
import type { DecodeEvent } from './decode.ts';
import { type EventSource, IngestError } from './events.ts';
import { openRecording } from './recorded-file.ts';

/** How often a file is looked at for more. */
const LOOK_EVERY_MS = 200;
const CHUNK_SIZE = 64 * 1024;

/**
 * A plain file of events that a core node is still writing: its events, then those that are added, until the signal
 * is aborted. What stands at the end of an unfinished record is not written yet. A file that is not there yet is
 * waited for (`onWaiting` is called, once), and so is the first event. Throws an IngestError where the file is packed,
 * and where it becomes shorter or another one, as a core node does that starts again: what it had not given, is lost.
 */
export async function openFollowedFile(
  path: string,
  options: {
    readonly signal: AbortSignal;
    readonly onWaiting: () => void;
    readonly decode?: DecodeEvent;
  },
): Promise<EventSource> {
  const { signal, decode } = options;
  return openRecording(await openGrowingFile(path, options), { signal, decode });
}

/** Opens a file that grows, and gives its bytes. */
export async function openGrowingFile(
  path: string,
  { signal, onWaiting }: { readonly signal: AbortSignal; readonly onWaiting: () => void },
): Promise<ByteFile> {
  let waits = false;
  while (!(await exists(path))) {
    if (!waits) onWaiting();
    waits = true;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return growingFile(path);
}

function growingFile(path: string): ByteFile {
  let done = 0;

  async function* read(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    const file = await open(path).catch(fail(path));
    try {
      for (done = 0; ; ) {
        signal?.throwIfAborted();
        const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
        const { bytesRead } = await file.read(chunk, 0, CHUNK_SIZE, done).catch(fail(path));
        if (bytesRead === 0) {
          await checkSame(file, path, done);
          await sleep(LOOK_EVERY_MS, undefined, { signal });
          continue;
        }
        if (done === 0 && isGzip(chunk.subarray(0, bytesRead))) {
          throw new IngestError(`${path} is gzip; only a plain file can be followed`);
        }
        done += bytesRead;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  return {
    name: path,
    packed: false,
    chunks: read,
    progress: () => ({ done, total: null, unit: 'bytes' }),
  };
}

/** A file that was cut and has grown beyond where we are looks the same; its records then do not fit. */
async function checkSame(file: FileHandle, path: string, done: number): Promise<void> {
  const [ours, there] = await Promise.all([file.stat(), stat(path).catch(() => null)]).catch(fail(path));
  const advice = 'Follow it again to take in what it holds now.';
  if (ours.size < done) {
    throw new IngestError(
      `${path} was cut to ${ours.size} bytes after ${done} were read: it began anew. ${advice}`,
    );
  }
  if (there === null || there.ino !== ours.ino || there.dev !== ours.dev) {
    throw new IngestError(`${path} was replaced or removed after ${done} bytes of it were read. ${advice}`);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    const status = await stat(path);
    if (!status.isFile()) throw new IngestError(`${path} is not a regular file`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error instanceof IngestError ? error : fail(path)(error as Error);
  }
}

function fail(path: string): (error: Error) => never {
  return (error) => {
    throw new IngestError(`${path} cannot be read: ${error.message}`, { cause: error });
  };
}
