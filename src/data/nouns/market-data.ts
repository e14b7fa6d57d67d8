import {
  auctionTriggers,
  compositePriceTypes,
  marketStates,
  marketTradingModes,
} from '../../domain/enumerations.ts';
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
    markPriceType: compositePriceTypes,
    'productData.perpetualData.internalCompositePriceType': compositePriceTypes,
  },
  history: 'rows',
  by: { marketIds: 'marketId' },
});

/** What `MarketData.priceMonitoringBounds` holds: canonical decimals. */
export interface PriceMonitoringBounds {
  readonly minValidPrice: string;
  readonly maxValidPrice: string;
  readonly referencePrice: string;
  readonly trigger: PriceMonitoringTrigger | null;
  readonly active: boolean | null;
}

/** Horizon and extension in whole seconds. */
export interface PriceMonitoringTrigger {
  readonly horizon: string;
  readonly probability: string;
  readonly auctionExtension: string;
}

/** What `MarketData.liquidityProviderFeeShare` holds: canonical decimals. */
export interface LiquidityProviderFeeShare {
  readonly party: string;
  readonly equityLikeShare: string;
  readonly averageEntryValuation: string;
  readonly averageScore: string;
  readonly virtualStake: string | null;
}

/** What `MarketData.liquidityProviderSla` holds: canonical decimals. */
export interface LiquidityProviderSla {
  readonly party: string;
  readonly currentEpochFractionOfTimeOnBook: string;
  readonly lastEpochFractionOfTimeOnBook: string;
  readonly lastEpochFeePenalty: string;
  readonly lastEpochBondPenalty: string;
  readonly hysteresisPeriodFeePenalties: readonly string[];
  readonly requiredLiquidity: string;
  readonly notionalVolumeBuys: string;
  readonly notionalVolumeSells: string;
}

/** What `MarketData.productData` holds: the data of the one kind of products that has any. */
export interface ProductData {
  readonly perpetualData: PerpetualData;
}

/** Canonical decimals, times as text, and the number of an enumeration. What release 0.73 does not have is null there. */
export interface PerpetualData {
  /** Null where the network told none, as of the rate. */
  readonly fundingPayment: string | null;
  readonly fundingRate: string | null;
  readonly internalTwap: string;
  readonly externalTwap: string;
  readonly seqNum: string | null;
  readonly startTime: string | null;
  readonly internalCompositePrice: string | null;
  readonly nextInternalCompositePriceCalc: string | null;
  readonly internalCompositePriceType: number | null;
  readonly underlyingIndexPrice: string | null;
  readonly internalCompositePriceState: CompositePriceState | null;
}

/** What `MarketData.markPriceState` holds: canonical decimals, times as text. */
export interface CompositePriceState {
  readonly priceSources: readonly {
    readonly priceSource: string;
    readonly price: string;
    readonly lastUpdated: string;
  }[];
}

/** What `MarketData.activeProtocolAutomatedPurchase` holds. */
export interface AutomatedPurchase {
  readonly id: string;
  readonly orderId: string | null;
}
