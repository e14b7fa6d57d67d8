import type { Logger } from 'pino';
import { SegmentWriter } from './segment-writer.ts';
import { recoverSegment, removeSegment, type Segment } from './segments.ts';
import type { SpoolPosition } from './spool-position.ts';

/**
 * Goes on where an earlier process ended: moves `position` behind the last whole record, removes segments at the end
 * without one, and opens the last that is left; null where none is.
 */
export async function recoverLastSegment(options: {
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
