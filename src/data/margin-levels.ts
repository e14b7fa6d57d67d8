import { isOneOf } from './conditions.ts';
import { type MarginLevel, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface MarginLevelFilter {
  readonly partyId?: string | null | undefined;
  readonly marketId?: string | null | undefined;
}

export const marginLevels: List<MarginLevel, MarginLevelFilter> = {
  name: 'marginLevels',
  table: describeTable('margin_levels', Prisma.MarginLevelScalarFieldEnum),
  conditions: ({ partyId, marketId }) => [...isOneOf('party_id', partyId), ...isOneOf('market_id', marketId)],
};
