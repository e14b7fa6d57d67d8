import type { Change } from '../data/history/change-pages.ts';
import type { Positioned } from '../data/noun.ts';
import { findBlocks } from '../data/queries/blocks.ts';
import { heightOf } from '../domain/positions.ts';
import type { Updates } from './events.ts';
import { checkHistory, forgotten } from './history.ts';
import { readWithRetry } from './retry.ts';
import type { StreamSource } from './stream-source.ts';
import { min, readWholeBlocks } from './whole-blocks.ts';

const CHANGES_PAGE = 5000;

/**
 * The changes after one position and up to another, from the history, block by block, read page by page at the
 * reader's pace. Throws OUT_OF_RANGE when the history does not reach back so far, or no longer does.
 */
export async function* catchUp<R extends Positioned, Filter>(
  source: StreamSource<R, Filter>,
  from: bigint,
  upTo: bigint,
  signal: AbortSignal,
): AsyncGenerator<Updates<R>, void> {
  const { hub, statements, filter, reads } = source;
  let after = from;
  while (after < upTo && !signal.aborted) {
    const range = { after, upTo, limit: CHANGES_PAGE };
    const { groups, blocks, reached } = await readWithRetry({ reads, signal }, async () => {
      const page = await readWholeBlocks(
        (part) => hub.topic.log.readChanges(statements, filter, part),
        range,
      );
      await checkHistory(statements, hub.topic.log, range.after);
      const groups = groupByHeight(page.changes);
      return { groups, blocks: await findBlocks(statements, [...groups.keys()]), reached: page.reached };
    });
    for (const [height, changes] of groups) {
      const block = blocks.get(height);
      if (block === undefined) throw forgotten();
      const { lastPosition, ...named } = block;
      yield {
        kind: 'updates',
        block: { ...named, position: lastPosition },
        // A height that has begun again by now has a part that is yet to come.
        position: min(lastPosition, upTo),
        rows: latestOf(changes),
      };
    }
    after = reached;
  }
}

/** A row that changed more than once has its last state, at its first place. */
function latestOf<R extends Positioned>(changes: readonly Change<R>[]): readonly R[] {
  return [...new Map(changes.map(({ row }) => [row.createdPosition, row])).values()];
}

function groupByHeight<R>(changes: readonly Change<R>[]): ReadonlyMap<bigint, readonly Change<R>[]> {
  const groups = new Map<bigint, Change<R>[]>();
  for (const change of changes) {
    const height = heightOf(change.position);
    const group = groups.get(height);
    if (group === undefined) groups.set(height, [change]);
    else group.push(change);
  }
  return groups;
}
