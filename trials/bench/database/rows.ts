import { createHash } from 'node:crypto';
import { writeCursor } from '../../../src/domain/cursors.ts';
import type { PastSizes, TableSizes } from '../size.ts';

/*
 * Where the rows stand that `fill.ts` writes, so that a case can name any of them without asking the database. Block 1 has
 * the assets, the markets and the parties; every other block has its share of the accounts, then of the deposits and the rewards.
 */

export const EVENTS_PER_BLOCK = 1_048_576;
export const START_TIME = 1_700_000_000_000_000_000n;

/** The first index of each kind in a block: no kind has more than the next one's distance in a block. */
export const FIRST_INDEX = { accounts: 1, deposits: 100_001, rewards: 200_001, end: 400_000 } as const;

/** As `idOf` of `fill.ts` in SQL: 64 hexadecimal digits, as the network's own ids have. */
export function idOf(kind: 'asset' | 'market' | 'party' | 'deposit', number: number): string {
  return createHash('sha256').update(`${kind} ${number}`).digest('hex');
}

/** Where the row of a number stands: rows are dealt to the blocks from 2 on, so many a block. */
export function positionOfRow(
  kind: 'accounts' | 'deposits' | 'rewards',
  number: number,
  sizes: TableSizes,
): bigint {
  const perBlock = rowsPerBlock(sizes[kind], sizes);
  const height = 2 + Math.floor(number / perBlock);
  return BigInt(height) * BigInt(EVENTS_PER_BLOCK) + BigInt(FIRST_INDEX[kind] + (number % perBlock));
}

export function rowsPerBlock(rows: number, { blocks }: TableSizes): number {
  return Math.ceil(rows / blocks);
}

/** The heights of the blocks that change accounts, behind those that bring them; up to the middle they are in the archive. */
export function pastHeights({ blocks }: TableSizes, past: PastSizes) {
  const first = blocks + 2;
  return { first, middle: first + Math.floor(past.blocks / 2), last: first + past.blocks - 1 };
}

/** The cursor of a row in its list, as clients have it from a page. */
export function cursorOfRow(
  kind: 'accounts' | 'deposits' | 'rewards',
  number: number,
  sizes: TableSizes,
): string {
  return writeCursor({ list: kind, position: positionOfRow(kind, number, sizes) });
}

/** Numbers below `count`, each once, in an order that looks random: the same in every run. */
export function* shuffled(count: number): Generator<number> {
  const step = coprimeStep(count);
  for (let index = 0, number = Math.floor(count / 3); index < count; index += 1) {
    yield number;
    number = (number + step) % count;
  }
}

function coprimeStep(count: number): number {
  let step = Math.floor(count * 0.618_033_98) || 1;
  while (gcd(step, count) !== 1) step += 1;
  return step;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
