import type {
  LiquidityProviderFeeShare,
  LiquidityProviderSla,
  PriceMonitoringBounds,
} from '../data/nouns/market-data.ts';
import {
  auctionTriggers,
  compositePriceTypes,
  marketStates,
  marketTradingModes,
} from '../domain/enumerations.ts';
import { scaled, share } from './amounts.ts';
import { productData } from './funding.ts';
import { suppliedStake, targetStake } from './liquidity.ts';
import { openInterest } from './positions.ts';
import { tellTrigger } from './price-triggers.ts';
import { BLOCKS_PER_MARK } from './settlement.ts';
import type { Market } from './state/markets.ts';
import { BLOCK_INTERVAL, isNewer, type Network, type SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';

/** What the market looks like now. In an auction nothing is bid or offered for continuous trading. */
export function announceMarketData({ random }: Network, block: SimulatedBlock, market: Market): void {
  const { auction, kind, price } = market;
  const spread = 1 + Math.floor(price / 2000);
  const trading = market.state === 'STATE_ACTIVE';
  const volume = () => (trading ? random.between(1, kind.lot) : 0).toString();
  const bid = trading ? price - random.below(spread) : 0;
  const offer = trading ? price + 1 + random.below(spread) : 0;
  const staticBid = trading ? bid - random.below(spread) : 0;
  const staticOffer = trading ? offer + random.below(spread) : 0;
  const stake = suppliedStake(market);
  block.events.push({
    type: 'marketData',
    row: {
      marketId: market.id,
      markPrice: market.markPrice.toString(),
      lastTradedPrice: market.lastTradedPrice.toString(),
      midPrice: Math.floor((bid + offer) / 2).toString(),
      staticMidPrice: Math.floor((staticBid + staticOffer) / 2).toString(),
      bestBidPrice: bid.toString(),
      bestBidVolume: volume(),
      bestOfferPrice: offer.toString(),
      bestOfferVolume: volume(),
      bestStaticBidPrice: staticBid.toString(),
      bestStaticBidVolume: volume(),
      bestStaticOfferPrice: staticOffer.toString(),
      bestStaticOfferVolume: volume(),
      indicativePrice: (auction?.indicativePrice ?? 0).toString(),
      indicativeVolume: (auction?.indicativeVolume ?? 0).toString(),
      openInterest: openInterest(market).toString(),
      marketValueProxy: stake.toString(),
      suppliedStake: stake.toString(),
      targetStake: (price === 0 ? 0n : targetStake(market)).toString(),
      nextMarkToMarket: nextMark(block, market),
      auctionStart: auction?.startedAt ?? 0n,
      auctionEnd: auction?.endsAt ?? 0n,
      timestamp: block.timestamp,
      marketState: marketStates.numbers[market.state],
      marketTradingMode: marketTradingModes.numbers[market.tradingMode],
      trigger: auctionTriggers.numbers[auction?.trigger ?? 'AUCTION_TRIGGER_UNSPECIFIED'],
      extensionTrigger: auctionTriggers.numbers[auction?.extensionTrigger ?? 'AUCTION_TRIGGER_UNSPECIFIED'],
      priceMonitoringBounds: priceMonitoringBounds(block, market),
      liquidityProviderFeeShare: feeShares(block, market, stake),
      ...(isNewer(block) ? newerData(market) : OLDER_DATA),
    },
  });
}

const OLDER_DATA = {
  marketGrowth: null,
  productData: null,
  liquidityProviderSla: null,
  nextNetworkCloseout: null,
  markPriceType: null,
  markPriceState: null,
  activeProtocolAutomatedPurchase: null,
} as const;

/** A spot closes nobody out, and tells no way in which its price is made. */
function newerData(market: Market) {
  return {
    ...OLDER_DATA,
    marketGrowth: '0',
    productData: productData(market),
    liquidityProviderSla: market.providers.map(({ party }) => slaOf(party)),
    nextNetworkCloseout: 0n,
    markPriceType:
      market.base === null
        ? compositePriceTypes.numbers.COMPOSITE_PRICE_TYPE_LAST_TRADE
        : compositePriceTypes.numbers.COMPOSITE_PRICE_TYPE_UNSPECIFIED,
  };
}

/** Every provider is there all the time. */
function slaOf({ id }: Party): LiquidityProviderSla {
  return {
    party: id,
    currentEpochFractionOfTimeOnBook: '1',
    lastEpochFractionOfTimeOnBook: '1',
    lastEpochFeePenalty: '0',
    lastEpochBondPenalty: '0',
    hysteresisPeriodFeePenalties: [],
    requiredLiquidity: '0',
    notionalVolumeBuys: '0',
    notionalVolumeSells: '0',
  };
}

function nextMark(block: SimulatedBlock, market: Market): bigint {
  if (market.state !== 'STATE_ACTIVE' && market.state !== 'STATE_SUSPENDED') return 0n;
  const blocks = BLOCKS_PER_MARK - (block.height % BLOCKS_PER_MARK);
  return block.timestamp + BigInt(blocks) * BLOCK_INTERVAL;
}

function priceMonitoringBounds(block: SimulatedBlock, market: Market): readonly PriceMonitoringBounds[] {
  return market.bounds.map(({ minimum, maximum, reference, trigger }) => ({
    minValidPrice: minimum.toString(),
    maxValidPrice: maximum.toString(),
    referencePrice: reference.toString(),
    trigger: tellTrigger(trigger),
    active: isNewer(block) ? true : null,
  }));
}

function feeShares(
  block: SimulatedBlock,
  market: Market,
  stake: bigint,
): readonly LiquidityProviderFeeShare[] {
  return market.providers.map(({ party, bond }, index) => ({
    party: party.id,
    equityLikeShare: share(bond.balance, stake),
    averageEntryValuation: stake.toString(),
    averageScore: scaled(10 - index, 1),
    virtualStake: isNewer(block) ? bond.balance.toString() : null,
  }));
}
