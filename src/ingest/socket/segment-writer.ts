import { type FileHandle, open, rename } from 'node:fs/promises';
import { createSegment, type Segment, segmentPath, syncFolder } from './segments.ts';

/** How long an event may lie in the kernel's memory only: what a power cut loses. */
const SYNC_AFTER_MS = 1_000;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Whether a disk, or what a user may have of it, is full. */
export function isNoRoom(error: unknown): boolean {
  return NO_ROOM.has((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/**
 * The segment of a spool that is added to. What the disk has no room for stays in memory, in its place, and is read
 * like the rest.
 */
export class SegmentWriter {
  readonly segment: Segment;
  readonly #folder: string;
  readonly #file: FileHandle;
  /** How many bytes the file holds; the parts in memory follow. */
  #stored: number;
  /** How many of them are of whole records. */
  #whole: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #syncTimer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #failure: Error | null = null;

  private constructor(folder: string, segment: Segment, file: FileHandle) {
    this.segment = segment;
    this.#folder = folder;
    this.#file = file;
    this.#stored = segment.size;
    this.#whole = segment.size;
  }

  static async create(folder: string, first: number, session: number): Promise<SegmentWriter> {
    const { segment, file } = await createSegment(folder, first, session);
    return new SegmentWriter(folder, segment, file);
  }

  /** Goes on with a segment that was there. */
  static async reopen(folder: string, segment: Segment): Promise<SegmentWriter> {
    return new SegmentWriter(folder, segment, await open(segment.path, 'r+'));
  }

  /** How many bytes are in memory only. */
  get held(): number {
    return this.#held;
  }

  /** Adds whole records. They can be read from then on, and are on the disk where it has room for them. Gives whether they are. */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#held += bytes.length;
    const isStored = await this.store();
    this.segment.size = this.#stored + this.#held;
    return isStored;
  }

  /** Tries again to write what is in memory, and gives whether all of it is on the disk. */
  async store(): Promise<boolean> {
    if (this.#failure) throw this.#failure;
    for (let part = this.#parts[0]; part; part = this.#parts[0]) {
      try {
        const { bytesWritten } = await this.#file.write(part, 0, part.length, this.#stored);
        this.#stored += bytesWritten;
        this.#held -= bytesWritten;
        if (bytesWritten < part.length) {
          this.#parts[0] = part.subarray(bytesWritten);
        } else {
          this.#parts.shift();
          this.#whole = this.#stored;
        }
      } catch (error) {
        if (!isNoRoom(error)) throw error;
        return false;
      }
      this.#syncTimer ??= setTimeout(() => this.#sync(), SYNC_AFTER_MS);
    }
    return true;
  }

  /** The bytes at a place that are in memory only; null where the file has them. */
  heldAt(position: number): Uint8Array | null {
    let at = this.#stored;
    if (position < at) return null;
    for (const part of this.#parts) {
      if (position < at + part.length) return part.subarray(position - at);
      at += part.length;
    }
    return null;
  }

  /** Gives up what is in memory only. */
  async drop(): Promise<void> {
    this.#parts = [];
    this.#held = 0;
    this.#stored = this.#whole;
    this.segment.size = this.#whole;
    await this.#file.truncate(this.#whole);
  }

  /**
   * Begins a new segment in the place of this one, whose content, the part in memory too, is given up: that takes
   * no room on the disk. A stop in between leaves what recovering cuts off.
   */
  async replace(first: number, session: number): Promise<SegmentWriter> {
    const path = segmentPath(this.#folder, first, session);
    if (path !== this.segment.path) await rename(this.segment.path, path);
    this.segment.path = path;
    await this.#file.truncate(0);
    await syncFolder(this.#folder);
    await this.#endSyncing();
    return new SegmentWriter(this.#folder, { path, first, session, size: 0 }, this.#file);
  }

  /** Sees that all is on the disk itself, and closes the file. */
  async close(): Promise<void> {
    await this.#endSyncing();
    try {
      await this.#file.datasync();
    } finally {
      await this.#file.close();
    }
  }

  #sync(): void {
    this.#syncTimer = undefined;
    this.#syncing = this.#file.datasync().catch((error: Error) => {
      this.#failure = error;
    });
  }

  async #endSyncing(): Promise<void> {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    await this.#syncing;
  }
}
