import type { Block } from '../data/generated/prisma/client.ts';
import { UnknownCounts } from './unknowns.ts';

/** What an ingest has done since it began, as plain numbers: read when metrics are asked for. */
export class IngestCounts {
  /** How many blocks were applied, and how many the database held already. */
  applied = 0;
  skipped = 0;
  /** The events of the blocks that were applied. */
  events = 0;
  /** What was read of sources, or sent by a core node. */
  bytes = 0;
  /** The newest block that the database is known to hold. */
  newest: Pick<Block, 'height' | 'timestamp'> | null = null;
  /** What came that this version does not know. */
  readonly unknowns = new UnknownCounts();
  /** The events that wait on disk; null where none do. */
  spool: { readonly bytes: number; readonly limit: number; readonly segments: number } | null = null;
  /** Whether a core node is connected; null where none is listened for. */
  isConnected: boolean | null = null;
  /** Whether events are held up: the spool has no room, or what is in it, or in another source, cannot be applied. */
  isHeldUp = false;
  /** The block that cannot be applied, while that is known. */
  heldUpBlock: bigint | null = null;
  /** How many events were passed over as damaged. */
  skippedEvents = 0;
}
