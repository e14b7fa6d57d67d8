import type { EventHead } from './envelope.ts';

/**
 * Decides whether what comes over a new connection goes on where the last one ended. A core that was restarted sends
 * again from an earlier block: that is a new session. A core that only lost its connection goes on with its next
 * event, and where the ids prove that none is missing, the session goes on too.
 */
export class Continuity {
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
