import { isOneOf } from './conditions.ts';
import { type MarginLevel, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface MarginLevelFilter {
  readonly partyId?: string | null;
  readonly marketId?: string | null;
}

export const marginLevels: List<MarginLevel, MarginLevelFilter> = {
  name: 'marginLevels',
  table: describeTable('margin_levels', Prisma.MarginLevelScalarFieldEnum),
  conditions: ({ partyId, marketId }) => [...isOneOf('party_id', partyId), ...isOneOf('market_id', marketId)],
};
