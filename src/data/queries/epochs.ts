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

/** Whether epochs are over: all before the newest are, and that one once it has ended. None is known of where the network told of none. */
export async function readIsOver(
  statements: Statements,
  seqs: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const newest = await findCurrentEpoch(statements);
  if (newest === null) return new Map();
  const lastOver = newest.endTimestamp === 0n ? newest.seq - 1n : newest.seq;
  return new Map(seqs.map((seq) => [seq, BigInt(seq) <= lastOver]));
}

async function findEpoch(statements: Statements, which: Sql): Promise<Epoch | null> {
  const { columns, name } = epochs.table;
  const [epoch] = await statements.rows<Epoch>(
    statementOf(sql`SELECT ${columns} FROM ${name} AS t ${which}`, dependsOnNoun(epochs)),
  );
  return epoch ?? null;
}
