import { createReadStream, rmSync, unlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { GatewayError } from '../../errors.ts';
import { FrameError, readRecords } from '../frames.ts';
import { type EventHead, readHead } from './envelope.ts';

/**
 * One file of the spool, framed as a recorded file with sequence numbers (so that `ingest file` reads it too). Its
 * name holds the number of its first record and that of the first record of its session.
 */
export interface Segment {
  path: string;
  readonly first: number;
  readonly session: number;
  /** How many bytes of whole records it holds, those that are in memory only included. */
  size: number;
}

const NAME = /^(\d{16})-(\d{16})\.evt$/;

/** The segments in a folder, in their order. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const [, first, session] = NAME.exec(name) ?? [];
    if (first === undefined) continue;
    const path = join(folder, name);
    segments.push({ path, first: Number(first), session: Number(session), size: (await stat(path)).size });
  }
  return segments;
}

/** How many bytes segments hold together. */
export function totalSize(segments: readonly Segment[]): number {
  return segments.reduce((sum, { size }) => sum + size, 0);
}

export function segmentPath(folder: string, first: number, session: number): string {
  return join(folder, `${pad(first)}-${pad(session)}.evt`);
}

/** Makes a segment's file; its name survives a power cut from then on. */
export async function createSegment(
  folder: string,
  first: number,
  session: number,
): Promise<{ segment: Segment; file: FileHandle }> {
  const path = segmentPath(folder, first, session);
  const file = await open(path, 'wx', 0o600);
  try {
    await syncFolder(folder);
  } catch (error) {
    await file.close();
    unlinkSync(path);
    throw error;
  }
  return { segment: { path, first, session, size: 0 }, file };
}

/**
 * Reads a segment through after a stop that may have been a kill, and cuts off what is no whole record at its end.
 * `onRecord` gets the head of every whole one; the number of them is returned, and of the bytes that were cut off.
 */
export async function recoverSegment(
  segment: Segment,
  onRecord: (head: EventHead) => void,
): Promise<{ records: number; lost: number }> {
  let records = 0;
  let end = segment.size;
  try {
    for await (const { offset, sequence, payload } of readRecords(createReadStream(segment.path))) {
      end = offset;
      if (sequence !== BigInt(segment.first + records)) throw new FrameError(offset, 'not the next record');
      onRecord(readHeadAt(offset, payload));
      records += 1;
    }
    end = segment.size;
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    end = error.offset;
  }
  const lost = segment.size - end;
  if (lost > 0) await truncate(segment.path, end);
  segment.size = end;
  return { records, lost };
}

/** A fault of the disk that the spool is on: neither the database nor the events have a part in it. */
export class SpoolError extends Error {
  override name = 'SpoolError';

  constructor({ path }: Segment, cause: Error) {
    super(`the spool in ${dirname(path)} cannot be read or trimmed: ${cause.message}`, { cause });
  }
}

/** One that is gone already is removed as well. Throws a SpoolError where the disk keeps it. */
export function removeSegment(segment: Segment): void {
  try {
    rmSync(segment.path, { force: true });
  } catch (error) {
    throw new SpoolError(segment, error as Error);
  }
}

/**
 * Keeps a second process off a spool, as long as this one lives and however it ends. Where the kernel has no such
 * lock (outside Linux), the database's lock on its writer decides alone.
 */
export async function lockSpool(folder: string): Promise<AsyncDisposable> {
  if (process.platform !== 'linux') return { [Symbol.asyncDispose]: async () => {} };
  const { dev, ino } = await stat(folder);
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const complaint = `Another process uses the spool in ${folder}. There can be one at a time.`;
      reject(isTaken ? new GatewayError('FAILED_PRECONDITION', complaint) : error);
    });
    server.listen(`\0periscope-spool-${dev}-${ino}`, () => resolve(server));
  });
}

/** Makes a folder where it is not there, and those above it. (Node's own way reports a full disk as a folder that is not there.) */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

function readHeadAt(offset: number, payload: Uint8Array): EventHead {
  try {
    return readHead(payload);
  } catch (error) {
    throw new FrameError(offset, error instanceof Error ? error.message : String(error));
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function pad(number: number): string {
  return String(number).padStart(16, '0');
}
