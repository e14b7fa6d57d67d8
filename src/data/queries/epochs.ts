import type { Epoch } from '../generated/prisma/client.ts';
import { dependsOnNoun } from '../noun-tags.ts';
import { epochs } from '../nouns/epochs.ts';
import type { Statements } from '../servers/statements.ts';
import { type Sql, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/** The newest epoch, which goes on; null before the network told of any. */
export function findCurrentEpoch(statements: Statements): Promise<Epoch | null> {
  return findEpoch(statements, sql`ORDER BY t.seq DESC LIMIT 1`);
}

/** The epoch of a number; null where the network told of none. */
export function findEpochBySeq(statements: Statements, seq: bigint): Promise<Epoch | null> {
  return findEpoch(statements, sql`WHERE t.seq = ${seq}::bigint`);
}

/** The last epoch that is over, and the newest: all before that are, and it is once it has ended. */
export interface EpochsOver {
  readonly lastOver: bigint;
  readonly newest: bigint;
}

/** Which epochs are over, for any key; none is known of where the network told of none. */
export async function readEpochsOver(
  statements: Statements,
  keys: readonly string[],
): Promise<ReadonlyMap<string, EpochsOver>> {
  const newest = await findCurrentEpoch(statements);
  if (newest === null) return new Map();
  const { seq, endTimestamp } = newest;
  const over = { lastOver: endTimestamp === 0n ? seq - 1n : seq, newest: seq };
  return new Map(keys.map((key) => [key, over]));
}

/** The first epoch all of whose rewards are kept where they are from a position on. What was before that never changes. */
export async function findFirstKeptEpoch(statements: Statements, from: bigint): Promise<bigint> {
  const [found] = await statements.rows<{ first: bigint | null }>(
    statementOf(
      sql`SELECT max(epoch) + 1 AS first FROM reward_epochs WHERE first_position < ${from}::bigint`,
      'nothing',
    ),
  );
  return found?.first ?? 0n;
}

async function findEpoch(statements: Statements, which: Sql): Promise<Epoch | null> {
  const { columns, name } = epochs.table;
  const [epoch] = await statements.rows<Epoch>(
    statementOf(sql`SELECT ${columns} FROM ${name} AS t ${which}`, dependsOnNoun(epochs)),
  );
  return epoch ?? null;
}
