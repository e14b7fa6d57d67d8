import type { PriceMonitoringBounds } from '../data/nouns/market-data.ts';
import type { NetworkEvent } from './events.ts';
import type { PayloadOf } from './protocol.ts';
import { decimal, decimalPlaces, id, optionalDecimal, optionalId, partyId, riskFactor } from './values.ts';

/** The events about assets and markets in our terms; `decode.ts` has the rest. */
export function fromAsset(asset: PayloadOf<'asset'>): NetworkEvent {
  const { details } = asset;
  const builtin = details?.source?.name === 'builtinAsset' ? details.source.value : null;
  const erc20 = details?.source?.name === 'erc20' ? details.source.value : null;
  return {
    type: 'asset',
    row: {
      id: id('id', asset.id),
      name: details?.name ?? '',
      symbol: details?.symbol ?? '',
      decimals: decimalPlaces('decimals', details?.decimals ?? 0n),
      quantum: decimal('quantum', details?.quantum ?? ''),
      status: asset.status,
      maxFaucetAmount: builtin && decimal('maxFaucetAmountMint', builtin.maxFaucetAmountMint),
      contractAddress: erc20?.contractAddress ?? null,
      lifetimeLimit: erc20 && decimal('lifetimeLimit', erc20.lifetimeLimit),
      withdrawThreshold: erc20 && decimal('withdrawThreshold', erc20.withdrawThreshold),
    },
  };
}

export function fromMarket(market: PayloadOf<'marketCreated'>): NetworkEvent {
  const instrument = market.tradableInstrument?.instrument;
  const scaling = market.tradableInstrument?.marginCalculator?.scalingFactors;
  const fees = market.fees?.factors;
  const times = market.marketTimestamps;
  return {
    type: 'market',
    row: {
      id: id('id', market.id),
      instrumentId: optionalId('instrument.id', instrument?.id ?? ''),
      instrumentCode: instrument?.code ?? '',
      instrumentName: instrument?.name ?? '',
      tags: instrument?.metadata?.tags ?? [],
      settlementAssetId: id('future.settlementAsset', instrument?.future?.settlementAsset ?? ''),
      quoteName: instrument?.future?.quoteName ?? '',
      decimalPlaces: decimalPlaces('decimalPlaces', market.decimalPlaces),
      positionDecimalPlaces: decimalPlaces('positionDecimalPlaces', market.positionDecimalPlaces, -255),
      makerFee: decimal('makerFee', fees?.makerFee ?? ''),
      infrastructureFee: decimal('infrastructureFee', fees?.infrastructureFee ?? ''),
      liquidityFee: decimal('liquidityFee', fees?.liquidityFee ?? ''),
      searchLevel: scaling?.searchLevel ?? '0',
      initialMargin: scaling?.initialMargin ?? '0',
      collateralRelease: scaling?.collateralRelease ?? '0',
      linearSlippageFactor: optionalDecimal('linearSlippageFactor', market.linearSlippageFactor),
      quadraticSlippageFactor: optionalDecimal('quadraticSlippageFactor', market.quadraticSlippageFactor),
      lpPriceRange: decimal('lpPriceRange', market.lpPriceRange),
      state: market.state,
      tradingMode: market.tradingMode,
      proposedTimestamp: times?.proposed ?? 0n,
      pendingTimestamp: times?.pending ?? 0n,
      openTimestamp: times?.open ?? 0n,
      closeTimestamp: times?.close ?? 0n,
    },
  };
}

export function fromRiskFactor({ market, short, long }: PayloadOf<'riskFactor'>): NetworkEvent {
  return {
    type: 'riskFactor',
    row: {
      marketId: id('market', market),
      short: riskFactor('short', short),
      long: riskFactor('long', long),
    },
  };
}

export function fromMarketData(data: PayloadOf<'marketData'>): NetworkEvent {
  return {
    type: 'marketData',
    row: {
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
    },
  };
}

function fromBounds(bounds: PayloadOf<'marketData'>['priceMonitoringBounds'][number]): PriceMonitoringBounds {
  const { trigger } = bounds;
  return {
    minValidPrice: decimal('minValidPrice', bounds.minValidPrice),
    maxValidPrice: decimal('maxValidPrice', bounds.maxValidPrice),
    referencePrice: decimal('referencePrice', bounds.referencePrice),
    trigger: trigger && {
      horizon: String(trigger.horizon),
      probability: decimal('trigger.probability', trigger.probability),
      auctionExtension: String(trigger.auctionExtension),
    },
  };
}
