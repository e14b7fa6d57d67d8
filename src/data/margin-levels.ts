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
  indexes: [['party_id', 'market_id'], ['party_id'], ['market_id'], []],
  conditions: ({ partyId, marketId }) => [...isOneOf('party_id', partyId), ...isOneOf('market_id', marketId)],
};
