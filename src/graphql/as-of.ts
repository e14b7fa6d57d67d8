import { isGiven } from '../data/conditions.ts';
import type { Block } from '../data/generated/prisma/client.ts';
import type { KnownBlocks } from '../data/history/known-blocks.ts';
import { nounsIn } from '../data/nouns/index.ts';
import { findBlockAt, findFirstKnownBlock } from '../data/queries/blocks.ts';
import type { Statements } from '../data/servers/statements.ts';
import { min } from '../domain/bigints.ts';
import { heightOf } from '../domain/positions.ts';
import { blockOutOfRange, invalidArgument } from '../errors.ts';
import { inProse } from './prose.ts';
import { checkTime } from './times.ts';

/** Which block is meant: one of the two at most; the newest where there is none. */
export interface AsOfArgs {
  readonly height?: bigint | null | undefined;
  /** In nanoseconds. */
  readonly time?: bigint | null | undefined;
}

/** The blocks from one height to another, each so many heights after the one before. */
export interface AsOfEachArgs {
  readonly from: bigint;
  readonly to: bigint;
  readonly every: bigint;
}

/** How many blocks one field asks as of at most. */
export const MOST_BLOCKS = 100;

/** How blocks are found: the newest is the one that the operation names. */
interface Blocks {
  readonly statements: Statements;
  readonly known: KnownBlocks;
  readonly newestBlock: () => Promise<Block | null>;
}

/** And of these the newest that has been published, which is no newer; told where another block may change what is found. */
interface PublishedBlocks extends Blocks {
  readonly published: Block;
  readonly onUnsettled: () => void;
}

/**
 * Finds the blocks that a question is as of, in the order in which they are asked for: never others. Throws INVALID_ARGUMENT for
 * a height and a time together, and OUT_OF_RANGE for a block that is not there yet, that never was, or that is forgotten,
 * naming one that there is.
 */
export async function findAsOf(
  { published, onUnsettled, ...blocks }: PublishedBlocks,
  asked: readonly AsOfArgs[],
): Promise<readonly Block[]> {
  // Which block is meant, and what was at its end, is settled for those before the newest: its height may go on.
  const areSettled = areBefore(asked, published);
  if (!areSettled) onUnsettled();
  try {
    return await findAll(areSettled ? { ...blocks, newestBlock: async () => published } : blocks, asked);
  } catch (error) {
    onUnsettled();
    throw error;
  }
}

async function findAll(blocks: Blocks, asked: readonly AsOfArgs[]): Promise<readonly Block[]> {
  for (const args of asked) checkAsOf(args);
  const newest = await blocks.newestBlock();
  if (newest === null) throw blockOutOfRange('NO_SUCH_BLOCK', 'There is no block yet.', {});
  const found = await findAsked(blocks, asked, newest);
  const missing = asked.find((_, index) => (found[index]?.lastPosition ?? MAX) > newest.lastPosition);
  if (missing !== undefined) {
    const first = await findFirstKnownBlock(blocks.statements, []);
    const [place, nameOf] = isGiven(missing.height)
      ? [`height ${missing.height}`, (block: Block | null) => `${block?.height}`]
      : [`time ${missing.time}`, (block: Block | null) => `${block?.height}, at ${block?.timestamp}`];
    throw blockOutOfRange(
      'NO_SUCH_BLOCK',
      `There is no block at ${place}: the first is ${nameOf(first)}, the newest is ${nameOf(newest)}.`,
      { firstHeight: first?.height, newestHeight: newest.height },
    );
  }
  const all = found as readonly Block[];
  if (all.some((block) => block !== newest)) {
    const least = min(newest.lastPosition, ...all.map(({ lastPosition }) => lastPosition));
    checkFirst(await blocks.known.findFirst(blocks.statements, newest, least), all);
  }
  return all;
}

