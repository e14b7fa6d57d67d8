import type { CacheTag } from '../../cache/cache-tags.ts';
import { heightOf, positionsOf } from '../../domain/positions.ts';
import { endBefore, endFrom } from '../block-positions.ts';
import type { Block } from '../generated/prisma/client.ts';
import { knownFrom } from '../history/retention.ts';
import { describeTable } from '../noun.ts';
import { DEPENDS_ON_BLOCKS } from '../noun-tags.ts';
import type { Statements } from '../servers/statements.ts';
import { join, raw, type Sql, sql } from '../sql.ts';
import { statementOf, unkept } from '../templates.ts';
import { type PageRequest, type Start, walkOf } from './page-statements.ts';
import { findPage, type Page } from './pages.ts';

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

/** The first block as of which all rows are known, and from which positions on they are. */
export interface FirstKnownBlock extends Block {
  readonly pastFrom: bigint;
  /** Of single tables, where that is behind it. Positions are below 2^53. */
  readonly pastFromOf: Readonly<Record<string, number | null>>;
  readonly historyFrom: bigint;
}

/** Null where none is kept of some tables, all of whose rows are known as of it. */
export async function findFirstKnownBlock(
  statements: Statements,
  tables: readonly string[],
): Promise<FirstKnownBlock | null> {
  const [block] = await statements.rows<FirstKnownBlock>(
    // What is forgotten is forgotten with a block.
    statementOf(
      sql`SELECT ${columns}, past_from AS "pastFrom", past_from_of AS "pastFromOf", history_from AS "historyFrom"
        FROM networks JOIN LATERAL (
          SELECT * FROM ${name} WHERE last_position >= ${raw(knownFrom(tables))} ORDER BY last_position LIMIT 1
        ) AS t ON TRUE LIMIT 1`,
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
  return found.map(({ isKnown, numbers, height, hash, timestamp, lastPosition, digest }) => ({
    block: { height, hash, timestamp, lastPosition, digest },
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

/** Which blocks a list has: those between two heights, both included, and of a range of times, its end not included. */
export interface BlockRange {
  readonly fromHeight: bigint;
  readonly toHeight: bigint;
  readonly startTimestamp: bigint | null;
  readonly endTimestamp: bigint | null;
}

/** Where a block stands in its list: it never changes, though a height may go on and its block end later. */
export function placeOfBlock({ height }: Pick<Block, 'height'>): bigint {
  return positionsOf(height).first;
}

/** A page of the list of blocks. */
export function readBlockPage(
  statements: Statements,
  range: BlockRange,
  request: PageRequest,
): Promise<Page<Block>> {
  const { cursor, limit } = request;
  const direction = walkOf(request);
  const found = isIn(range);
  const at = cursor === null ? null : heightOf(cursor);
  const walk = (way: 'ASC' | 'DESC', beyond: Sql, most: number) =>
    sql`(${BLOCKS} WHERE ${found} AND ${beyond} ORDER BY t.height ${raw(way)} LIMIT ${most})`;
  const read = (start: Start) => {
    if (at === null || start === 'end') return walk(direction, raw('TRUE'), limit + 1);
    const [onwards, backwards, back] =
      direction === 'DESC'
        ? ([raw('<'), raw('>='), 'ASC'] as const)
        : ([raw('>'), raw('<='), 'DESC'] as const);
    if (start === 'cursor') return walk(direction, sql`t.height ${onwards}= ${at}`, limit + 2);
    const beyond = walk(direction, sql`t.height ${onwards} ${at}`, limit + 1);
    return sql`${beyond} UNION ALL ${walk(back, sql`t.height ${backwards} ${at}`, 1)}`;
  };
  return findPage(
    (start) => statements.rows<Block>(statementOf(read(start), DEPENDS_ON_BLOCKS)),
    request,
    (block) => Number(placeOfBlock(block)),
  );
}

/** Times never fall from block to block: a range of them is one of heights. */
function isIn({ fromHeight, toHeight, startTimestamp, endTimestamp }: BlockRange): Sql {
  const heightAt = (position: Sql) => sql`(${position} >> 20)`;
  return join(
    [
      sql`t.height BETWEEN ${fromHeight} AND ${toHeight}`,
      ...(startTimestamp === null ? [] : [sql`t.height >= ${heightAt(endFrom(sql`${startTimestamp}`))}`]),
      ...(endTimestamp === null ? [] : [sql`t.height <= ${heightAt(endBefore(sql`${endTimestamp}`))}`]),
    ],
    ' AND ',
  );
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
