import { EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';
import type { Backoff } from '../../backoff.ts';
import { IngestError } from '../events.ts';
import type { EventHead } from './envelope.ts';
import { SegmentWriter } from './segment-writer.ts';
import {
  listSegments,
  lockSpool,
  makeFolder,
  recoverSegment,
  removeSegment,
  type Segment,
  SpoolError,
  totalSize,
} from './segments.ts';
import { SpoolPosition } from './spool-position.ts';
import { RoomWait } from './spool-room.ts';
import { type IncomingEvent, SpoolTail } from './spool-tail.ts';

export interface SpoolOptions {
  readonly folder: string;
  /** How many bytes it may hold before appending waits for it to be trimmed. */
  readonly limit: number;
  /** A segment ends with the block that brings it to this size. */
  readonly segmentSize?: number;
  readonly logger: Logger;
}

/** What an earlier process left, and the lock that keeps others off it. */
interface FoundSpool {
  readonly lock: AsyncDisposable;
  readonly segments: Segment[];
  readonly position: SpoolPosition;
  /** Of the last segment; null where there is none. */
  readonly writer: SegmentWriter | null;
}

const SEGMENT_SIZE = 16 * 2 ** 20;
/** So that a full spool has something to give up that is not added to any more. */
const LEAST_SEGMENTS = 4;

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
  readonly #segments: Segment[];
  readonly #position: SpoolPosition;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #room: RoomWait;
  readonly #tail: SpoolTail;
  readonly #lock: AsyncDisposable;
  readonly #logger: Logger;
  /** Why the disk keeps what is done with; null where it does not. */
  #kept: string | null = null;

  private constructor(options: SpoolOptions, { lock, segments, position, writer }: FoundSpool) {
    const { folder, limit, logger } = options;
    const segmentSize = Math.min(options.segmentSize ?? SEGMENT_SIZE, limit / LEAST_SEGMENTS);
    const changes = this.#changes;
    const room = new RoomWait({ changes, logger, figures: () => ({ spooled: this.size, limit, folder }) });
    this.folder = folder;
    this.#lock = lock;
    this.#logger = logger;
    this.#segments = segments;
    this.#position = position;
    this.#room = room;
    this.#tail = new SpoolTail(
      { folder, limit, segmentSize, segments, position, room, changes, logger },
      writer,
    );
  }

  /** Opens the spool with all that an earlier process left in it. Throws where another process uses it. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const { folder, logger } = options;
    const fail = (error: Error) => {
      throw new IngestError(`cannot open the spool in ${folder}: ${error.message}`, { cause: error });
    };
    await makeFolder(folder).catch(fail);
    const lock = await lockSpool(folder);
    const position = new SpoolPosition();
    try {
      // Whoever had the lock may have added to it until then.
      const segments = await listSegments(folder).catch(fail);
      const writer = await recoverLastSegment({ folder, segments, position, logger });
      return new Spool(options, { lock, segments, position, writer });
    } catch (error) {
      await lock[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The network that all events here are of; null while there are none. */
  get chainId(): string | null {
    return this.#position.chainId;
  }

  get size(): number {
    return totalSize(this.#segments);
  }

  /** The number of the last record, whether or not it is still here; -1 before the first. */
  get lastSequence(): number {
    return this.#position.next - 1;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Why no events are taken in at the moment, if that takes longer; null while they are. */
  get trouble(): string | null {
    return this.#room.trouble;
  }

  /** Whether nothing is added to a segment any more. */
  isFinished(segment: Segment): boolean {
    return segment !== this.#segments.at(-1);
  }

  /** The bytes at a place of a segment that are in memory only; null where its file has them. */
  heldAt(segment: Segment, position: number): Uint8Array | null {
    return this.#tail.heldAt(segment, position);
  }

  /** A reader begins, with the first record. */
  rewind(): void {
    this.#position.rewind();
  }

  /** The reader cannot go on with a session: it stays here while there is room, and no longer. */
  leave(session: number): void {
    this.#position.leave(session);
    this.#changes.emit('change');
  }

  /** The reader is done with all records up to this one, a block that has not ended excepted. */
  pass(sequence: number): void {
    this.#position.pass(sequence);
    this.#changes.emit('change');
  }

  /** Resolves when something was added, passed or removed. Rejects with an AbortError when the signal is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.#changes, 'change', { signal });
  }

  /**
   * Adds events in their order; one caller at a time. `opensConnection` says that the first of them is the first
   * of a connection. Waits while the spool or the disk is full. Throws an IngestError at an event of another network,
   * after all before it were added, and where there is no room for more of a session that the reader has left.
   */
  async append(
    events: readonly IncomingEvent[],
    { opensConnection, signal }: { readonly opensConnection: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    for (const [index, event] of events.entries()) {
      const { chainId } = event.head;
      if (chainId !== (this.chainId ?? chainId)) {
        await this.#tail.flush(signal);
        throw new IngestError(
          `sends an event of chain ${chainId}; the events before were of ${this.chainId}`,
        );
      }
      const startsSession = index === 0 && this.#startsSession(event.head, opensConnection);
      if (index === 0) await this.#tail.waitForRoom(startsSession, signal);
      await this.#tail.add(event, startsSession, signal);
    }
    await this.#tail.flush(signal);
  }

  /**
   * Removes the segments before one whose beginning, at least, is done with. Nothing that comes needs one to be gone: where the disk
   * keeps it, that is said once, and tried again at the next call.
   */
  trimBefore(segment: Segment): void {
    const before = this.#kept;
    this.#kept = null;
    const count = this.#segments.indexOf(segment);
    if (count <= 0) return;
    try {
      for (const trimmed of this.#segments.slice(0, count)) {
        removeSegment(trimmed);
        this.#segments.shift();
      }
    } catch (error) {
      if (!(error instanceof SpoolError)) throw error;
      this.#kept = error.message;
      if (before !== error.message)
        this.#logger.warn(
          { reason: error.message, spooled: this.size },
          'the disk of the spool keeps what is done with; it is tried again at each block',
        );
    }
    this.#changes.emit('change');
  }

  /** Says that the disk did not give what is here, and waits before that is tried again. */
  async waitForDisk({ message }: SpoolError, backoff: Backoff): Promise<void> {
    this.#logger.warn(
      { reason: message, retrySeconds: backoff.nextMs / 1000, spooled: this.size },
      'the disk of the spool fails; it is tried again',
    );
    await backoff.wait();
  }

  async close(): Promise<void> {
    await using _lock = this.#lock;
    await this.#tail.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #startsSession(head: EventHead, opensConnection: boolean): boolean {
    return this.#segments.length === 0 || (opensConnection && !this.#position.isContinuedBy(head));
  }
}

/**
 * Goes on where an earlier process ended: moves `position` behind the last whole record, removes segments at the end
 * without one, and opens the last that is left; null where none is.
 */
async function recoverLastSegment(options: {
  readonly folder: string;
  readonly segments: Segment[];
  readonly position: SpoolPosition;
  readonly logger: Logger;
}): Promise<SegmentWriter | null> {
  const { folder, segments, position, logger } = options;
  for (let last = segments.at(-1); last; last = segments.at(-1)) {
    const { first, path } = last;
    position.startAt(first);
    const { records, lost } = await recoverSegment(last, (head) => {
      position.advance(head, position.next === first);
    });
    if (lost > 0) logger.warn({ bytes: lost, file: path }, 'cut an unfinished record off the spool');
    if (records > 0) return SegmentWriter.reopen(folder, last);
    removeSegment(last);
    segments.pop();
  }
  return null;
}
