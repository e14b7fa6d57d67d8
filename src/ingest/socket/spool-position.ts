import type { EventHead } from './envelope.ts';

/** Where the last record of a spool stands, in which session and block and of which network; and how far its reader is. */
export class SpoolPosition {
  readonly #continuity = new Continuity();
  #next = 0;
  #chainId: string | null = null;
  /** The end of the last block of this session; none of it has ended at -1. */
  #lastEnd = -1;
  #inBlock = false;
  /** The last record that the reader is done with: applied, left out, or of the block that it waits to be whole. */
  #passed = -1;
  /** The last session that the reader has left before its end. */
  #left = -1;

  /** The number of the next record. */
  get next(): number {
    return this.#next;
  }

  /** The network that all records are of; null while there are none. */
  get chainId(): string | null {
    return this.#chainId;
  }

  /** Whether the last record is within a block. */
  get inBlock(): boolean {
    return this.#inBlock;
  }

  /** Whether the reader is done with all records. */
  get isPassed(): boolean {
    return this.#passed === this.#next - 1;
  }

  /** Whether the reader is done with all blocks of this session but the one in hand. */
  get isPassedToBlock(): boolean {
    return this.#passed >= this.#lastEnd;
  }

  /** Whether this session goes on with an event that is the first of a connection. */
  isContinuedBy(head: EventHead): boolean {
    return this.#continuity.isContinuedBy(head);
  }

  /** Whether the event begins another height than that of the last block. */
  beginsHeight({ begins }: EventHead): boolean {
    return begins !== null && begins.height !== this.#continuity.height;
  }

  /** The next record gets this number. */
  startAt(sequence: number): void {
    this.#next = sequence;
  }

  /** Keeps in mind where the next record stands. */
  advance(head: EventHead, startsSession: boolean): void {
    if (startsSession) {
      this.#lastEnd = -1;
      this.#inBlock = false;
    }
    if (head.begins) this.#inBlock = true;
    if (head.endsBlock) {
      this.#inBlock = false;
      this.#lastEnd = this.#next;
    }
    this.#next += 1;
    this.#continuity.note(head, startsSession);
    this.#chainId ??= head.chainId;
  }

  /** The reader begins, with the first record. */
  rewind(): void {
    this.#passed = -1;
    this.#left = -1;
  }

  /** The reader is done with all records up to this one. */
  pass(sequence: number): void {
    this.#passed = sequence;
  }

  /** The reader cannot go on with a session. */
  leave(session: number): void {
    this.#left = session;
  }

  hasLeft(session: number): boolean {
    return session <= this.#left;
  }
}

/**
 * Decides whether what comes over a new connection goes on where the last one ended. A core that was restarted sends
 * again from an earlier block: that is a new session. A core that only lost its connection goes on with its next
 * event, and where the ids prove that none is missing, the session goes on too.
 */
class Continuity {
  #last: EventHead | null = null;
  #height: number | null = null;
  /** Of the blocks that began at this height. A network can begin one height twice, under two hashes. */
  #hashes: string[] = [];

  /** The height of the block that began last. */
  get height(): number | null {
    return this.#height;
  }

  note(head: EventHead, startsSession: boolean): void {
    if (startsSession) this.#height = null;
    if (head.begins) {
      const { height, hash } = head.begins;
      this.#hashes = height === this.#height ? [...this.#hashes, hash] : [hash];
      this.#height = height;
    }
    this.#last = head;
  }

  /** Never true where an event may be missing; may be false where none is. */
  isContinuedBy({ id, begins }: EventHead): boolean {
    const last = this.#last;
    if (last === null) return false;
    if (id && last.id && id.height === last.id.height && id.index === last.id.index + 1) return true;
    return (
      last.endsBlock &&
      begins !== null &&
      begins.height === this.#height &&
      !this.#hashes.includes(begins.hash)
    );
  }
}
