import { isOneOf } from './conditions.ts';
import { type Market, type MarketState, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface MarketFilter {
  readonly states?: readonly MarketState[] | null | undefined;
  readonly settlementAssetId?: string | null | undefined;
}

export const markets: List<Market, MarketFilter> = {
  name: 'markets',
  table: describeTable('markets', Prisma.MarketScalarFieldEnum),
  indexes: [['settlement_asset_id', 'state'], ['settlement_asset_id'], ['state'], []],
  conditions: ({ states, settlementAssetId }) => [
    ...isOneOf('settlement_asset_id', settlementAssetId),
    ...isOneOf('state', states, 'market_state'),
  ],
};
