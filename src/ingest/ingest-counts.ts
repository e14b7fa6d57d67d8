import type { Block } from '../data/generated/prisma/client.ts';
import type { Hindrance } from '../data/writing/hold-ups.ts';
import type { IngestSummary } from './apply.ts';
import { UnknownCounts } from './unknowns.ts';

/** How a source stands whose events come by themselves; of any other, all is null. */
export interface SourceState {
  /** The events that wait on disk. */
  readonly spool: { readonly bytes: number; readonly limit: number; readonly segments: number } | null;
  /** Whether a core node is connected. */
  readonly isConnected: boolean | null;
  /** Why it gives no blocks at the moment, where that is not for having none. */
  readonly trouble: string | null;
}

export const NO_SOURCE_STATE: SourceState = { spool: null, isConnected: null, trouble: null };

/** What an ingest has done since it began, as plain numbers, and how it stands: read when metrics are asked for. */
export class IngestCounts {
  /** How many blocks were applied, and how many the database held already. */
  applied = 0;
  skipped = 0;
  /** The events of the blocks that were applied. */
  events = 0;
  /** How many events were passed over as damaged. */
  skippedEvents = 0;
  /** What was read of sources, or sent by a core node. */
  bytes = 0;
  /** The newest block that the database is known to hold. */
  newest: Pick<Block, 'height' | 'timestamp'> | null = null;
  /** What came that this version does not know. */
  readonly unknowns = new UnknownCounts();
  /** Why no blocks are applied at the moment; null while they are. */
  trouble: string | null = null;
  /** What the next block cannot be applied for, until it is; null where it can, for all that is known. */
  heldUp: Hindrance | null = null;
  #readSource = () => NO_SOURCE_STATE;

  get source(): SourceState {
    return this.#readSource();
  }

  watch(readSource: () => SourceState): void {
    this.#readSource = readSource;
  }

  /** The height of the newest block, for the log. */
  get height(): number | null {
    return this.newest && Number(this.newest.height);
  }

  /** Whether events are held up: the spool has no room, or what is in it, or in another source, cannot be applied. */
  get isHeldUp(): boolean {
    return this.trouble !== null || this.heldUp !== null || this.source.trouble !== null;
  }

  /** The block that cannot be applied, while that is known. */
  get heldUpBlock(): bigint | null {
    return this.heldUp?.height ?? null;
  }

  /** Adds what has come of a source since it was counted before. */
  add(latest: IngestSummary, before: IngestSummary): void {
    this.applied += latest.applied - before.applied;
    this.skipped += latest.skipped - before.skipped;
    this.events += latest.events - before.events;
    this.skippedEvents += latest.skippedEvents - before.skippedEvents;
  }
}
