import { constants } from 'node:fs';
import { copyFile, open, rm, stat } from 'node:fs/promises';

const MAX_BYTES = 4 * 2 ** 20;
const CHECK_EVERY_MS = 60_000;
const TAIL_BYTES = 4096;
const TAIL_LINES = 15;

/** The size of the log, as a mark for `readTail`; 0 when there is none. */
export async function logSize(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** The last lines of the log, none older than the mark `since` (in bytes). */
export async function readTail(path: string, since = 0): Promise<string> {
  const size = await logSize(path);
  const start = Math.max(size - TAIL_BYTES, since > size ? 0 : since);
  await using file = await open(path, 'r').catch(() => undefined);
  if (!file || start >= size) return '';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-TAIL_LINES).join('\n');
}

/**
 * Keeps the log below a few megabytes while this process uses the server: what is over goes to one older file.
 * The server appends, so it goes on at the new end. Returns what ends the watch.
 */
export function boundLog(path: string): () => void {
  const check = async () => {
    if ((await logSize(path)) < MAX_BYTES) return;
    await using file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
    const old = `${path}.old`;
    await rm(old, { force: true });
    await copyFile(path, old, constants.COPYFILE_EXCL).catch(() => undefined);
    await file.truncate();
  };
  const run = () => void check().catch(() => undefined);
  run();
  const timer = setInterval(run, CHECK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
