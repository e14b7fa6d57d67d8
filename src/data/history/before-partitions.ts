import type { ClientBase } from 'pg';
import { HISTORIES, withoutWaiting } from './partitions.ts';

/** The migration that partitions histories. */
export const PARTITIONS_HISTORIES = '20261124140000_partitioned_histories';

/** An older version may write so many blocks more before it is applied. */
const BLOCKS_AHEAD = 2n ** 17n;

/**
 * Makes sure that all that histories hold is below a position, so that the migration can take them for partitions as they are:
 * it would look through all of them itself, and let nobody else read meanwhile. Here all go on. What was looked through stays so,
 * whoever is ended before the migration is.
 */
export async function preparePartitions(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ height: string | null }>('SELECT max(height) AS height FROM blocks');
  const height = rows[0]?.height ?? null;
  if (height === null) return;
  const bound = (BigInt(height) + BLOCKS_AHEAD) << 20n;
  for (const history of HISTORIES) {
    const isValid = await readValidity(client, history);
    if (isValid === null)
      await withoutWaiting(client, [
        `ALTER TABLE ${history} ADD CONSTRAINT before_partitions CHECK (position < ${bound}) NOT VALID`,
      ]);
    if (isValid !== true) await client.query(`ALTER TABLE ${history} VALIDATE CONSTRAINT before_partitions`);
  }
}

/** Whether a history's bound is known to hold; null where it has none yet. */
async function readValidity(client: ClientBase, history: string): Promise<boolean | null> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT convalidated AS valid FROM pg_constraint WHERE conrelid = $1::regclass AND conname = 'before_partitions'`,
    [history],
  );
  return rows[0]?.valid ?? null;
}
