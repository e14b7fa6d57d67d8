import type { ClientBase } from 'pg';
import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { nounsIn } from '../nouns/index.ts';
import { spanOf } from './coverage.ts';
import {
  dropDetached,
  LockPatience,
  markAsDropped,
  type Partition,
  ROWS_BY_POSITION,
  readPartitions,
  withoutWaiting,
} from './partitions.ts';

/*
 * Rows that are only ever added, and that nobody asks for after a while, go by whole partitions. What the writer has added up of them
 * stays, and questions that would need them are refused.
 */

/** How far back rows are kept, behind the newest block. */
export type RowReach =
  | { readonly unit: 'blocks'; readonly count: number }
  | { readonly unit: 'days'; readonly count: number };

type RowTable = (typeof ROWS_BY_POSITION)[number];

/** How far back the rows of each table are kept; null, or nothing, for all there are. */
export interface RowRetention {
  readonly retainRewards?: RowReach | null;
  readonly retainTrades?: RowReach | null;
}

export function reachOfRows({ retainRewards, retainTrades }: RowRetention, table: RowTable): RowReach | null {
  const reach = { rewards: retainRewards, trades: retainTrades }[table];
  return reach ?? null;
}

const DAY_NS = 86_400_000_000_000n;
/** As many as mainnet had, for a network that has not told a day of its own. */
const BLOCKS_PER_DAY = 100_000n;

/** How many blocks a partition spans. */
export async function spanOfRows(client: ClientBase, reach: RowReach | null): Promise<bigint> {
  if (reach === null || reach.unit === 'blocks') return spanOf('rows', reach?.count ?? null);
  const { rows } = await client.query<{ blocks: string | null }>(
    `SELECT (newest.height - before.height) * ${DAY_NS} / greatest(newest.timestamp - before.timestamp, 1) AS blocks
     FROM (SELECT height::numeric, timestamp FROM blocks ORDER BY blocks.height DESC LIMIT 1) AS newest
     CROSS JOIN LATERAL (
       SELECT height, timestamp FROM blocks WHERE timestamp <= newest.timestamp - ${DAY_NS} ORDER BY timestamp DESC, last_position DESC LIMIT 1
     ) AS before`,
  );
  const aDay = rows[0]?.blocks ?? `${BLOCKS_PER_DAY}`;
  return spanOf('rows', Math.max(1, Math.trunc(Number(aDay))) * reach.count);
}

/**
 * Drops the partitions of which nothing is to be kept, the oldest first, and gives the table of each. `onForgotten` is told at once,
 * whatever fails afterwards. What somebody reads for long stays until the next time.
 */
export async function forgetRows(
  client: ClientBase,
  retention: RowRetention,
  onForgotten: (table: RowTable) => void = () => undefined,
  patience: LockPatience = new LockPatience(),
): Promise<readonly RowTable[]> {
  const forgotten: RowTable[] = [];
  for (const table of ROWS_BY_POSITION) {
    const reach = reachOfRows(retention, table);
    const end = reach === null ? null : await readEnd(client, reach);
    if (end === null) continue;
    const partitions = (await readPartitions(client)).filter(
      (one) => one.table === table && one.to - 1n <= end,
    );
    for (const partition of partitions) {
      const forget = (waitMs: number) => forgetPartition(client, table, partition, waitMs);
      const isForgotten = await patience.unlessHeld(forget).catch((error) => {
        // It may be gone all the same, where the answer to COMMIT was lost.
        onForgotten(table);
        throw error;
      });
      if (!isForgotten) break;
      onForgotten(table);
      forgotten.push(table);
      await dropDetached(client, patience);
    }
  }
  return forgotten;
}

/** The last position that is not kept any more; null where all is. */
async function readEnd(client: ClientBase, { unit, count }: RowReach): Promise<bigint | null> {
  const before =
    unit === 'blocks'
      ? 'height <= (SELECT max(height) FROM blocks) - $1::bigint ORDER BY height'
      : `timestamp < (SELECT max(timestamp) FROM blocks) - $1::bigint * ${DAY_NS} ORDER BY timestamp DESC, last_position`;
  const { rows } = await client.query<{ end: string }>(
    `SELECT last_position AS end FROM blocks WHERE ${before} DESC LIMIT 1`,
    [count],
  );
  return rows[0] === undefined ? null : BigInt(rows[0].end);
}

/**
 * Takes a partition from its table, in one short transaction: its rows go, and everybody is told from where on there are some. Those
 * who read go on meanwhile; whoever comes waits for a moment at most.
 */
async function forgetPartition(
  client: ClientBase,
  table: RowTable,
  { name, to }: Partition,
  tryForMs: number,
): Promise<void> {
  const fewer: string[] = [];
  for (const noun of nounsIn([table]))
    for (const { key, rows } of await countPartition(client, noun, name))
      fewer.push(
        `UPDATE row_counts SET rows = rows - ${rows} WHERE noun = '${noun.name}' AND key = ${client.escapeLiteral(key)}`,
      );
  const statements = [
    `UPDATE networks SET kept_from_of = kept_from_of || '{"${table}": ${to}}',
       past_from_of = past_from_of || '{"${table}": ${to}}', history_from = greatest(history_from, ${to - 1n})`,
    ...fewer,
    markAsDropped(name),
    `ALTER TABLE "${table}" DETACH PARTITION "${name}"`,
  ];
  await withoutWaiting(client, statements, tryForMs);
}

/** How many rows a partition has, in all and by what the noun is counted by: it never gets any more. */
async function countPartition(
  client: ClientBase,
  { countedBy }: AnyNoun,
  name: string,
): Promise<readonly { readonly key: string; readonly rows: string }[]> {
  const columns = countedBy.map(columnOf);
  const ofEach =
    columns.length === 0
      ? ''
      : `UNION ALL SELECT ARRAY[${columns.map((column) => `${column}::text`).join(', ')}]::text, count(*) FROM "${name}" GROUP BY ${columns.join(', ')}`;
  const { rows } = await client.query<{ key: string; rows: string }>(
    `SELECT '' AS key, count(*) AS rows FROM "${name}" ${ofEach}`,
  );
  return rows;
}
