import { findBlock } from '../data/blocks.ts';
import type { Positioned } from '../data/noun.ts';
import { heightOf } from '../domain/positions.ts';
import { GatewayError } from '../errors.ts';
import { catchUp } from './catch-up.ts';
import { type FeedBlock, NO_BLOCK, type StreamEvent } from './events.ts';
import { checkHistory } from './history.ts';
import { readWithRetry } from './retry.ts';
import type { StreamSource } from './stream-source.ts';

/** How many rows a message of a snapshot has at most. */
export const SNAPSHOT_PAGE = 1000;

/**
 * A snapshot of the rows that pass a filter, as they were at the end of one block, then every later change of them
 * once, in order, whole blocks at a time:
 *
 *   snapshot    pages of the state at one position, read at the reader's pace: the history of changes says what each row
 *               was then, so no transaction is held and nothing waits in memory
 *   catching up the changes since, from the history, page by page, until the feed's own block is reached; the mailbox
 *               was opened at that block before, so nothing falls between
 *   live        what the feed puts into the mailbox; what was sent already is left out by its position
 *
 * A mailbox that overflows while catching up is thrown away, and catching up goes on: the history has it all. So it
 * does when the feed itself lost its place. Once live an overflow means that the reader is too slow, and the stream
 * ends with RESOURCE_EXHAUSTED. One that stands before the history's beginning ends with OUT_OF_RANGE. A database that
 * is away is waited for, for a minute.
 */
export async function* followChanges<R extends Positioned, Filter>(
  source: StreamSource<R, Filter>,
): AsyncGenerator<StreamEvent<R>, void> {
  const { feed, hub, filter, after, signal } = source;
  let position = after?.position ?? feed.latest.position;
  if (after === null || after.row !== null) yield* readSnapshot(source, position, after?.row ?? -1n);
  while (!signal.aborted) {
    const { mailbox, leave } = hub.join(filter);
    try {
      // The feed's block of the very moment of joining: whatever comes after it comes into the mailbox.
      const joined = feed.latest.position;
      for await (const updates of catchUp(source, position, joined)) {
        yield updates;
        position = updates.position;
      }
      if (position < joined) position = joined;
      if (mailbox.isFull) continue;
      for (let next = await mailbox.take(signal); next !== null; next = await mailbox.take(signal)) {
        if (next.position <= position) continue;
        yield next;
        position = next.position;
      }
      if (mailbox.isFull) throw tooSlow();
    } finally {
      leave();
    }
  }
}

async function* readSnapshot<R extends Positioned, Filter>(
  source: StreamSource<R, Filter>,
  position: bigint,
  afterRow: bigint,
): AsyncGenerator<StreamEvent<R>, void> {
  const { hub, statements, filter } = source;
  const block = await findBlockOf(source, position);
  let last = afterRow;
  for (let lastPage = false; !lastPage; ) {
    const page = { asOf: position, afterRow: last, limit: SNAPSHOT_PAGE + 1 };
    const read = await readWithRetry(source, async () => {
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
  source: StreamSource<R, Filter>,
  position: bigint,
): Promise<FeedBlock> {
  const height = heightOf(position);
  const block = await readWithRetry(source, () => findBlock(source.statements, height));
  if (block === null) return NO_BLOCK;
  const { lastPosition: _, ...named } = block;
  return { ...named, position };
}

function tooSlow(): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    'The stream was read too slowly and has fallen too far behind. Go on from the last cursor, or begin again.',
  );
}
