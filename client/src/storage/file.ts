/// <reference types="node" />
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Journal, journaled } from './journal.ts';
import type { Storage } from './storage.ts';

/**
 * Keeps rows in a file: lines of JSON, each with its checksum. Whatever of it is on the disk after a crash, the lines up to the first
 * that is not whole are the end of one block. A program begins with a file of its own that takes the place of the one before, so
 * that several which share a path never write into each other's: the last one's is there.
 */
export function file(path: string): Storage {
  return journaled(async (of) => {
    const head = JSON.stringify({ of });
    await removeLeft(path);
    const [first, ...lines] = await readLines(path);
    return { journal: new FileJournal(path, head), lines: first === head ? lines : [] };
  });
}

class FileJournal implements Journal {
  readonly #path: string;
  readonly #head: string;
  /** The file that this program began; null as long as it has written nothing. */
  #handle: FileHandle | null = null;

  constructor(path: string, head: string) {
    this.#path = path;
    this.#head = head;
  }

  async append(line: string): Promise<boolean> {
    if (this.#handle === null) return false;
    await this.#handle.appendFile(seal(line));
    return true;
  }

  async replace(lines: readonly string[]): Promise<void> {
    const path = `${this.#path}.${process.pid}.${randomUUID()}.new`;
    const handle = await open(path, 'wx');
    try {
      for (const line of [this.#head, ...lines]) await handle.appendFile(seal(line));
      await handle.sync();
      // Windows replaces no file that is open.
      await this.close();
      await rename(path, this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
    this.#handle = handle;
  }

  renounce(): void {}

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }
}

const sumOf = (line: string) => crc32(line).toString(16).padStart(8, '0');
const seal = (line: string) => `${sumOf(line)} ${line}\n`;

/** The lines up to the first that is not as it was written. One text need not hold all of them, and could not from 512 MiB on. */
async function readLines(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  let rest = '';
  try {
    for await (const text of createReadStream(path, 'utf8')) {
      const [more, ...begun] = text.split('\n');
      rest += more;
      for (const next of begun) {
        const line = rest.slice(9);
        if (rest.slice(0, 9) !== `${sumOf(line)} `) return lines;
        lines.push(line);
        rest = next;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return lines;
}

/** A rename is on the disk when its folder is. Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Removes what programs that are gone left half-written. In a container the one before had the same pid. */
async function removeLeft(path: string): Promise<void> {
  const names = await readdir(dirname(path));
  for (const name of names) {
    const [, pid] = name.startsWith(`${basename(path)}.`) ? (/\.(\d+)\.[\w-]+\.new$/.exec(name) ?? []) : [];
    const left = join(dirname(path), name);
    const isLeft = Number(pid) === process.pid ? isOlder(left) : pid !== undefined && !isRunning(Number(pid));
    if (await isLeft) await rm(left, { force: true });
  }
}

/** Whether a file is older than this program. */
async function isOlder(path: string): Promise<boolean> {
  const begun = Date.now() - process.uptime() * 1000;
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs < begun,
    () => false,
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
