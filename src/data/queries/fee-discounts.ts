import type { Epoch, FeeDiscount } from '../generated/prisma/client.ts';
import { epochs } from '../nouns/epochs.ts';
import { feeDiscounts } from '../nouns/fee-discounts.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { type NoteRead, noteRows } from './reads.ts';

/** The epoch that goes on; null before the network told of any. */
export async function findCurrentEpoch(statements: Statements, note: NoteRead): Promise<Epoch | null> {
  note({ noun: epochs });
  const { columns, name } = epochs.table;
  const [epoch] = await statements.rows<Epoch>(sql`
    SELECT ${columns} FROM ${name} AS t ORDER BY t.seq DESC LIMIT 1`);
  return epoch ?? null;
}

/**
 * What parties are let off their fees in the epoch that goes on: as the network found it at the end of the one before. In
 * one statement, one of each kind at most of each party.
 */
export async function readFeeDiscounts(
  statements: Statements,
  note: NoteRead,
  partyIds: readonly string[],
): Promise<readonly FeeDiscount[]> {
  note({ noun: epochs });
  noteRows(note, feeDiscounts, 'partyId', partyIds);
  const { columns, name } = feeDiscounts.table;
  return statements.rows<FeeDiscount>(sql`
    SELECT ${columns} FROM ${name} AS t
    WHERE t.party_id = ANY (${[...partyIds]}::text[]) AND t.epoch = (SELECT max(seq) - 1 FROM ${epochs.table.name})
    ORDER BY t.kind`);
}
