import type { Logger } from 'pino';
import { describeHindrance, describeRemedies } from '../../data/writing/hold-ups.ts';
import type { Writer } from '../../data/writing/writer.ts';
import type { IngestError } from '../events.ts';
import { hindranceOf } from '../events.ts';
import type { IngestCounts } from '../ingest-counts.ts';
import type { Spool } from './spool.ts';
import type { SessionSource } from './spool-source.ts';

/** What the spool has to keep while its sessions cannot be applied, and what is said of it. */
export class SpoolHoldUp {
  /** Whether it is an event that cannot be taken: what comes after it is wanted as soon as it can be. */
  #keepsAll = false;

  get keepsAll(): boolean {
    return this.#keepsAll;
  }

  /** A block was applied: what there was, is over. */
  end(): void {
    this.#keepsAll = false;
  }

  /** Of several reasons the first event is told: what else cannot be applied after it, follows from it. */
  async begin(
    error: IngestError,
    { session }: SessionSource,
    writer: Writer,
    {
      spool,
      counts,
      version,
      logger,
    }: {
      readonly spool: Spool;
      readonly counts: IngestCounts;
      readonly version: string;
      readonly logger: Logger;
    },
  ): Promise<void> {
    const hindrance = hindranceOf(error, writer.lastBlock);
    const { folder } = spool;
    if (this.#keepsAll) {
      logger.error(
        { reason: error.message, folder },
        'cannot go on with later events either: they stay, too',
      );
      return;
    }
    this.#keepsAll = hindrance.kind !== null;
    counts.trouble = error.message;
    counts.heldUp = hindrance;
    if (hindrance.kind === null) {
      spool.leave(session);
      logger.error(
        { reason: error.message, folder },
        'cannot go on with these events: they stay in the spool until the core begins again at an earlier block',
      );
    } else {
      const { height, kind, field, value, place } = hindrance;
      logger.error(
        { block: height === null ? null : Number(height), kind, field, value, place, folder },
        `ingest is ${describeHindrance(hindrance)}. What comes stays in the spool. ${describeRemedies(hindrance)}`,
      );
    }
    // A database that is away is told when it is back: this is begun again then.
    await writer.holdUp(hindrance, version);
  }
}
