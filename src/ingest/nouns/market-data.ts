import type { AutomatedPurchase } from '../../data/nouns/market-data.ts';
import {
  auctionTriggers,
  compositePriceTypes,
  marketStates,
  marketTradingModes,
} from '../../domain/enumerations.ts';
import {
  blockTimeOrOwn,
  enumerated,
  listOf,
  named,
  object,
  optional,
  otherwise,
  required,
  time,
} from '../json-objects.ts';
import { decimals, ids, integers } from '../json-values.ts';
import type {
  MarketData as MarketDataMessage,
  AutomatedPurchase as PurchaseMessage,
} from '../protocol/generated/market-data_pb.ts';
import { decimal, decimalIfSent, id } from '../values.ts';
import { fromFeeShare, fromSla, liquidityProviderFeeShare, liquidityProviderSla } from './liquidity.ts';
import type { IngestNoun } from './noun.ts';
import { fromBounds, priceMonitoringBounds } from './price-monitoring.ts';
import { compositePriceState, fromPriceState, fromProductData, productData } from './product-data.ts';

const automatedPurchase = object({
  id: required(ids),
  orderId: optional(ids),
});

export const marketData: IngestNoun<'marketData', 'marketData'> = {
  events: { marketData: 12 },
  fromMessage: (data) => ({
    marketId: id('market', data.market),
    markPrice: decimal('markPrice', data.markPrice),
    lastTradedPrice: decimal('lastTradedPrice', data.lastTradedPrice),
    midPrice: decimal('midPrice', data.midPrice),
    staticMidPrice: decimal('staticMidPrice', data.staticMidPrice),
    bestBidPrice: decimal('bestBidPrice', data.bestBidPrice),
    bestBidVolume: String(data.bestBidVolume),
    bestOfferPrice: decimal('bestOfferPrice', data.bestOfferPrice),
    bestOfferVolume: String(data.bestOfferVolume),
    bestStaticBidPrice: decimal('bestStaticBidPrice', data.bestStaticBidPrice),
    bestStaticBidVolume: String(data.bestStaticBidVolume),
    bestStaticOfferPrice: decimal('bestStaticOfferPrice', data.bestStaticOfferPrice),
    bestStaticOfferVolume: String(data.bestStaticOfferVolume),
    indicativePrice: decimal('indicativePrice', data.indicativePrice),
    indicativeVolume: String(data.indicativeVolume),
    openInterest: String(data.openInterest),
    marketValueProxy: decimal('marketValueProxy', data.marketValueProxy),
    suppliedStake: decimal('suppliedStake', data.suppliedStake),
    targetStake: decimal('targetStake', data.targetStake),
    nextMarkToMarket: data.nextMarkToMarket,
    auctionStart: data.auctionStart,
    auctionEnd: data.auctionEnd,
    timestamp: data.timestamp,
    marketState: data.marketState,
    marketTradingMode: data.marketTradingMode,
    trigger: data.trigger,
    extensionTrigger: data.extensionTrigger,
    priceMonitoringBounds: data.priceMonitoringBounds.map(fromBounds),
    liquidityProviderFeeShare: data.liquidityProviderFeeShare.map(fromFeeShare),
    marketGrowth: decimalIfSent('marketGrowth', data.marketGrowth),
    productData: fromProductData(data.productData),
    liquidityProviderSla:
      data.liquidityProviderSla.length > 0 ? data.liquidityProviderSla.map(fromSla) : null,
    nextNetworkCloseout: nextCloseout(data),
    markPriceType: data.markPriceType ?? null,
    markPriceState: data.markPriceState ? fromPriceState(data.markPriceState) : null,
    activeProtocolAutomatedPurchase: fromPurchase(data.activeProtocolAutomatedPurchase),
  }),
  fromJson: object({
    marketId: named('market', required(ids)),
    markPrice: required(decimals),
    lastTradedPrice: otherwise('0', decimals),
    midPrice: otherwise('0', decimals),
    staticMidPrice: otherwise('0', decimals),
    bestBidPrice: otherwise('0', decimals),
    bestBidVolume: otherwise('0', integers),
    bestOfferPrice: otherwise('0', decimals),
    bestOfferVolume: otherwise('0', integers),
    bestStaticBidPrice: otherwise('0', decimals),
    bestStaticBidVolume: otherwise('0', integers),
    bestStaticOfferPrice: otherwise('0', decimals),
    bestStaticOfferVolume: otherwise('0', integers),
    indicativePrice: otherwise('0', decimals),
    indicativeVolume: otherwise('0', integers),
    openInterest: otherwise('0', integers),
    marketValueProxy: otherwise('0', decimals),
    suppliedStake: otherwise('0', decimals),
    targetStake: otherwise('0', decimals),
    nextMarkToMarket: otherwise(0n, time),
    auctionStart: otherwise(0n, time),
    auctionEnd: otherwise(0n, time),
    timestamp: blockTimeOrOwn,
    marketState: otherwise(marketStates.numbers.STATE_ACTIVE, enumerated(marketStates)),
    marketTradingMode: otherwise(
      marketTradingModes.numbers.TRADING_MODE_CONTINUOUS,
      enumerated(marketTradingModes),
    ),
    trigger: otherwise(auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED, enumerated(auctionTriggers)),
    extensionTrigger: otherwise(
      auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED,
      enumerated(auctionTriggers),
    ),
    priceMonitoringBounds: otherwise([], listOf(priceMonitoringBounds)),
    liquidityProviderFeeShare: otherwise([], listOf(liquidityProviderFeeShare)),
    marketGrowth: optional(decimals),
    productData: optional(productData),
    liquidityProviderSla: optional(listOf(liquidityProviderSla)),
    nextNetworkCloseout: optional(time),
    markPriceType: optional(enumerated(compositePriceTypes)),
    markPriceState: optional(compositePriceState),
    activeProtocolAutomatedPurchase: optional(automatedPurchase),
  }),
};

function fromPurchase(purchase: PurchaseMessage | undefined): AutomatedPurchase | null {
  if (purchase === undefined) return null;
  return {
    id: id('activeProtocolAutomatedPurchase.id', purchase.id),
    orderId: purchase.orderId ? id('activeProtocolAutomatedPurchase.orderId', purchase.orderId) : null,
  };
}

/** None is sent as nothing. Releases that have such a time have a type of the mark price, too, but for spot markets. */
function nextCloseout({ nextNetworkCloseout, markPriceType }: MarketDataMessage): bigint | null {
  return nextNetworkCloseout ?? (markPriceType === undefined ? null : 0n);
}
