import { groupBy } from '../../domain/groups.ts';
import type { FeeDiscount } from '../generated/prisma/client.ts';
import { dependsOnNoun, dependsOnRows } from '../noun-tags.ts';
import { epochs } from '../nouns/epochs.ts';
import { feeDiscounts } from '../nouns/fee-discounts.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/**
 * What parties are let off their fees in the epoch that goes on: as the network found it at the end of the one before. In
 * one statement, one of each kind at most of each party.
 */
export async function readFeeDiscounts(
  statements: Statements,
  partyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly FeeDiscount[]>> {
  const { columns, name } = feeDiscounts.table;
  const current = sql`
    SELECT ${columns} FROM ${name} AS t
    WHERE t.party_id = ANY (${[...partyIds]}::text[]) AND t.epoch = (SELECT max(seq) - 1 FROM ${epochs.table.name})
    ORDER BY t.kind`;
  const dependsOn = [...dependsOnNoun(epochs), ...dependsOnRows(feeDiscounts, 'partyId', partyIds)];
  const rows = await statements.rows<FeeDiscount>(statementOf(current, dependsOn));
  return groupBy(rows, ({ partyId }) => partyId);
}
