import type { QueryConfig } from 'pg';
import type { Reach } from './coverage.ts';

/** How far back a database is to know things, in blocks behind the newest. */
export interface Retention {
  /** How far back streams resume. */
  readonly historyBlocks: Reach;
  /** How far back questions about the past reach. */
  readonly pastBlocks: Reach;
}

export const ALL_OF_IT: Retention = { historyBlocks: null, pastBlocks: null };

/** How often, in blocks, the boundaries move. */
const MOVE_EVERY = 10n;

/**
 * What moves the boundaries behind blocks that are being applied, within their transaction: from then on streams and questions
 * from before them are out of range. What is on disk goes later.
 */
export function moveBoundaries(
  heights: readonly bigint[],
  { historyBlocks, pastBlocks }: Retention,
): readonly QueryConfig[] {
  const height = heights.findLast((one) => one % MOVE_EVERY === 0n);
  if (height === undefined || (historyBlocks === null && pastBlocks === null)) return [];
  const behind = (blocks: Reach) => (blocks === null ? -1n : height - BigInt(blocks));
  return [
    {
      name: 'move boundaries',
      text: `UPDATE networks SET history_from = greatest(history_from, ${endOf('$1')}), past_from = greatest(past_from, ${endOf('$2')})`,
      values: [behind(historyBlocks), behind(pastBlocks)],
    },
  ];
}

/** The end of the last block up to a height. */
function endOf(height: string): string {
  return `(SELECT last_position FROM blocks WHERE height <= ${height} ORDER BY height DESC LIMIT 1)`;
}
