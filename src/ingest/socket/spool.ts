import { EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';
import { IngestError } from '../events.ts';
import { frameRecord } from '../frames.ts';
import { Continuity } from './continuity.ts';
import type { EventHead } from './envelope.ts';
import { isNoRoom, SegmentWriter } from './segment-writer.ts';
import { listSegments, lockSpool, recoverSegment, removeSegment, type Segment } from './segments.ts';

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
/** So that a full spool has something to give up that is not added to any more. */
const LEAST_SEGMENTS = 4;
/** How much of a block is held in memory while the disk is full. */
const HELD_LIMIT = 64 * 2 ** 20;
const RETRY_MS = 1_000;
/** A wait that is longer makes the core wait: that is told, and its end too. */
const TELL_AFTER_MS = 1_000;
const WARN_EVERY_MS = 60_000;
const DISK_FULL = 'the disk of the spool is full';
const SPOOL_FULL = 'the spool is full (SPOOL_LIMIT)';

/**
 * Events on disk, from the moment they are received until the database has committed them.
 *
 * An event is in the kernel's hands when `append` resolves: from then on the end of this process, in whatever way,
 * loses nothing. It is on the disk itself within a second (and at the end of each segment, and on `close`).
 * Segments begin with a block of a new height, or with a session; so each can be read without those before it.
 *
 * Where the disk or the limit has no room, `append` waits until there is. There is one exception, without which a
 * disk that is full within a block would be full for good: once all blocks before it are applied, the block in hand
 * is taken in to its end, on a full disk into memory. When it is applied too, the segment that held it is given up.
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
  #writer: SegmentWriter | null = null;
  #batch: Uint8Array[] = [];
  #batchSize = 0;
  #next = 0;
  #chainId: string | null = null;
  /** The last record that the reader is done with: applied, left out, or of the block that it waits to be whole. */
  #passed = -1;
  /** The end of the last block of this session; none of it has ended at -1. */
  #lastEnd = -1;
  #inBlock = false;
  /** The last session that the reader has left before its end. */
  #left = -1;
  /** What `append` waits for: since when, and whether that was told. */
  #wait: { readonly reason: string; readonly since: number; told: boolean } | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  private constructor(options: SpoolOptions, segments: Segment[], lock: AsyncDisposable) {
    this.folder = options.folder;
    this.#limit = options.limit;
    this.#segmentSize = Math.min(options.segmentSize ?? SEGMENT_SIZE, options.limit / LEAST_SEGMENTS);
    this.#logger = options.logger;
    this.#segments = segments;
    this.#lock = lock;
  }

  /** Opens the spool with all that an earlier process left in it. Throws where another process uses it. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const segments = await listSegments(options.folder).catch((error: Error) => {
      throw new IngestError(`cannot open the spool in ${options.folder}: ${error.message}`, { cause: error });
    });
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

  /** Why no events are taken in at the moment, if that takes longer; null while they are. */
  get trouble(): string | null {
    return this.#wait?.told ? this.#wait.reason : null;
  }

  /** Whether nothing is added to a segment any more. */
  isFinished(segment: Segment): boolean {
    return segment !== this.#segments.at(-1);
  }

  /** The bytes at a place of a segment that are in memory only; null where its file has them. */
  heldAt(segment: Segment, position: number): Uint8Array | null {
    return segment === this.#writer?.segment ? this.#writer.heldAt(position) : null;
  }

  /** Tells that a reader begins, with the first record. */
  rewind(): void {
    this.#passed = -1;
    this.#left = -1;
  }

  /** Tells that the reader cannot go on with a session: it stays here while there is room, and no longer. */
  leave(session: number): void {
    this.#left = session;
    this.#changes.emit('change');
  }

  /** Tells that the reader is done with all records up to this one, a block that has not ended excepted. */
  pass(sequence: number): void {
    this.#passed = sequence;
    this.#changes.emit('change');
  }

  /** Resolves when something was added, passed or removed. Rejects with an AbortError when the signal is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.#changes, 'change', { signal });
  }

  /**
   * Adds events in their order; one caller at a time. `opensConnection` tells that the first of them is the first
   * of a connection. Waits while the spool or the disk is full. Throws an IngestError at an event of another network,
   * after all before it were added, and where there is no room for more of a session that the reader has left.
   */
  async append(
    events: readonly IncomingEvent[],
    { opensConnection, signal }: { readonly opensConnection: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    for (const [place, event] of events.entries()) {
      const { chainId } = event.head;
      if (chainId !== (this.#chainId ?? chainId)) {
        await this.#flush(signal);
        throw new IngestError(
          `sends an event of chain ${chainId}; the events before were of ${this.#chainId}`,
        );
      }
      const startsSession = place === 0 && this.#startsSession(event.head, opensConnection);
      if (place === 0) await this.#waitForRoom(startsSession, signal);
      await this.#add(event, startsSession, signal);
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
    await using _lock = this.#lock;
    const writer = this.#writer;
    this.#writer = null;
    if (writer === null) return;
    try {
      if (await writer.store()) return;
      const figures = { bytes: writer.held, folder: this.folder };
      this.#logger.error(figures, `${DISK_FULL}: the part of a block that was in memory is lost`);
    } finally {
      await writer.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #recover(): Promise<void> {
    for (let last = this.#segments.at(-1); last; last = this.#segments.at(-1)) {
      const { first } = last;
      let count = 0;
      const { records, lost } = await recoverSegment(last, (head) => {
        this.#note(head, first + count, count === 0);
        count += 1;
      });
      this.#next = first + records;
      if (lost > 0)
        this.#logger.warn({ bytes: lost, file: last.path }, 'cut an unfinished record off the spool');
      if (records > 0) {
        this.#writer = await SegmentWriter.reopen(this.folder, last);
        break;
      }
      removeSegment(last);
      this.#segments.pop();
    }
  }

  #startsSession(head: EventHead, opensConnection: boolean): boolean {
    return this.#segments.length === 0 || (opensConnection && !this.#continuity.isContinuedBy(head));
  }

  async #add({ head, payload }: IncomingEvent, startsSession: boolean, signal: AbortSignal): Promise<void> {
    const last = this.#writer;
    if (last === null || startsSession) {
      await this.#beginSegment(this.#next, true, signal);
    } else if (head.begins && head.begins.height !== this.#continuity.height) {
      const isFull = last.segment.size + this.#batchSize >= this.#segmentSize;
      if (isFull || last.held > 0) await this.#beginSegment(last.segment.session, false, signal);
    }
    this.#note(head, this.#next, startsSession);
    const record = frameRecord(payload, BigInt(this.#next));
    this.#next += 1;
    this.#batch.push(record);
    this.#batchSize += record.length;
  }

  /** Keeps in mind where the last record stands: in which session and block, and of which network. */
  #note(head: EventHead, sequence: number, startsSession: boolean): void {
    if (startsSession) {
      this.#lastEnd = -1;
      this.#inBlock = false;
    }
    if (head.begins) this.#inBlock = true;
    if (head.endsBlock) {
      this.#inBlock = false;
      this.#lastEnd = sequence;
    }
    this.#continuity.note(head, startsSession);
    this.#chainId ??= head.chainId;
  }

  /** Ends the last segment and begins one; in the place of the last, where that has to be given up for it. */
  async #beginSegment(session: number, startsSession: boolean, signal: AbortSignal): Promise<void> {
    const last = this.#writer;
    const canReplace = () => this.#passed === this.#next - 1 && (startsSession || !this.#inBlock);
    if (startsSession && last && this.#isLeft && last.held > 0) await last.drop();
    else await this.#flush(signal, canReplace);
    for (let isFull = last !== null && last.held > 0; ; isFull = true) {
      try {
        if (last && isFull && canReplace()) {
          this.#writer = await last.replace(this.#next, session);
          this.#segments.splice(-1, 1, this.#writer.segment);
        } else {
          this.#writer = await SegmentWriter.create(this.folder, this.#next, session);
          this.#segments.push(this.#writer.segment);
          await last?.close();
        }
        break;
      } catch (error) {
        if (!isNoRoom(error)) throw error;
        await this.#waitFor(DISK_FULL, signal);
      }
    }
    this.#goOn();
    this.#changes.emit('change');
  }

  /**
   * Writes what was added. What the disk has no room for is taken in nevertheless, and can be read; this waits until
   * it is written, or need not be: because there is room for more of the block in hand, or another reason.
   */
  async #flush(signal: AbortSignal, isDone = () => this.#waitsForMore()): Promise<void> {
    const writer = this.#writer;
    if (writer === null) return;
    const bytes = Buffer.concat(this.#batch, this.#batchSize);
    this.#batch = [];
    this.#batchSize = 0;
    let isStored = await writer.write(bytes);
    if (bytes.length > 0) this.#changes.emit('change');
    while (!isStored) {
      this.#warn(`${DISK_FULL}: a block at a time is taken in, once all before it are applied`);
      if (isDone()) break;
      await this.#waitFor(DISK_FULL, signal);
      isStored = await writer.store();
    }
    this.#goOn();
  }

  /** Whether there is nothing to be done but to take in more of a block. */
  #waitsForMore(): boolean {
    return !this.#isLeft && this.#passed >= this.#lastEnd && (this.#writer?.held ?? 0) < HELD_LIMIT;
  }

  /** Whether the reader has left the session that is added to. */
  get #isLeft(): boolean {
    return this.#writer !== null && this.#writer.segment.session <= this.#left;
  }

  async #waitForRoom(startsSession: boolean, signal: AbortSignal): Promise<void> {
    if (this.size >= this.#limit / 2) this.#warn('the spool is more than half full: the database is behind');
    if (!startsSession) {
      while (this.size >= this.#limit && !this.#waitsForMore()) await this.#waitFor(SPOOL_FULL, signal);
      while (this.#isLeft && this.#writer?.held && !(await this.#writer.store())) {
        await this.#waitFor(DISK_FULL, signal);
      }
    }
    this.#goOn();
  }

  /** Waits for a change, or a while, since a disk does not tell when it has room. */
  async #waitFor(reason: string, signal: AbortSignal): Promise<void> {
    if (this.#isLeft) {
      throw new IngestError(`sends what cannot be applied, and there is no room to keep it: ${reason}`);
    }
    this.#wait ??= { reason, since: performance.now(), told: false };
    if (!this.#wait.told && performance.now() - this.#wait.since >= TELL_AFTER_MS) {
      this.#wait.told = true;
      this.#logger.error(this.#figures(), `${reason}: the core waits until there is room`);
    }
    const timer = setTimeout(() => this.#changes.emit('change'), RETRY_MS);
    try {
      await this.changed(signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #goOn(): void {
    if (this.#wait?.told) this.#logger.info(this.#figures(), 'the spool has room again: events are taken in');
    this.#wait = null;
  }

  #warn(message: string): void {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    this.#logger.warn(this.#figures(), message);
  }

  #figures() {
    return { spooled: this.size, limit: this.#limit, folder: this.folder };
  }
}
