import type { QueryConfig } from 'pg';
import { type CacheTag, tagOf, tagOfEveryValue, tagOfValue } from '../../cache/cache-tags.ts';
import type { Block } from '../generated/prisma/client.ts';
import { fieldsIn, type Noun } from '../noun.ts';
import { tagFieldsOf } from '../noun-tags.ts';
import { nounNames, nouns, nounsIn } from '../nouns/index.ts';
import { encodeIntegers, encodeTexts } from './binary-arrays.ts';
import type { BlockChanges } from './block-changes.ts';

/**
 * For how many blocks their tags are kept. A gateway that follows is a few behind at most; one that was away for longer
 * takes everything for changed, which costs it less than reading the tags of a thousand blocks.
 */
const KEPT_BLOCKS = 1_000n;
/** How often, in blocks, old ones are forgotten: seldom enough that most blocks are spared the statement. */
const FORGET_EVERY = 50n;
/** A block that changes more values of a noun than this has the tag of them all: a list of them would be longer than it helps. */
const MOST_VALUES = 2_000;

/** The statements that note the tags of blocks, in their order, when old ones are forgotten up to a height already. */
export function tagStatements(blocks: readonly TaggedBlock[], forgotten: bigint): readonly QueryConfig[] {
  const note = {
    name: 'note cache tags',
    text: `
      INSERT INTO block_touches (position, touched)
      SELECT unnest($1::bigint[]), unnest($2::text[])::integer[]`,
    values: [
      encodeIntegers(blocks.map(({ block }) => block.lastPosition)),
      encodeTexts(blocks.map(({ cacheTags }) => `{${cacheTags.join()}}`)),
    ],
  };
  const upTo = forgottenAfter(blocks, forgotten);
  if (upTo === forgotten) return [note];
  const forget = {
    name: 'forget cache tags',
    // By blocks, not rows: where a height began again, its parts are forgotten together. What is forgotten is still there
    // until it is vacuumed, and would be passed over each time.
    text: `
      DELETE FROM block_touches
      WHERE position > coalesce((${endOf('$1')}), -1) AND position <= (${endOf('$2')})`,
    values: [forgotten, upTo],
  };
  return [note, forget];
}

export interface TaggedBlock {
  readonly block: Pick<Block, 'height' | 'lastPosition'>;
  readonly cacheTags: readonly CacheTag[];
}

/** Gives the first of some blocks further tags. */
export function withTags(blocks: readonly TaggedBlock[], tags: readonly CacheTag[]): readonly TaggedBlock[] {
  return blocks.map((block, index) =>
    index > 0 || tags.length === 0
      ? block
      : { ...block, cacheTags: [...new Set([...block.cacheTags, ...tags])] },
  );
}

/** Up to which height tags are forgotten once these blocks are written. */
export function forgottenAfter(blocks: readonly TaggedBlock[], forgotten: bigint): bigint {
  const last = blocks.findLast(({ block }) => block.height % FORGET_EVERY === 0n);
  const upTo = last === undefined ? forgotten : last.block.height - KEPT_BLOCKS;
  return upTo > forgotten ? upTo : forgotten;
}

function endOf(height: string): string {
  return `SELECT last_position FROM blocks WHERE height <= ${height} ORDER BY height DESC LIMIT 1`;
}

/** What any answer from the rows of some tables has one of. */
export function tagsOfAll(tables: readonly string[]): readonly CacheTag[] {
  return nounsIn(tables).flatMap((noun) => [tagOf(noun), tagOfEveryValue(noun)]);
}

/**
 * The tags of a block, each once: of the nouns that it changes rows of, and of the values that these rows have. Of parties it
 * is to be given the new ones alone, or none, where they are not known yet.
 */
export function cacheTagsOf(changes: Partial<BlockChanges>): readonly CacheTag[] {
  return nounNames.flatMap((name) => {
    const noun = nouns[name] as Noun<unknown, never>;
    const rows: readonly Readonly<Record<string, unknown>>[] = changes[name] ?? [];
    if (rows.length === 0) return [];
    const values = tagFieldsOf(noun).map((field) => {
      const all = fieldsIn(noun, field).flatMap((one) => rows.map((row) => row[one] as string));
      return [field, [...new Set(all)]] as const;
    });
    const count = values.reduce((sum, [, some]) => sum + some.length, 0);
    if (count > MOST_VALUES) return [tagOf(noun), tagOfEveryValue(noun)];
    return [
      tagOf(noun),
      ...values.flatMap(([field, some]) => some.map((value) => tagOfValue(noun, field, value))),
    ];
  });
}
