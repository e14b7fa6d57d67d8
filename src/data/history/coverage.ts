import type { ClientBase } from 'pg';
import { heightOf, positionsOf } from '../../domain/positions.ts';
import { makePartition, type Partition, readPartitions } from './partitions.ts';

/** How far back a history reaches in blocks; null for all there are. */
export type Reach = number | null;

/**
 * What is forgotten goes in so many steps: by so much more than it is to reach back, it is on disk. Rows are looked up in each of their
 * partitions, which costs a page of a party's 6 to 9 us for each.
 */
const PARTS = { changes: 8, archive: 8, rows: 4 };
const FEWEST_BLOCKS = 64;
/** Of what is read by its order, and of what is looked up row by row: each partition that is there is one more to look into. */
const MOST_BLOCKS = { changes: 2 ** 18, archive: 2 ** 22, rows: 2 ** 24 };

/** How many blocks a partition spans: a power of two. */
export function spanOf(kind: keyof typeof MOST_BLOCKS, reach: Reach): bigint {
  const most = MOST_BLOCKS[kind];
  const wanted = reach === null ? most : Math.min(most, Math.max(FEWEST_BLOCKS, reach / PARTS[kind]));
  return 2n ** BigInt(Math.floor(Math.log2(wanted)));
}

/**
 * Sees to it that tables have partitions for a height and for so many blocks behind it, so that the next one is there before it
 * is needed: a span, where nothing is said. Gives the height up to which there are some. Throws LOCK_NOT_AVAILABLE where others have a
 * table for longer than is tried.
 */
export async function coverHeight(
  client: ClientBase,
  tables: readonly string[],
  height: bigint,
  span: bigint,
  ahead = span,
  tryForMs?: number,
): Promise<bigint> {
  const partitions = await readPartitions(client);
  const ends: bigint[] = [];
  for (const table of tables) {
    const ofTable = partitions.filter((one) => one.table === table);
    ends.push(await coverTable(client, table, ofTable, { height, span, ahead, tryForMs }));
  }
  return heightOf(ends.reduce((least, end) => (end < least ? end : least)));
}

/** Sees to it that tables have partitions for all heights from one to another, and none behind. */
export async function coverRange(
  client: ClientBase,
  tables: readonly string[],
  first: bigint,
  last: bigint,
  span: bigint,
): Promise<void> {
  for (let height = first; height < last; height += span) await coverHeight(client, tables, height, span, 0n);
  await coverHeight(client, tables, last, span, 0n);
}

interface Coverage {
  readonly height: bigint;
  readonly span: bigint;
  readonly ahead: bigint;
  readonly tryForMs: number | undefined;
}

async function coverTable(
  client: ClientBase,
  table: string,
  partitions: readonly Partition[],
  { height, span, ahead, tryForMs }: Coverage,
): Promise<bigint> {
  const [begin, position] = [positionsOf((height / span) * span).first, positionsOf(height).first];
  // Before the first there is nothing any more.
  const before = partitions.findLast(({ from }) => from === null || from <= position) ?? partitions[0];
  let end = before !== undefined && before.to > begin ? before.to : begin;
  while (end <= positionsOf(height + ahead).first) {
    const next = partitions.find(({ to }) => to > end);
    if (next !== undefined && (next.from ?? 0n) <= end) {
      end = next.to;
      continue;
    }
    // Where nothing changed for a while there are none. One takes all of that, however long: only what was last before comes into it.
    const to = next?.from ?? positionsOf((heightOf(end) / span + 1n) * span).first;
    await makePartition(client, { table, name: `${table}_${heightOf(end)}`, from: end, to }, tryForMs);
    end = to;
  }
  return end;
}
