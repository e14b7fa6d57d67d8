import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failOutput } from '../output-error.ts';
import { writtenByAnother } from './part-target.ts';
import { beganAt, MACHINE } from './process-identity.ts';

const LOCK_NAME = '.export-lock';
/** How often a holder shows that it lives. */
const RENEW_EVERY_MS = 5_000;
/** Of another machine or container, one sees no processes: a holder that was silent for so long is dead. */
const SILENT_FOR_MS = 60_000;
/** Each finds a lock that goes away just then. */
const MOST_ATTEMPTS = 10;

/** Who has a lock. */
interface Holder {
  /** Of this taking of it: no other has the same. */
  readonly id: string;
  readonly machine: string;
  readonly pid: number;
  readonly began: string | null;
}

/**
 * The right to write to a folder: a file in it, which one process makes and no other can. That of a process that is dead is taken over.
 * Where two take the same over, one of them finds by `check` that it has lost it.
 */
export class FolderLock implements AsyncDisposable {
  readonly #folder: string;
  readonly #text: string;
  readonly #file: FileHandle;
  readonly #renewing: NodeJS.Timeout;

  private constructor(folder: string, text: string, file: FileHandle) {
    this.#folder = folder;
    this.#text = text;
    this.#file = file;
    this.#renewing = setInterval(() => void file.write(text, 0).catch(() => undefined), RENEW_EVERY_MS);
    this.#renewing.unref();
  }

  /** Throws FAILED_PRECONDITION where another process has it, and an OutputError where the folder takes no files. */
  static async take(folder: string): Promise<FolderLock> {
    const { pid } = process;
    const holder: Holder = { id: randomUUID(), machine: MACHINE, pid, began: beganAt(pid) };
    const text = `${JSON.stringify(holder)}\n`;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const file = await create(folder);
      if (file === null) await removeDead(folder);
      else return new FolderLock(folder, await fill(folder, file, text), file);
    }
    throw writtenByAnother({ name: folder });
  }

  /** Throws FAILED_PRECONDITION where another process has taken it over. */
  async check(): Promise<void> {
    if ((await readLock(this.#folder)) !== this.#text) throw writtenByAnother({ name: this.#folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewing);
    await this.#file.close();
    if ((await readLock(this.#folder)) === this.#text) await rm(pathOf(this.#folder), { force: true });
  }
}

function pathOf(folder: string): string {
  return join(folder, LOCK_NAME);
}

async function readLock(folder: string): Promise<string | null> {
  return orAbsent(readFile(pathOf(folder), 'utf8')).catch(failOutput(folder));
}

/** Null where one is there. */
async function create(folder: string): Promise<FileHandle | null> {
  return open(pathOf(folder), 'wx').catch((error: NodeJS.ErrnoException) =>
    error.code === 'EEXIST' ? null : failOutput(folder)(error),
  );
}

/** Leaves none behind where the disk has no room for it. */
async function fill(folder: string, file: FileHandle, text: string): Promise<string> {
  try {
    await file.write(text, 0);
    return text;
  } catch (error) {
    await file.close();
    await rm(pathOf(folder), { force: true });
    return failOutput(folder)(error as Error);
  }
}

/** Removes the lock of a process that is dead. Throws FAILED_PRECONDITION where its holder lives, for all that is known. */
async function removeDead(folder: string): Promise<void> {
  const text = await readLock(folder);
  if (text === null) return;
  if (await isHeld(folder, text)) throw writtenByAnother({ name: folder });
  const aside = join(folder, `.partial-lock-${randomUUID()}`);
  if ((await orAbsent(rename(pathOf(folder), aside))) === null) return;
  // Another process may have been faster, and this is its own already: it is given back.
  if ((await orAbsent(readFile(aside, 'utf8'))) === text) await rm(aside, { force: true });
  else await orAbsent(rename(aside, pathOf(folder)));
}

async function isHeld(folder: string, text: string): Promise<boolean> {
  const holder = readHolder(text);
  if (holder?.machine === MACHINE) return holder.began !== null && beganAt(holder.pid) === holder.began;
  const lock = await orAbsent(stat(pathOf(folder)));
  return lock !== null && (await timeIn(folder)) - lock.mtimeMs < SILENT_FOR_MS;
}

/** One that is being written has no text yet. */
function readHolder(text: string): Holder | null {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return null;
  }
}

/** The time by the clock of whatever machine has the folder, in milliseconds. */
async function timeIn(folder: string): Promise<number> {
  const probe = join(folder, `.partial-time-${randomUUID()}`);
  try {
    await writeFile(probe, '');
    return (await stat(probe)).mtimeMs;
  } catch (error) {
    return failOutput(folder)(error as Error);
  } finally {
    await rm(probe, { force: true });
  }
}

/** Null where a file is not there. */
async function orAbsent<Result>(doing: Promise<Result>): Promise<Result | null> {
  try {
    return await doing;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
