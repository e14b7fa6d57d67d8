import { isOneOf, isWithin } from './conditions.ts';
import { type Deposit, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface DepositFilter {
  readonly partyId?: string | null | undefined;
  /** The time of the last update, in nanoseconds: from the start on, before the end. */
  readonly updatedFrom?: bigint | null | undefined;
  readonly updatedBefore?: bigint | null | undefined;
}

export const deposits: List<Deposit, DepositFilter> = {
  name: 'deposits',
  table: describeTable('deposits', Prisma.DepositScalarFieldEnum),
  conditions: ({ partyId, updatedFrom, updatedBefore }) => [
    ...isOneOf('party_id', partyId),
    ...isWithin('updated_timestamp', updatedFrom, updatedBefore),
  ],
};
