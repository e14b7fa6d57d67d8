import { isOneOf } from './conditions.ts';
import { type MarketData, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface MarketDataFilter {
  readonly marketIds?: readonly string[] | null | undefined;
}

export const marketData: List<MarketData, MarketDataFilter> = {
  name: 'marketData',
  table: describeTable('market_data', Prisma.MarketDataScalarFieldEnum),
  indexes: [[]],
  conditions: ({ marketIds }) => isOneOf('market_id', marketIds),
};

/** What `MarketData.priceMonitoringBounds` holds: canonical decimals; horizon and extension in whole seconds. */
export interface PriceMonitoringBounds {
  readonly minValidPrice: string;
  readonly maxValidPrice: string;
  readonly referencePrice: string;
  readonly trigger: {
    readonly horizon: string;
    readonly probability: string;
    readonly auctionExtension: string;
  } | null;
}

/** What `MarketData.liquidityProviderFeeShare` holds: canonical decimals. */
export interface LiquidityProviderFeeShare {
  readonly party: string;
  readonly equityLikeShare: string;
  readonly averageEntryValuation: string;
  readonly averageScore: string;
}
