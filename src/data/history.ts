import type { ClientBase } from 'pg';

/** The tables of changes, each with what its changes are of. */
const HISTORIES = [
  { table: 'balance_changes', key: 'account_position' },
  { table: 'changes', key: 'row_position' },
] as const;

/**
 * Forgets changes up to a position, within the caller's transaction, but for the last of each row: so the state at
 * every later position can still be told. Streams resume from later positions only.
 */
export async function trimHistory(client: ClientBase, upTo: bigint): Promise<void> {
  const { rows } = await client.query<{ history_from: string }>('SELECT history_from FROM networks');
  const from = rows[0]?.history_from ?? '0';
  for (const { table, key } of HISTORIES) {
    await client.query(
      `DELETE FROM ${table} AS old
       USING (SELECT ${key}, max(position) AS position FROM ${table}
              WHERE position > $1 AND position <= $2 GROUP BY ${key}) AS kept
       WHERE old.${key} = kept.${key} AND old.position < kept.position`,
      [from, upTo],
    );
  }
  await client.query('UPDATE networks SET history_from = $1 WHERE history_from < $1', [upTo]);
}
