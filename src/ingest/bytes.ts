import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { IngestError } from './events.ts';

/** A regular file as bytes, unpacked when it is gzip. Bounded in memory, however large it is. */
export interface ByteFile {
  readonly name: string;
  /** Whether the file is gzip; offsets then count the unpacked bytes. */
  readonly packed: boolean;
  /** From the beginning, each time. Throws an IngestError where the file cannot be read or unpacked on. */
  chunks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** How many bytes of the file, packed or not, were read; `total` is null for one that grows. */
  progress(): { readonly done: number; readonly total: number | null; readonly unit: 'bytes' };
}

// Also bounds what one chunk of gzip unpacks to: about a thousand times this.
const CHUNK_SIZE = 32 * 1024;

/** Opens nothing yet, but throws an IngestError when the path is not a file that can be read. */
export async function openByteFile(path: string): Promise<ByteFile> {
  const { size, packed } = await inspect(path);
  let done = 0;

  async function* read(signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    done = 0;
    const handle = await open(path).catch(failReading(path));
    try {
      while (true) {
        signal?.throwIfAborted();
        const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
        const { bytesRead } = await handle.read(chunk).catch(failReading(path));
        if (bytesRead === 0) return;
        done += bytesRead;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  return {
    name: path,
    packed,
    chunks: (signal) => (packed ? unpackAll(() => read(signal), path) : read(signal)),
    progress: () => ({ done, total: size, unit: 'bytes' }),
  };
}

/**
 * Unpacks a file to the last byte that can be. Zlib keeps what it had unpacked of a chunk in which it finds damage, so
 * that the file is unpacked again then, up to this chunk at once and through it byte by byte.
 */
async function* unpackAll(
  read: () => AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void> {
  let taken = 0;
  let given = 0;
  async function* watched(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of read()) {
      yield chunk;
      taken += chunk.length;
    }
  }
  try {
    for await (const chunk of unpack(watched(), name)) {
      given += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    for await (const chunk of unpack(inBytesFrom(taken, read()), name)) {
      const fresh = chunk.subarray(Math.min(given, chunk.length));
      given -= chunk.length - fresh.length;
      if (fresh.length > 0) yield fresh;
    }
    throw error;
  }
}

/** The same bytes, one by one from an offset on. */
async function* inBytesFrom(
  offset: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  for await (const chunk of chunks) {
    const whole = Math.min(Math.max(offset - at, 0), chunk.length);
    if (whole > 0) yield chunk.subarray(0, whole);
    for (let index = whole; index < chunk.length; index++) yield chunk.subarray(index, index + 1);
    at += chunk.length;
  }
}

export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/**
 * Unpacks gzip. Throws an IngestError with the number of unpacked bytes where the data is damaged or cut off,
 * after all that could be unpacked was yielded. (A plain stream pipeline would lose what it still held.)
 */
async function* unpack(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  const unpacked: Uint8Array[] = [];
  let count = 0;
  let failure: Error | null = null;
  gunzip.on('data', (chunk: Buffer) => {
    unpacked.push(chunk);
    count += chunk.length;
  });
  gunzip.on('error', (error) => {
    failure = error;
  });

  /** All that a step unpacks. A step that fails is not called back, but the stream closes then. */
  async function* take(
    step: (done: (error?: Error | null) => void) => void,
  ): AsyncGenerator<Uint8Array, void> {
    await new Promise<void>((resolve) => {
      gunzip.once('close', resolve);
      step((error) => {
        if (error) return;
        gunzip.off('close', resolve);
        resolve();
      });
    });
    yield* unpacked.splice(0);
    if (failure) {
      const where = `after byte ${count} (unpacked)`;
      throw new IngestError(`${name}: the gzip data is damaged ${where}: ${failure.message}`, {
        cause: failure,
      });
    }
  }

  try {
    for await (const chunk of packed) yield* take((done) => gunzip.write(chunk, done));
    yield* take(() => gunzip.end());
  } finally {
    gunzip.destroy();
  }
}

/** Bytes as they come, as from standard input, unpacked where they begin as gzip does, in pieces of whatever size. Throws as `unpack` does. */
export async function* unpackIfGzip(
  chunks: AsyncGenerator<Uint8Array, void>,
  name: string,
): AsyncGenerator<Uint8Array, void> {
  let start: Uint8Array = Buffer.alloc(0);
  while (start.length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  async function* whole() {
    yield start;
    yield* chunks;
  }
  yield* isGzip(start) ? unpack(whole(), name) : whole();
}

async function inspect(path: string): Promise<{ size: number; packed: boolean }> {
  const status = await stat(path).catch(failReading(path));
  if (!status.isFile()) throw new IngestError(`${path} is not a regular file`);
  const handle = await open(path).catch(failReading(path));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2)).catch(failReading(path));
    return { size: status.size, packed: isGzip(buffer.subarray(0, bytesRead)) };
  } finally {
    await handle.close();
  }
}

function failReading(path: string): (error: Error) => never {
  return (error) => {
    throw new IngestError(`${path} cannot be read: ${error.message}`, { cause: error });
  };
}
