import type { Positioned } from '../data/noun.ts';
import { findBlock, findBlocks, findHistoryStart, findLastBlockWithin } from '../data/queries/blocks.ts';
import type { Semaphore } from '../data/servers/semaphore.ts';
import type { Statements } from '../data/servers/statements.ts';
import { min } from '../domain/bigints.ts';
import type { StreamCursor } from '../domain/cursors.ts';
import { groupBy } from '../domain/groups.ts';
import { heightOf } from '../domain/positions.ts';
import { blockOutOfRange, type GatewayError } from '../errors.ts';
import type { BlockFeed } from './block-feed.ts';
import { type FeedBlock, fromBlock, NO_BLOCK, type Reached, type Snapshot, type Updates } from './events.ts';
import type { Hub } from './hub.ts';
import { latestRows } from './latest-rows.ts';
import { readWithRetry } from './retry.ts';
import { readWholeBlocks } from './whole-blocks.ts';

/*
 * What a stream reads from the database: its snapshot, and the changes since then, up to where the feed has come.
 */

/** How many rows a message of a snapshot has at most. */
export const SNAPSHOT_PAGE = 1000;
/** How many changes are read at once at most. */
export const CHANGES_PAGE = 5000;

export interface StreamSource<R extends Positioned, Filter> {
  readonly statements: Statements;
  readonly feed: BlockFeed;
  readonly hub: Hub<R, Filter>;
  readonly filter: Filter;
  /** From where to go on; null starts with a snapshot. */
  readonly after: StreamCursor | null;
  /** How long the stream is quiet before it says how far it has come; null where its reader does not want to know. */
  readonly progressMs?: number | null;
  /** Shared by all streams, so that many at once leave connections to everybody else. */
  readonly reads: Semaphore;
}

/**
 * The rows that pass a filter, as they were at a position, page by page at the reader's pace; those after a row, where
 * one is given. The history of changes says what each row was then, so no transaction is held and nothing waits in
 * memory. They bear the block that is known at the position, or else the one that the database has at its height.
 */
export async function* readSnapshot<R extends Positioned, Filter>(
  source: StreamSource<R, Filter>,
  position: bigint,
  afterRow: bigint,
  signal: AbortSignal,
  known: FeedBlock | null,
): AsyncGenerator<Snapshot<R>, void> {
  const { hub, statements, filter, reads } = source;
  // The database has the last part alone of a height that began again.
  const block = known?.position === position ? known : await findBlockOf(source, position, signal);
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

type Source = Pick<StreamSource<never, never>, 'reads' | 'statements'>;

/** What says that everything up to a position was told: with the last block until there. */
export async function findReached(
  { reads, statements }: Source,
  position: bigint,
  signal: AbortSignal,
): Promise<Reached> {
  const block = await readWithRetry({ reads, signal }, () => findLastBlockWithin(statements, -1n, position));
  return { kind: 'reached', block: block === null ? NO_BLOCK : fromBlock(block), position, rows: [] };
}

async function findBlockOf(
  { reads, statements }: Source,
  position: bigint,
  signal: AbortSignal,
): Promise<FeedBlock> {
  const height = heightOf(position);
  const block = await readWithRetry({ reads, signal }, () => findBlock(statements, height));
  if (block === null) return NO_BLOCK;
  const { lastPosition: _, ...named } = block;
  return { ...named, position };
}

/** How far a part of the history was read: what it has was told. */
export interface Progress {
  readonly kind: 'progress';
  readonly position: bigint;
  /** How many changes were looked up one by one for it. */
  readonly lookedUp: number;
}

/** Reads about so many changes from the database: again while it is away, or in a place among others. */
export type Read = <T>(read: (limit: number) => Promise<T>) => Promise<T>;

/**
 * The changes after one position and up to another, from the history, block by block, read page by page at the
 * reader's pace, each by `read`; after each page, how far that went. Throws OUT_OF_RANGE when the history does not reach back so far, or
 * no longer does.
 */
export async function* catchUp<R extends Positioned, Filter>(
  source: Pick<StreamSource<R, Filter>, 'hub' | 'statements' | 'filter'> & { readonly read: Read },
  from: bigint,
  upTo: bigint,
  signal: AbortSignal,
): AsyncGenerator<Updates<R> | Progress, void> {
  const { hub, statements, filter, read } = source;
  let after = from;
  while (after < upTo && !signal.aborted) {
    const place = { after, upTo };
    const {
      groups,
      blocks,
      reached,
      lookedUp = 0,
    } = await read(async (limit) => {
      const page = await readWholeBlocks((part) => hub.topic.log.readChanges(statements, filter, part), {
        ...place,
        limit,
      });
      await checkHistory(statements, hub.topic.log, place.after);
      const groups = groupBy(page.changes, ({ position }) => heightOf(position));
      return { ...page, groups, blocks: await findBlocks(statements, [...groups.keys()]) };
    });
    for (const [height, changes] of groups) {
      const block = blocks.get(height);
      if (block === undefined) throw forgotten(null);
      const { lastPosition, ...named } = block;
      yield {
        kind: 'updates',
        block: { ...named, position: lastPosition },
        // A height that has begun again by now has a part that is yet to come.
        position: min(lastPosition, upTo),
        rows: latestRows(changes.map(({ row }) => row)),
      };
    }
    after = reached;
    yield { kind: 'progress', position: reached, lookedUp };
  }
}

/**
 * Throws OUT_OF_RANGE where the history no longer reaches back to a position. To be called after the reading that it
 * vouches for: history is trimmed while it is read.
 */
async function checkHistory(
  statements: Statements,
  { isTrimmed }: { readonly isTrimmed: boolean },
  position: bigint,
): Promise<void> {
  if (!isTrimmed) return;
  const start = await findHistoryStart(statements);
  if (start > position) throw await forgottenUpTo(statements, start);
}

/** What is said where what is asked for is before the first changes that are kept. */
export async function forgottenUpTo(statements: Statements, start: bigint): Promise<GatewayError> {
  return forgotten(await findLastBlockWithin(statements, -1n, start));
}

function forgotten(first: Pick<FeedBlock, 'height'> | null): GatewayError {
  const from = first === null ? '' : `: the first block that one can go on after is ${first.height}`;
  return blockOutOfRange(
    'BLOCK_NOT_KEPT',
    `Not all changes after this block are kept${from}. Begin again: a stream without a cursor, with a new snapshot; a poll with the rows as of a block, and the changes after it.`,
    { firstHeight: first?.height },
  );
}
