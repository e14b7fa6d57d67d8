import type { Logger } from 'pino';
import type { SkippedEvent } from '../data/writing/hold-ups.ts';
import type { Writer } from '../data/writing/writer.ts';
import { type IngestSummary, NOTHING_APPLIED } from './apply.ts';
import type { IngestCounts } from './ingest-counts.ts';
import type { BlockUnknowns } from './unknowns.ts';

/**
 * Counts what is applied of one source, and says in the log what of it is unknown or passed over. `onBlock` is called before a block is
 * counted, with whether the database has it from here.
 */
export function countBlocks(
  {
    writer,
    counts,
    logger,
  }: { readonly writer: Writer; readonly counts: IngestCounts; readonly logger: Logger },
  onBlock: (isNew: boolean) => void,
) {
  let before = NOTHING_APPLIED;
  return {
    onBlock(latest: IngestSummary) {
      onBlock(latest.applied > before.applied);
      counts.add(latest, before);
      before = latest;
      counts.newest = writer.lastBlock;
    },
    onUnknowns(unknowns: BlockUnknowns) {
      for (const sentence of counts.unknowns.add(unknowns)) logger.warn(sentence);
    },
    onSkipped(skipped: readonly SkippedEvent[], height: bigint) {
      const [first] = skipped;
      const figures = {
        block: Number(height),
        events: skipped.length,
        ...(first && { kind: first.kind, reason: first.reason }),
      };
      logger.warn(figures, 'passed over what cannot be taken (--skip-damaged)');
    },
  };
}
