import type { PriceMonitoringBounds } from '../../data/nouns/market-data.ts';
import { auctionTriggers, marketStates, marketTradingModes } from '../../domain/enumerations.ts';
import {
  blockTimeOrOwn,
  enumerated,
  listOf,
  named,
  nullable,
  object,
  otherwise,
  required,
  time,
} from '../json-objects.ts';
import { decimals, ids, integers, parties } from '../json-values.ts';
import type { PriceMonitoringBounds as BoundsMessage } from '../protocol/generated/market-data_pb.ts';
import { decimal, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

const priceMonitoringBounds = object({
  minValidPrice: required(decimals),
  maxValidPrice: required(decimals),
  referencePrice: required(decimals),
  trigger: otherwise(
    null,
    nullable(
      object({
        horizon: required(integers),
        probability: required(decimals),
        auctionExtension: required(integers),
      }),
    ),
  ),
});

const liquidityProviderFeeShare = object({
  party: required(parties),
  equityLikeShare: required(decimals),
  averageEntryValuation: required(decimals),
  averageScore: otherwise('0', decimals),
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
    liquidityProviderFeeShare: data.liquidityProviderFeeShare.map((share) => ({
      party: partyId('liquidityProviderFeeShare.party', share.party),
      equityLikeShare: decimal('equityLikeShare', share.equityLikeShare),
      averageEntryValuation: decimal('averageEntryValuation', share.averageEntryValuation),
      averageScore: decimal('averageScore', share.averageScore),
    })),
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
  }),
};

function fromBounds(bounds: BoundsMessage): PriceMonitoringBounds {
  const { trigger } = bounds;
  return {
    minValidPrice: decimal('minValidPrice', bounds.minValidPrice),
    maxValidPrice: decimal('maxValidPrice', bounds.maxValidPrice),
    referencePrice: decimal('referencePrice', bounds.referencePrice),
    trigger: trigger
      ? {
          horizon: String(trigger.horizon),
          probability: decimal('trigger.probability', trigger.probability),
          auctionExtension: String(trigger.auctionExtension),
        }
      : null,
  };
}