/** Throws OUT_OF_RANGE for the first of blocks as of which not all rows of some tables are known any more, or ever were. */
export async function checkKnown(
  statements: Statements,
  blocks: readonly Pick<Block, 'height' | 'lastPosition'>[],
  tables: readonly string[],
): Promise<void> {
  checkKnownFrom(await findFirstKnownBlock(statements, tables), blocks, tables);
}

/** What is checked of a block whose end is at a position. */
export function blockEndingAt(lastPosition: bigint): Pick<Block, 'height' | 'lastPosition'> {
  return { height: heightOf(lastPosition), lastPosition };
}

/** Throws as `checkKnown` does, by the first block as of which all rows of the tables are known. */
export function checkKnownFrom(
  first: Block | null,
  blocks: readonly Pick<Block, 'height' | 'lastPosition'>[],
  tables: readonly string[],
): void {
  checkFirst(first, blocks, nounsIn(tables).map(inProse));
}

/** Where nouns are named, theirs is what is asked about. */
function checkFirst(
  first: Block | null,
  blocks: readonly Pick<Block, 'height' | 'lastPosition'>[],
  named: readonly string[] = [],
): void {
  const unknown = blocks.find(({ lastPosition }) => first === null || lastPosition < first.lastPosition);
  if (unknown === undefined) return;
  const [what, them] = named.length === 0 ? ['was', ''] : [`the ${named.join(', ')} were`, ' them'];
  throw blockOutOfRange(
    'BLOCK_NOT_KEPT',
    `What ${what} at block ${unknown.height} is not kept: the first block that can be asked about${them} is ${first?.height}.`,
    { firstHeight: first?.height },
  );
}

/** Whether all that are asked for are before a block, which need not be the newest for that to be so ever after. */
function areBefore(asked: readonly AsOfArgs[], block: Block): boolean {
  return asked.every(
    ({ height, time }) =>
      (isGiven(height) && height < block.height) || (isGiven(time) && time < block.timestamp),
  );
}

/** Throws INVALID_ARGUMENT for arguments that mean no block, whatever blocks there are. */
export function checkAsOf({ height, time }: AsOfArgs): void {
  if (isGiven(height) && isGiven(time))
    throw invalidArgument('time', 'time does not go with height: give one of them.');
  checkTime('time', time);
}

/** The heights that are asked for. Throws INVALID_ARGUMENT where these are none, or more than a field may ask for. */
export function readHeights({ from, to, every }: AsOfEachArgs): readonly bigint[] {
  if (every < 1n) throw invalidArgument('every', `every takes a number from 1 on, not ${every}.`);
  if (to < from) throw invalidArgument('to', `to takes a height from ${from} on, which is from, not ${to}.`);
  const count = (to - from) / every + 1n;
  if (count > MOST_BLOCKS)
    throw invalidArgument('every', `every of ${every} asks for ${count} blocks; the most is ${MOST_BLOCKS}.`);
  return Array.from({ length: Number(count) }, (_, index) => from + BigInt(index) * every);
}

/** Null in the place of each block that is not there. Those of heights are found together. */
async function findAsked(
  { statements, known }: Blocks,
  asked: readonly AsOfArgs[],
  newest: Block,
): Promise<readonly (Block | null)[]> {
  const heights = asked.flatMap(({ height }) => (isGiven(height) && height <= MAX ? [height] : []));
  const byHeight = heights.length === 0 ? null : await known.find(statements, heights, newest);
  return Promise.all(
    asked.map(({ height, time }) => {
      if (isGiven(height)) return byHeight?.get(height) ?? null;
      // The database may have newer blocks by now, which nobody was told of.
      if (!isGiven(time) || meansNewest({ time }, newest)) return newest;
      return findBlockAt(statements, time);
    }),
  );
}

/** Whether the newest block is meant, whichever that is by its height. */
export function meansNewest({ height, time }: AsOfArgs, newest: Block): boolean {
  return !isGiven(height) && (!isGiven(time) || time >= newest.timestamp);
}

const MAX = 2n ** 63n - 1n;
