import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { IngestError } from '../events.ts';
import { frameRecord } from '../frames.ts';
import type { EventHead } from './envelope.ts';
import { isNoRoom, SegmentWriter } from './segment-writer.ts';
import { type Segment, totalSize } from './segments.ts';
import type { SpoolPosition } from './spool-position.ts';
import { DISK_FULL, type RoomWait, SPOOL_FULL } from './spool-room.ts';

export interface IncomingEvent {
  readonly head: EventHead;
  readonly payload: Uint8Array;
}

export interface TailOptions {
  readonly folder: string;
  readonly limit: number;
  readonly segmentSize: number;
  /** The segments of the spool, which grow and are replaced at the end. */
  readonly segments: Segment[];
  readonly position: SpoolPosition;
  readonly room: RoomWait;
  /** Has a `change` when something was added. */
  readonly changes: EventEmitter;
  readonly logger: Logger;
}

/** How much of a block is held in memory while the disk is full. */
const HELD_LIMIT = 64 * 2 ** 20;

/** The end of a spool, where events are added: its last segment, and a batch that is not written yet. */
export class SpoolTail {
  readonly #options: TailOptions;
  #writer: SegmentWriter | null;
  #batch: Uint8Array[] = [];
  #batchSize = 0;

  /** `writer` is that of the last segment; null while there is none. */
  constructor(options: TailOptions, writer: SegmentWriter | null) {
    this.#options = options;
    this.#writer = writer;
  }

  /** The bytes at a place of a segment that are in memory only; null where its file has them. */
  heldAt(segment: Segment, position: number): Uint8Array | null {
    return segment === this.#writer?.segment ? this.#writer.heldAt(position) : null;
  }

  /** Waits until there is room for more. Throws an IngestError where the reader has left what it is for. */
  async waitForRoom(startsSession: boolean, signal: AbortSignal): Promise<void> {
    const { limit, room, segments } = this.#options;
    if (totalSize(segments) >= limit / 2)
      room.warn('the spool is more than half full: the database is behind');
    if (!startsSession) {
      while (totalSize(segments) >= limit && !this.#waitsForMore()) await this.#waitFor(SPOOL_FULL, signal);
      while (this.#isLeft && this.#writer?.held && !(await this.#writer.store())) {
        await this.#waitFor(DISK_FULL, signal);
      }
    }
    room.end();
  }

  /** Adds an event to the batch, in a new segment where it is time for one. */
  async add({ head, payload }: IncomingEvent, startsSession: boolean, signal: AbortSignal): Promise<void> {
    const { position, segmentSize } = this.#options;
    const last = this.#writer;
    if (last === null || startsSession) {
      await this.#beginSegment(position.next, true, signal);
    } else if (position.beginsHeight(head)) {
      const isFull = last.segment.size + this.#batchSize >= segmentSize;
      if (isFull || last.held > 0) await this.#beginSegment(last.segment.session, false, signal);
    }
    const record = frameRecord(payload, BigInt(position.next));
    position.advance(head, startsSession);
    this.#batch.push(record);
    this.#batchSize += record.length;
  }

  /**
   * Writes the batch. What the disk has no room for is taken in nevertheless, and can be read; this waits until
   * it is written, or need not be: because there is room for more of the block in hand, or another reason.
   */
  async flush(signal: AbortSignal, isDone = () => this.#waitsForMore()): Promise<void> {
    const { changes, room } = this.#options;
    const writer = this.#writer;
    if (writer === null) return;
    const bytes = Buffer.concat(this.#batch, this.#batchSize);
    this.#batch = [];
    this.#batchSize = 0;
    let isStored = await writer.write(bytes);
    if (bytes.length > 0) changes.emit('change');
    while (!isStored) {
      room.warn(`${DISK_FULL}: a block at a time is taken in, once all before it are applied`);
      if (isDone()) break;
      await this.#waitFor(DISK_FULL, signal);
      isStored = await writer.store();
    }
    room.end();
  }

  async close(): Promise<void> {
    const { folder, logger } = this.#options;
    const writer = this.#writer;
    this.#writer = null;
    if (writer === null) return;
    try {
      if (await writer.store()) return;
      logger.error(
        { bytes: writer.held, folder },
        `${DISK_FULL}: the part of a block that was in memory is lost`,
      );
    } finally {
      await writer.close();
    }
  }

  /** Ends the last segment and begins one; in the place of the last, where that has to be given up for it. */
  async #beginSegment(session: number, startsSession: boolean, signal: AbortSignal): Promise<void> {
    const { changes, folder, position, room, segments } = this.#options;
    const last = this.#writer;
    const canReplace = () => position.isPassed && (startsSession || !position.inBlock);
    if (startsSession && last && this.#isLeft && last.held > 0) await last.drop();
    else await this.flush(signal, canReplace);
    let ended: SegmentWriter | null = null;
    for (let isFull = last !== null && last.held > 0; ; isFull = true) {
      try {
        if (last && isFull && canReplace()) {
          this.#writer = await last.replace(position.next, session);
          segments.splice(-1, 1, this.#writer.segment);
        } else {
          this.#writer = await SegmentWriter.create(folder, position.next, session);
          segments.push(this.#writer.segment);
          ended = last;
        }
        break;
      } catch (error) {
        if (!isNoRoom(error)) throw error;
        await this.#waitFor(DISK_FULL, signal);
      }
    }
    // What a disk takes and has no room for when it is to keep it is lost, and no room is waited for.
    await ended?.close();
    room.end();
    changes.emit('change');
  }

  async #waitFor(reason: string, signal: AbortSignal): Promise<void> {
    if (this.#isLeft) {
      throw new IngestError(`sends what cannot be applied, and there is no room to keep it: ${reason}`);
    }
    await this.#options.room.waitOnce(reason, signal);
  }

  /** Whether there is nothing to be done but to take in more of a block. */
  #waitsForMore(): boolean {
    const { position } = this.#options;
    return !this.#isLeft && position.isPassedToBlock && (this.#writer?.held ?? 0) < HELD_LIMIT;
  }

  /** Whether the reader has left the session that is added to. */
  get #isLeft(): boolean {
    return this.#writer !== null && this.#options.position.hasLeft(this.#writer.segment.session);
  }
}
