import type { QueryConfig } from 'pg';
import type { Block } from '../generated/prisma/client.ts';
import type { Noun } from '../noun.ts';
import { nounNames, nouns } from '../nouns/index.ts';
import { type Touch, touchFieldsOf, touchOf, touchOfEveryValue, touchOfValue } from '../touches.ts';
import { encodeIntegers, encodeTexts } from './binary-arrays.ts';
import type { BlockChanges } from './block-changes.ts';

/**
 * For how many blocks it is kept what they touched. A gateway that follows is a few behind at most; one that was away
 * for longer takes everything for changed, which costs it less than reading what a thousand blocks touched.
 */
const KEPT_BLOCKS = 1_000n;
/** How often, in blocks, old ones are forgotten: seldom enough that most blocks are spared the statement. */
const FORGET_EVERY = 50n;
/** A block that changes more values of a noun than this touches them all: a list of them would be longer than it helps. */
const MOST_VALUES = 2_000;

/** The statements that note what blocks touch, in their order, when old ones are forgotten up to a height already. */
export function touchStatements(blocks: readonly TouchedBlock[], forgotten: bigint): readonly QueryConfig[] {
  const note = {
    name: 'note touches',
    text: `
      INSERT INTO block_touches (position, touched)
      SELECT unnest($1::bigint[]), unnest($2::text[])::integer[]`,
    values: [
      encodeIntegers(blocks.map(({ block }) => block.lastPosition)),
      encodeTexts(blocks.map(({ touched }) => `{${touched.join()}}`)),
    ],
  };
  const upTo = forgottenAfter(blocks, forgotten);
  if (upTo === forgotten) return [note];
  const forget = {
    name: 'forget touches',
    // By blocks, not rows: where a height began again, its parts are forgotten together. What is forgotten is still there
    // until it is vacuumed, and would be passed over each time.
    text: `
      DELETE FROM block_touches
      WHERE position > coalesce((${endOf('$1')}), -1) AND position <= (${endOf('$2')})`,
    values: [forgotten, upTo],
  };
  return [note, forget];
}

export interface TouchedBlock {
  readonly block: Block;
  readonly touched: readonly Touch[];
}

/** Up to which height touches are forgotten once these blocks are written. */
export function forgottenAfter(blocks: readonly TouchedBlock[], forgotten: bigint): bigint {
  const last = blocks.findLast(({ block }) => block.height % FORGET_EVERY === 0n);
  const upTo = last === undefined ? forgotten : last.block.height - KEPT_BLOCKS;
  return upTo > forgotten ? upTo : forgotten;
}

function endOf(height: string): string {
  return `SELECT last_position FROM blocks WHERE height <= ${height} ORDER BY height DESC LIMIT 1`;
}

/**
 * What a block touches, each once: the nouns that it changes rows of, and the values that these rows have. Of parties it
 * is to be given the new ones alone, or none, where they are not known yet.
 */
export function touchesOf(changes: Partial<BlockChanges>): readonly Touch[] {
  return nounNames.flatMap((name) => {
    const noun = nouns[name] as Noun<unknown, never>;
    const rows: readonly Readonly<Record<string, unknown>>[] = changes[name] ?? [];
    if (rows.length === 0) return [];
    const values = touchFieldsOf(noun).map((field) => {
      return [field, [...new Set(rows.map((row) => row[field] as string))]] as const;
    });
    const count = values.reduce((sum, [, some]) => sum + some.length, 0);
    if (count > MOST_VALUES) return [touchOf(noun), touchOfEveryValue(noun)];
    return [
      touchOf(noun),
      ...values.flatMap(([field, some]) => some.map((value) => touchOfValue(noun, field, value))),
    ];
  });
}
