import { randomFillSync } from 'node:crypto';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf } from './disk-full.ts';

/** More than PostgreSQL writes to start and to recover, the next piece of its log included. */
const RESERVE_BYTES = 32 * 2 ** 20;
/** With less space, a disk has better uses for it. */
const MAKE_FROM_BYTES = 128 * 2 ** 20;
/** A disk that is smaller never had room for it. */
const SMALL_DISK_BYTES = 256 * 2 ** 20;

/**
 * A file that only takes up room: PostgreSQL cannot start on a disk that is wholly full, and so nothing could be read. On such
 * a disk the file is given up for it.
 */
const nameOf = (dataDir: string) => join(dataDir, 'reserve');

/** Makes the reserve where the disk has room for it. Gives whether there is a reserve, or room instead: blocks may be written then. */
export async function keepReserve(dataDir: string): Promise<boolean> {
  const file = nameOf(dataDir);
  if (await isThere(file)) return true;
  const { free, all } = await bytesOf(dataDir);
  if (free < MAKE_FROM_BYTES) return all < SMALL_DISK_BYTES || free >= RESERVE_BYTES;
  try {
    // What a file system could not compress.
    await writeFile(file, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)), { mode: 0o600 });
    return true;
  } catch {
    await rm(file, { force: true }).catch(() => undefined);
    return false;
  }
}

/** Gives the room of the reserve to PostgreSQL, until the next time that the disk has more. */
export async function giveUpReserve(dataDir: string): Promise<void> {
  await rm(nameOf(dataDir), { force: true });
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
