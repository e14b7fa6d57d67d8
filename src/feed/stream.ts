import { setTimeout as sleep } from 'node:timers/promises';
import { findBlocks, findHistoryStart } from '../data/blocks.ts';
import type { Change } from '../data/change-logs.ts';
import type { PrismaClient } from '../data/generated/prisma/client.ts';
import { isUnavailable, unavailable } from '../data/unavailable.ts';
import { heightOf } from '../domain/positions.ts';
import type { StreamCursor } from '../domain/stream-cursors.ts';
import { GatewayError } from '../errors.ts';
import type { BlockFeed } from './block-feed.ts';
import { type FeedBlock, NO_BLOCK, type StreamEvent, type Updates } from './events.ts';
import type { Hub } from './hub.ts';

const SNAPSHOT_PAGE = 1000;
const CHANGES_PAGE = 5000;
/** A block holds no more events than this. */
const MOST_CHANGES = 2 ** 20;
/** How long a stream that reads from the database waits for it to come back. */
const PATIENCE_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

interface Row {
  readonly createdPosition: bigint;
}

export interface StreamSource<R extends Row, Filter> {
  readonly prisma: PrismaClient;
  readonly feed: BlockFeed;
  readonly hub: Hub<R, Filter>;
  readonly filter: Filter;
  /** From where to go on; null starts with a snapshot. */
  readonly after: StreamCursor | null;
  readonly signal: AbortSignal;
}

/**
 * A snapshot of the rows that pass a filter, as they were at the end of one block, then every later change of them
 * once, in order, whole blocks at a time:
 *
 *   snapshot    pages of the state at one position, read at the reader's pace: the history of changes tells what each
 *               row was then, so no transaction is held and nothing waits in memory
 *   catching up the changes since, from the history, page by page, until the feed's own block is reached; the mailbox
 *               was opened at that block before, so nothing falls between
 *   live        what the feed puts into the mailbox; what was told already is left out by its position
 *
 * A mailbox that overflows while catching up is thrown away, and catching up goes on: the history has it all. Once
 * live it means that the reader is too slow, and the stream ends with RESOURCE_EXHAUSTED. A cursor from before the
 * history begins ends it with OUT_OF_RANGE. A database that is away is waited for, for a minute.
 */
