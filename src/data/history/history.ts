import type { ClientBase } from 'pg';

/** The tables of changes, and the columns that identify in each the row that changed. */
const HISTORIES = [
  { table: 'balance_changes', key: ['account_position'] },
  { table: 'changes', key: ['noun', 'row_position'] },
] as const;

/** How many blocks are forgotten at once: a history that is bounded late shrinks step by step. */
const MOST_BLOCKS = 100;

/** How often, in blocks, there is something to forget: often enough that it is little each time. */
const TRIM_EVERY = 10n;

/** Keeps about so many blocks of history behind a block that is being applied, within its transaction. */
export async function boundHistory(client: ClientBase, height: bigint, blocks: number): Promise<void> {
  if (height % TRIM_EVERY === 0n) await trimHistory(client, height - BigInt(blocks));
}

/**
 * Forgets changes up to the end of a block, within the caller's transaction, but for the last of each row: so the
 * state at every later position can still be read. Streams resume from the end of that block or later.
 */
export async function trimHistory(client: ClientBase, upTo: bigint): Promise<void> {
  const { rows } = await client.query<{ from: string; to: string | null }>({
    name: 'find history',
    text: `
      SELECT history_from AS from, (
        SELECT max(last_position) FROM (
          SELECT last_position FROM blocks WHERE last_position > history_from AND height <= $1
          ORDER BY last_position LIMIT ${MOST_BLOCKS}
        ) AS first
      ) AS to FROM networks`,
    values: [upTo],
  });
  const [range] = rows;
  if (range === undefined || range.to === null) return;
  for (const { table, key } of HISTORIES) {
    const columns = key.join(', ');
    const isSameRow = key.map((column) => `old.${column} = kept.${column}`).join(' AND ');
    // Row by row, each by its index: the tables are long, what is forgotten of them is short.
    await client.query({
      name: `trim ${table}`,
      text: `
        DELETE FROM ${table} WHERE position IN (
          SELECT old.position FROM (
            SELECT ${columns}, max(position) AS position FROM ${table}
            WHERE position > $1 AND position <= $2 GROUP BY ${columns}
          ) AS kept
          CROSS JOIN LATERAL (
            SELECT old.position FROM ${table} AS old WHERE ${isSameRow} AND old.position < kept.position OFFSET 0
          ) AS old
        )`,
      values: [range.from, range.to],
    });
  }
  await client.query({
    name: 'begin history',
    text: 'UPDATE networks SET history_from = $1',
    values: [range.to],
  });
}
