import type { QueryConfig } from 'pg';
import type { BlockChanges } from './block-changes.ts';
import type { Block } from './generated/prisma/client.ts';
import type { Noun } from './noun.ts';
import { nounNames, nouns } from './nouns/index.ts';
import { type Touch, touchFieldsOf, touchOf, touchOfEveryValue, touchOfValue } from './touches.ts';

/**
 * For how many blocks it is kept what they touched. A gateway that follows is a few behind at most; one that was away
 * for longer takes everything for changed, which costs it less than reading what a thousand blocks touched.
 */
const KEPT_BLOCKS = 1_000n;
/** How often, in blocks, old ones are forgotten: seldom enough that most blocks are spared the statement. */
const FORGET_EVERY = 50n;
/** A block that changes more values of a noun than this touches them all: a list of them would be longer than it helps. */
const MOST_VALUES = 2_000;

/** The statements that note what a block touches. */
export function touchStatements(block: Block, touched: readonly Touch[]): readonly QueryConfig[] {
  const note = {
    name: 'note touches',
    text: 'INSERT INTO block_touches (position, touched) VALUES ($1, $2)',
    values: [block.lastPosition, `{${touched.join()}}`],
  };
  if (block.height % FORGET_EVERY !== 0n) return [note];
  const forget = {
    name: 'forget touches',
    // By blocks, not rows: where a height began again, its parts are forgotten together.
    text: `
      DELETE FROM block_touches
      WHERE position <= (SELECT last_position FROM blocks WHERE height <= $1 ORDER BY height DESC LIMIT 1)`,
    values: [block.height - KEPT_BLOCKS],
  };
  return [note, forget];
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