export async function* followChanges<R extends Row, Filter>(
  source: StreamSource<R, Filter>,
): AsyncGenerator<StreamEvent<R>, void> {
  const { feed, hub, filter, after, signal } = source;
  let position = after?.position ?? feed.latest.position;
  if (after === null || after.row !== null) yield* readSnapshot(source, position, after?.row ?? -1n);
  while (!signal.aborted) {
    const { mailbox, leave } = hub.join(filter);
    try {
      for await (const updates of catchUp(source, position, feed.latest.position)) {
        yield updates;
        position = updates.position;
      }
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

async function* readSnapshot<R extends Row, Filter>(
  source: StreamSource<R, Filter>,
  position: bigint,
  afterRow: bigint,
): AsyncGenerator<StreamEvent<R>, void> {
  const { hub, prisma, filter, signal } = source;
  const block = await findBlockOf(source, position);
  let last = afterRow;
  for (let lastPage = false; !lastPage; ) {
    const page = { asOf: position, afterRow: last, limit: SNAPSHOT_PAGE + 1 };
    const read = await askPatiently(signal, async () => {
      const rows = await hub.topic.log.readState(prisma, filter, page);
      await checkHistory(prisma, position);
      return rows;
    });
    if (signal.aborted) return;
    lastPage = read.length <= SNAPSHOT_PAGE;
    const rows = read.slice(0, SNAPSHOT_PAGE);
    last = rows.at(-1)?.createdPosition ?? last;
    yield { kind: 'snapshot', block, rows, lastPage };
  }
}

/** The changes after one position and up to another, from the history, block by block. */
async function* catchUp<R extends Row, Filter>(
  source: StreamSource<R, Filter>,
  from: bigint,
  upTo: bigint,
): AsyncGenerator<Updates<R>, void> {
  const { hub, prisma, filter, signal } = source;
  let after = from;
  while (after < upTo && !signal.aborted) {
    const range = { after, upTo, limit: CHANGES_PAGE };
    const { changes, blocks, reached } = await askPatiently(signal, async () => {
      const read = await wholeBlocks(await hub.topic.log.readChanges(prisma, filter, range), range, (whole) =>
        hub.topic.log.readChanges(prisma, filter, whole),
      );
      await checkHistory(prisma, range.after);
      const heights = new Set(read.changes.map(({ position }) => heightOfChange(position)));
      return { ...read, blocks: await findBlocks(prisma, [...heights]) };
    });
    if (signal.aborted) return;
    for (const [height, ofBlock] of groupByHeight(changes)) {
      const block = blocks.get(height);
      const last = ofBlock.at(-1);
      if (block === undefined || last === undefined) continue;
      const rows = [...new Map(ofBlock.map(({ row }) => [row.createdPosition, row])).values()];
      const { lastPosition: position, ...named } = block;
      yield { kind: 'updates', block: { ...named, position }, position: min(position, upTo), rows };
    }
    after = reached;
  }
}

/**
 * Cuts a page of changes that was cut short at the last block that it holds whole; reads the block by itself where it
 * is longer than a page.
 */
async function wholeBlocks<R>(
  page: readonly Change<R>[],
  { upTo, limit }: { readonly upTo: bigint; readonly limit: number },
  read: (range: { after: bigint; upTo: bigint; limit: number }) => Promise<readonly Change<R>[]>,
): Promise<{ readonly changes: readonly Change<R>[]; readonly reached: bigint }> {
  const last = page.at(-1);
  if (page.length < limit || last === undefined) return { changes: page, reached: upTo };
  const lastHeight = heightOfChange(last.position);
  const begin = lastHeight * EVENTS_PER_BLOCK - 1n;
  const whole = page.filter(({ position }) => position <= begin);
  if (whole.length > 0) return { changes: whole, reached: begin };
  const end = min(begin + EVENTS_PER_BLOCK, upTo);
  const first = page[0] as Change<R>;
  return {
    changes: await read({ after: first.position - 1n, upTo: end, limit: MOST_CHANGES }),
    reached: end,
  };
}

const EVENTS_PER_BLOCK = 2n ** 20n;

async function findBlockOf<R extends Row, Filter>(
  { prisma, signal }: StreamSource<R, Filter>,
  position: bigint,
): Promise<FeedBlock> {
  const height = heightOfChange(position);
  const blocks = await askPatiently(signal, () => findBlocks(prisma, [height]));
  const block = blocks.get(height);
  return block === undefined ? NO_BLOCK : { ...block, position };
}

async function checkHistory(prisma: PrismaClient, position: bigint): Promise<void> {
  if ((await findHistoryStart(prisma)) <= position) return;
  throw new GatewayError(
    'OUT_OF_RANGE',
    'The history of changes no longer reaches back to this cursor. Begin again without one, with a new snapshot.',
  );
}

/** Asks the database again while it is away. Throws UNAVAILABLE when it has been away for too long. */
async function askPatiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let retry = FIRST_RETRY_MS; ; retry = Math.min(retry * 2, LAST_RETRY_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (signal.aborted || performance.now() > deadline) throw unavailable();
      await sleep(retry, undefined, { signal }).catch(() => undefined);
    }
  }
}

function tooSlow(): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    'The stream was read too slowly and has fallen too far behind. Go on from the last cursor, or begin again.',
  );
}

function groupByHeight<R>(changes: readonly Change<R>[]): ReadonlyMap<bigint, readonly Change<R>[]> {
  const groups = new Map<bigint, Change<R>[]>();
  for (const change of changes) {
    const height = heightOfChange(change.position);
    const group = groups.get(height);
    if (group === undefined) groups.set(height, [change]);
    else group.push(change);
  }
  return groups;
}

function heightOfChange(position: bigint): bigint {
  return BigInt(heightOf(Number(position)));
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
