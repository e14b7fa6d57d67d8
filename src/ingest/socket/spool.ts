import { EventEmitter, once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { IngestError } from '../events.ts';
import { frameRecord } from '../frames.ts';
import { Continuity } from './continuity.ts';
import type { EventHead } from './envelope.ts';
import {
  createSegment,
  listSegments,
  lockSpool,
  recoverSegment,
  removeSegment,
  type Segment,
} from './segments.ts';

export interface SpoolOptions {
  readonly folder: string;
  /** How many bytes it may hold before appending waits for it to be trimmed. */
  readonly limit: number;
  /** A segment ends with the block that brings it to this size. */
  readonly segmentSize?: number;
  readonly logger: Logger;
}

export interface IncomingEvent {
  readonly head: EventHead;
  readonly payload: Uint8Array;
}

const SEGMENT_SIZE = 16 * 2 ** 20;
/** How long an event may lie in the kernel's memory only: what a power cut loses. */
const SYNC_AFTER_MS = 1_000;
const DISK_RETRY_MS = 1_000;
const WARN_EVERY_MS = 60_000;
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Events on disk, from the moment they are received until the database has committed them.
 *
 * An event is in the kernel's hands when `append` resolves: from then on the end of this process, in whatever way,
 * loses nothing. It is on the disk itself within a second (and at the end of each segment, and on `close`).
 * Segments begin with a block of a new height, or with a session; so each can be read without those before it.
 */
export class Spool implements AsyncDisposable {
  readonly folder: string;
  readonly #limit: number;
  readonly #segmentSize: number;
  readonly #logger: Logger;
  readonly #lock: AsyncDisposable;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #continuity = new Continuity();
  readonly #segments: Segment[];
  #file: FileHandle | null = null;
  #batch: Uint8Array[] = [];
  #batchSize = 0;
  #next = 0;
  #chainId: string | null = null;
  #syncTimer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  private constructor(options: SpoolOptions, segments: Segment[], lock: AsyncDisposable) {
    this.folder = options.folder;
    this.#limit = options.limit;
    this.#segmentSize = options.segmentSize ?? SEGMENT_SIZE;
    this.#logger = options.logger;
    this.#segments = segments;
    this.#lock = lock;
  }

  /** Opens the spool with all that an earlier process left in it. Throws where another process uses it. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const segments = await listSegments(options.folder);
    const lock = await lockSpool(options.folder);
    const spool = new Spool(options, segments, lock);
    try {
      await spool.#recover();
    } catch (error) {
      await spool.close();
      throw error;
    }
    return spool;
  }

  /** The network that all events here are of; null while there are none. */
  get chainId(): string | null {
    return this.#chainId;
  }

  get size(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** The number of the last record, whether or not it is still here; -1 before the first. */
  get lastSequence(): number {
    return this.#next - 1;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Whether nothing is added to a segment any more. */
  isFinished(segment: Segment): boolean {
    return segment !== this.#segments.at(-1);
  }

  /** Resolves when something was added, or removed. Rejects with an AbortError when the signal is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.#changes, 'change', { signal });
  }

  /**
   * Adds events in their order; one caller at a time. `opensConnection` tells that the first of them is the first
   * of a connection. Waits while the spool or the disk is full. Throws an IngestError at an event of another network,
   * after all before it were added.
   */
  async append(
    events: readonly IncomingEvent[],
    { opensConnection, signal }: { readonly opensConnection: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    await this.#waitForRoom(signal);
    for (const [place, event] of events.entries()) {
      const { chainId } = event.head;
      if (chainId !== (this.#chainId ?? chainId)) {
        await this.#flush(signal);
        throw new IngestError(
          `sends an event of chain ${chainId}; the events before were of ${this.#chainId}`,
        );
      }
      await this.#add(event, opensConnection && place === 0, signal);
    }
    await this.#flush(signal);
  }

  /** Removes the segments before one whose beginning, at least, the database has committed. */
  trimBefore(segment: Segment): void {
    const count = this.#segments.indexOf(segment);
    if (count <= 0) return;
    for (const trimmed of this.#segments.splice(0, count)) removeSegment(trimmed);
    this.#changes.emit('change');
  }

  async close(): Promise<void> {
    await this.#closeFile();
    await this.#lock[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #recover(): Promise<void> {
    for (let last = this.#segments.at(-1); last; last = this.#segments.at(-1)) {
      let isFirst = true;
      const { records, lost } = await recoverSegment(last, (head) => {
        this.#continuity.note(head, isFirst);
        this.#chainId ??= head.chainId;
        isFirst = false;
      });
      this.#next = last.first + records;
      if (lost > 0)
        this.#logger.warn({ bytes: lost, file: last.path }, 'cut an unfinished record off the spool');
      if (records > 0) {
        this.#file = await open(last.path, 'r+');
        break;
      }
      removeSegment(last);
      this.#segments.pop();
    }
  }

  async #add({ head, payload }: IncomingEvent, opensConnection: boolean, signal: AbortSignal): Promise<void> {
    const last = this.#segments.at(-1);
    const startsSession = !last || (opensConnection && !this.#continuity.isContinuedBy(head));
    const size = (last?.size ?? 0) + this.#batchSize;
    const isFull = size >= this.#segmentSize && head.begins && head.begins.height !== this.#continuity.height;
    if (startsSession || isFull) {
      await this.#flush(signal);
      await this.#startSegment(startsSession ? this.#next : last.session);
    }
    this.#continuity.note(head, startsSession);
    this.#chainId ??= head.chainId;
    const record = frameRecord(payload, BigInt(this.#next));
    this.#next += 1;
    this.#batch.push(record);
    this.#batchSize += record.length;
  }

  async #startSegment(session: number): Promise<void> {
    await this.#closeFile();
    const { segment, file } = await createSegment(this.folder, this.#next, session);
    this.#file = file;
    this.#segments.push(segment);
  }

  /** Writes what was added. Where the disk is full, tries again: the core's own queue holds out for a while. */
  async #flush(signal: AbortSignal): Promise<void> {
    if (this.#failure) throw this.#failure;
    const segment = this.#segments.at(-1);
    if (this.#batchSize === 0 || !segment || !this.#file) return;
    const bytes = Buffer.concat(this.#batch, this.#batchSize);
    this.#batch = [];
    this.#batchSize = 0;
    for (let done = 0; done < bytes.length; ) {
      try {
        const length = bytes.length - done;
        done += (await this.#file.write(bytes, done, length, segment.size + done)).bytesWritten;
      } catch (error) {
        if (!DISK_FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        this.#warn('the disk of the spool is full: the core waits until there is room');
        await sleep(DISK_RETRY_MS, undefined, { signal });
      }
    }
    segment.size += bytes.length;
    this.#syncTimer ??= setTimeout(() => this.#syncNow(), SYNC_AFTER_MS);
    this.#changes.emit('change');
  }

  #syncNow(): void {
    this.#syncTimer = undefined;
    const file = this.#file;
    this.#syncing = (async () => file?.datasync())().catch((error: Error) => {
      this.#failure = error;
    });
  }

  async #closeFile(): Promise<void> {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    await this.#syncing;
    const file = this.#file;
    this.#file = null;
    await file?.datasync();
    await file?.close();
  }

  async #waitForRoom(signal: AbortSignal): Promise<void> {
    if (this.size >= this.#limit / 2) this.#warn('the spool is more than half full: the database is behind');
    if (this.size < this.#limit) return;
    this.#logger.error(
      { spooled: this.size, limit: this.#limit, folder: this.folder },
      'the spool is full (SPOOL_LIMIT): the core waits until the database has caught up',
    );
    while (this.size >= this.#limit) await this.changed(signal);
    this.#logger.info('the spool has room again');
  }

  #warn(message: string): void {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    this.#logger.warn({ spooled: this.size, limit: this.#limit, folder: this.folder }, message);
  }
}
