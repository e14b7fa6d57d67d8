import type { QueryConfig } from 'pg';
import { FORGOTTEN_NOUNS } from './archives.ts';
import type { Reach } from './coverage.ts';
import { ROWS_BY_POSITION } from './partitions.ts';
import type { RowRetention } from './row-retention.ts';

/** How far back a database is to know things, in blocks behind the newest; of rows also in days. */
export interface Retention extends RowRetention {
  /** How far back streams resume. */
  readonly historyBlocks: Reach;
  /** How far back questions about the past reach. */
  readonly pastBlocks: PastReach;
}

/** For all nouns, or for some by their names and for `others`. */
export type PastReach = Reach | Readonly<Record<string, Reach>>;

export const ALL_OF_IT: Retention = { historyBlocks: null, pastBlocks: null };

/** How far back questions about the past of a noun reach. */
export function reachOf(pastBlocks: PastReach, { name }: { readonly name: string }): Reach {
  if (pastBlocks === null || typeof pastBlocks === 'number') return pastBlocks;
  return (Object.hasOwn(pastBlocks, name) ? pastBlocks[name] : pastBlocks['others']) ?? null;
}

const TABLES: readonly string[] = [
  ...FORGOTTEN_NOUNS.map(({ table }) => table.name.text),
  ...ROWS_BY_POSITION,
];

/** From which position on the past of all of some nouns is known, by their tables, as SQL of the row of networks. */
export function knownFrom(tables: readonly string[]): string {
  const each = tables.filter((table) => TABLES.includes(table));
  return each.length === 0 ? 'past_from' : `greatest(past_from, ${each.map(knownOf).join(', ')})`;
}

function knownOf(table: string): string {
  return `(past_from_of ->> '${table}')::bigint`;
}

/** How often, in blocks, the boundaries move. */
const MOVE_EVERY = 10n;

/**
 * What moves the boundaries behind blocks that are being applied, within their transaction: from then on streams and questions
 * from before them are out of range. What is on disk goes later.
 */
export function moveBoundaries(
  heights: readonly bigint[],
  { historyBlocks, pastBlocks }: Retention,
): readonly QueryConfig[] {
  const height = heights.findLast((one) => one % MOVE_EVERY === 0n);
  const nouns = FORGOTTEN_NOUNS.filter((noun) => reachOf(pastBlocks, noun) !== null);
  if (height === undefined || (historyBlocks === null && nouns.length === 0)) return [];
  const behind = (blocks: Reach) => (blocks === null ? -1n : height - BigInt(blocks));
  const ends = nouns.map((noun) => behind(reachOf(pastBlocks, noun)));
  return [
    {
      name: 'move boundaries',
      text: `UPDATE networks SET history_from = greatest(history_from, ${endOf('$1')}),
        past_from_of = past_from_of || coalesce((
          SELECT jsonb_object_agg(noun, greatest((past_from_of ->> noun)::bigint, ${endOf('upto')}))
          FROM unnest($2::text[], $3::bigint[]) AS moved (noun, upto)), '{}')`,
      values: [behind(historyBlocks), nouns.map(({ table }) => table.name.text), ends],
    },
  ];
}

/** The end of the last block up to a height. */
function endOf(height: string): string {
  return `(SELECT last_position FROM blocks WHERE height <= ${height} ORDER BY height DESC LIMIT 1)`;
}
