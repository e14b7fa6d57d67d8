import type { Positioned } from '../data/noun.ts';
import { findBlock } from '../data/queries/blocks.ts';
import { heightOf } from '../domain/positions.ts';
import { type FeedBlock, NO_BLOCK, type Snapshot } from './events.ts';
import { checkHistory } from './history.ts';
import { readWithRetry } from './retry.ts';
import type { StreamSource } from './stream-source.ts';

/** How many rows a message of a snapshot has at most. */
export const SNAPSHOT_PAGE = 1000;

/**
 * The rows that pass a filter, as they were at a position, page by page at the reader's pace; those after a row, where
 * one is given. The history of changes says what each row was then, so no transaction is held and nothing waits in
 * memory.
 */
export async function* readSnapshot<R extends Positioned, Filter>(
  source: StreamSource<R, Filter>,
  position: bigint,
  afterRow: bigint,
  signal: AbortSignal,
): AsyncGenerator<Snapshot<R>, void> {
  const { hub, statements, filter, reads } = source;
  const block = await findBlockOf(source, position, signal);
  let last = afterRow;
  for (let lastPage = false; !lastPage; ) {
    const page = { asOf: position, afterRow: last, limit: SNAPSHOT_PAGE + 1 };
    const read = await readWithRetry({ reads, signal }, async () => {
      const rows = await hub.topic.log.readState(statements, filter, page);
      await checkHistory(statements, hub.topic.log, position);
      return rows;
    });
    lastPage = read.length <= SNAPSHOT_PAGE;
    const rows = read.slice(0, SNAPSHOT_PAGE);
    last = rows.at(-1)?.createdPosition ?? last;
    yield { kind: 'snapshot', block, rows, lastPage };
  }
}

async function findBlockOf<R extends Positioned, Filter>(
  { reads, statements }: StreamSource<R, Filter>,
  position: bigint,
  signal: AbortSignal,
): Promise<FeedBlock> {
  const height = heightOf(position);
  const block = await readWithRetry({ reads, signal }, () => findBlock(statements, height));
  if (block === null) return NO_BLOCK;
  const { lastPosition: _, ...named } = block;
  return { ...named, position };
}
