import type { CacheTag } from '../../cache/cache-tags.ts';
import type { Block } from '../generated/prisma/client.ts';
import { describeTable } from '../noun.ts';
import { DEPENDS_ON_BLOCKS } from '../noun-tags.ts';
import type { Statements } from '../servers/statements.ts';
import { type Sql, sql } from '../sql.ts';
import { statementOf, unkept } from '../templates.ts';

/** The newest block that is wholly applied; null before the first. */
export async function findLatestBlock(statements: Statements): Promise<Block | null> {
  const [block] = await statements.rows<Block>(
    statementOf(sql`${BLOCKS} ORDER BY t.height DESC LIMIT 1`, DEPENDS_ON_BLOCKS),
  );
  if (block !== undefined) statements.saw(block.lastPosition);
  return block ?? null;
}

/** The block of a height; null where none is kept. */
export async function findBlock(statements: Statements, height: bigint): Promise<Block | null> {
  const [block] = await statements.rows<Block>(
    statementOf(sql`${BLOCKS} WHERE t.height = ${height}`, DEPENDS_ON_BLOCKS),
  );
  if (block !== undefined) statements.saw(block.lastPosition);
  return block ?? null;
}

/** The last block at or before a time, in nanoseconds; null where there is none. Times never fall from block to block. */
export async function findBlockAt(statements: Statements, time: bigint): Promise<Block | null> {
  const [block] = await statements.rows<Block>(
    statementOf(
      sql`${BLOCKS} WHERE t.timestamp <= ${time} ORDER BY t.timestamp DESC, t.last_position DESC LIMIT 1`,
      DEPENDS_ON_BLOCKS,
    ),
  );
  if (block !== undefined) statements.saw(block.lastPosition);
  return block ?? null;
}

/** The end of the last block before a time, as SQL: nothing where there is none. It is one descent of an index, since times never fall. */
export function endBefore(time: Sql): Sql {
  return sql`(SELECT last_position FROM blocks WHERE blocks.timestamp < ${time}
    ORDER BY blocks.timestamp DESC, last_position DESC LIMIT 1)`;
}

/** The end of the first block at or after a time, in the same way. */
export function endFrom(time: Sql): Sql {
  return sql`(SELECT last_position FROM blocks WHERE blocks.timestamp >= ${time}
    ORDER BY blocks.timestamp, last_position LIMIT 1)`;
}

/** The first block as of which all rows are known, and how far the archive has come. */
export interface FirstKnownBlock extends Block {
  readonly archivedTo: bigint;
}

/** Null where none is kept. */
export async function findFirstKnownBlock(statements: Statements): Promise<FirstKnownBlock | null> {
  const [block] = await statements.rows<FirstKnownBlock>(
    // What is forgotten is forgotten with a block.
    statementOf(
      sql`SELECT ${columns}, (SELECT archived_to FROM networks LIMIT 1) AS "archivedTo" FROM ${name} AS t
        WHERE t.last_position >= (SELECT past_from FROM networks LIMIT 1) ORDER BY t.last_position LIMIT 1`,
      DEPENDS_ON_BLOCKS,
    ),
  );
  return block ?? null;
}

/** A block, and the tags of what it changed; null where they are not known, and so anything may have changed. */
export interface TaggedBlock {
  readonly block: Block;
  readonly cacheTags: readonly CacheTag[] | null;
}

/**
 * The blocks that end after a position, in order: at most `limit`, the first ones. Each has the tags of what changed
 * since the one before it or, the first, since the position: where a height began again, its parts are together. They
 * are known where the writer noted them for every block since the position: not after a longer absence, nor of the
 * first blocks of all.
 */
export async function readTaggedBlocksAfter(
  statements: Statements,
  position: bigint,
  limit: number,
): Promise<readonly TaggedBlock[]> {
  const found = await statements.rows<Block & { isKnown: boolean; numbers: readonly CacheTag[] | null }>(
    unkept(sql`
    SELECT found.*,
      EXISTS (SELECT FROM block_touches WHERE position <= ${position})
        AND EXISTS (SELECT FROM block_touches WHERE position = found."lastPosition") AS "isKnown",
      (
        SELECT json_agg(number) FROM block_touches CROSS JOIN unnest(touched) AS number
        WHERE position > found.previous AND position <= found."lastPosition"
      ) AS numbers
    FROM (
      SELECT ${columns}, lag(t.last_position, 1, ${position}::bigint) OVER (ORDER BY t.last_position) AS previous
      FROM ${name} AS t WHERE t.last_position > ${position} ORDER BY t.last_position LIMIT ${limit}
    ) AS found
    ORDER BY found."lastPosition"`),
  );
  const last = found.at(-1);
  if (last !== undefined) statements.saw(last.lastPosition);
  return found.map(({ isKnown, numbers, height, hash, timestamp, lastPosition }) => ({
    block: { height, hash, timestamp, lastPosition },
    cacheTags: isKnown ? (numbers ?? []) : null,
  }));
}

/** The newest of the blocks that end within positions, the first left out; null where there is none. */
export async function findLastBlockWithin(
  statements: Statements,
  after: bigint,
  upTo: bigint,
): Promise<Block | null> {
  const [block] = await statements.rows<Block>(
    unkept(sql`${BLOCKS} WHERE ${endsWithin(after, upTo)} ORDER BY t.last_position DESC LIMIT 1`),
  );
  return block ?? null;
}

/** The first blocks that end within positions, the first left out, in order: at most `limit`. */
export function readBlocksWithin(
  statements: Statements,
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<Block[]> {
  return statements.rows(
    unkept(sql`${BLOCKS} WHERE ${endsWithin(after, upTo)} ORDER BY t.last_position LIMIT ${limit}`),
  );
}

/** The blocks of these heights, by height. */
export async function findBlocks(
  statements: Statements,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, Block>> {
  const found = await statements.rows<Block>(
    statementOf(sql`${BLOCKS} WHERE t.height = ANY (${[...heights]}::bigint[])`, DEPENDS_ON_BLOCKS),
  );
  return new Map(found.map((block) => [block.height, block]));
}

/** From which position on the history of changes is complete. */
export async function findHistoryStart(statements: Statements): Promise<bigint> {
  const [network] = await statements.rows<{ start: bigint }>(
    unkept(sql`SELECT history_from AS start FROM networks LIMIT 1`),
  );
  return network?.start ?? 0n;
}

const { name, columns } = describeTable('blocks', 'Block');
const BLOCKS = sql`SELECT ${columns} FROM ${name} AS t`;

function endsWithin(after: bigint, upTo: bigint): Sql {
  return sql`t.last_position > ${after} AND t.last_position <= ${upTo}`;
}
