import { auctionTriggers, marketStates, marketTradingModes } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const marketData = noun({
  model: 'MarketData',
  name: 'marketData',
  key: ['marketId'],
  enumerations: {
    marketState: marketStates,
    marketTradingMode: marketTradingModes,
    trigger: auctionTriggers,
    extensionTrigger: auctionTriggers,
  },
  history: 'rows',
  by: { marketIds: 'marketId' },
});

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
