import type { Hindrance } from '../data/writing/hold-ups.ts';
import type { IngestCounts } from './ingest-counts.ts';

/** An ingest that runs until it is closed. */
export interface RunningIngest extends AsyncDisposable {
  /** Rejects when the ingest cannot go on, which it says only where no waiting helps; never resolves. */
  readonly failed: Promise<never>;
  /** What it has done, and how things stand. */
  readonly counts: IngestCounts;
  /** Why the next block cannot be applied, also where the database could not be told; null where it can. */
  readonly heldUp: Hindrance | null;
  /** Takes what was sent already into the spool, where there is one, finishes the block in hand, and ends. */
  close(): Promise<void>;
}
