import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const MAX_DEPTH = 8;
/** PostgreSQL's code, and the kernel's. */
const CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
const WORDS = /No space left on device|Disk quota exceeded|\bENOSPC\b|\bEDQUOT\b/;
/** What PostgreSQL takes for the next piece of its log of changes; with less it cannot go on. */
const LEAST_BYTES = 16 * 2 ** 20;
const MIB = 2 ** 20;

/** Whether an error, or what caused it, says that a disk has no space left, or its user no more of it. */
export function isDiskFull(error: unknown): boolean {
  for (let link = error, depth = 0; link instanceof Error && depth < MAX_DEPTH; link = link.cause, depth++) {
    if (CODES.has(String((link as NodeJS.ErrnoException).code)) || saysDiskFull(link.message)) return true;
  }
  return false;
}

/** Whether a text, such as the end of a log, says so. */
export function saysDiskFull(text: string): boolean {
  return WORDS.test(text);
}

/** Whether the disk of a folder has less space than PostgreSQL needs to go on. */
export async function lacksSpace(folder: string): Promise<boolean> {
  return (await bytesOf(folder)).free < LEAST_BYTES;
}

/** Says in one line that the disk of a folder has too little space for the embedded database. */
export async function describeFullDisk(folder: string): Promise<string> {
  const free = (await bytesOf(folder)).free / MIB;
  const left = Number.isFinite(free) ? ` (${free.toFixed(1)} MiB are free)` : '';
  return `The disk that holds ${folder} is full${left}: the embedded database needs more. Make room there and try again.`;
}

/** How much room a disk has for the user that PostgreSQL runs as, and in all: that of the nearest folder that is there. */
export async function bytesOf(folder: string): Promise<{ readonly free: number; readonly all: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, all: blocks * bsize };
  } catch {
    const above = dirname(folder);
    if (above !== folder) return bytesOf(above);
    return { free: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY };
  }
}
