import type { AuctionTrigger } from '../domain/enumerations.ts';
import { endLiquidityShortage, findLiquidityShortage } from './liquidity.ts';
import { TRIGGERS } from './price-triggers.ts';
import type { Market, PriceTrigger } from './state/markets.ts';
import { BLOCK_INTERVAL, type Network, type SimulatedBlock } from './state/network.ts';
import { makeRandomTrade, walkPrice } from './trading.ts';

const LIQUIDITY_AUCTION_SECONDS = 4;

/**
 * Takes the price where the market walks, unless that is out of bounds: then trading stops for an auction, as it
 * does when liquidity runs short. True when it did.
 */
export function watchMarket(network: Network, block: SimulatedBlock, market: Market): boolean {
  const price = walkPrice(network, market);
  const broken = brokenTriggers(market, price);
  if (broken.length > 0) {
    const seconds = broken.reduce((sum, { auctionExtension }) => sum + auctionExtension, 0);
    openAuction(market, block, 'AUCTION_TRIGGER_PRICE', seconds, price);
    return true;
  }
  market.price = price;
  refreshBounds(market, block);
  const shortage = findLiquidityShortage(network, block, market);
  if (shortage) openAuction(market, block, shortage, LIQUIDITY_AUCTION_SECONDS);
  return shortage !== null;
}

/** Stops trading for some seconds, which are as many blocks. The price is that of orders which crossed already. */
export function openAuction(
  market: Market,
  block: SimulatedBlock,
  trigger: AuctionTrigger,
  seconds: number,
  price = 0,
): void {
  market.auction = {
    trigger,
    startedAt: block.timestamp,
    extensionTrigger: 'AUCTION_TRIGGER_UNSPECIFIED',
    endsAt: block.timestamp + BigInt(seconds) * BLOCK_INTERVAL,
    lastBlock: block.height + seconds,
    indicativePrice: price,
    indicativeVolume: 0,
  };
}

/** Collects orders; at its end the auction is extended once in a while, or trades at the price it found. */
export function advanceAuction(network: Network, block: SimulatedBlock, market: Market): boolean {
  const { auction } = market;
  if (!auction) return true;
  collectOrders(network, market);
  if (block.height < auction.lastBlock) return false;
  const extended = auction.extensionTrigger !== 'AUCTION_TRIGGER_UNSPECIFIED';
  if (!extended && network.random.oneIn(4)) {
    const liquidity = auction.trigger === 'AUCTION_TRIGGER_PRICE';
    auction.extensionTrigger = liquidity
      ? 'AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET'
      : 'AUCTION_TRIGGER_PRICE';
    auction.endsAt += 3n * BLOCK_INTERVAL;
    auction.lastBlock += 3;
    return false;
  }
  closeAuction(network, block, market);
  return true;
}

/** Lets the price be found that the auction would end at. */
export function collectOrders(network: Network, market: Market): void {
  const { auction, kind } = market;
  if (!auction || network.random.oneIn(5)) return;
  auction.indicativePrice = walkPrice(network, market);
  auction.indicativeVolume += network.random.between(1, kind.lot);
}

/** Trading goes on at the price that the auction found. */
export function closeAuction(network: Network, block: SimulatedBlock, market: Market): void {
  market.price = market.auction?.indicativePrice || market.price || market.kind.price;
  market.markPrice ||= market.price;
  market.auction = null;
  refreshBounds(market, block, true);
  endLiquidityShortage(block, market);
  for (let trades = 0; trades < 3; trades++) makeRandomTrade(network, block, market);
}

/** The triggers that a price would set off. */
function brokenTriggers({ bounds }: Market, price: number): readonly PriceTrigger[] {
  const broken = bounds.filter(({ minimum, maximum }) => price < minimum || price > maximum);
  return broken.map(({ trigger }) => trigger);
}

/** Takes references anew where they are stale, or everywhere after an auction. */
function refreshBounds(market: Market, block: SimulatedBlock, all = false): void {
  market.bounds = TRIGGERS.map((trigger, index) => {
    const bound = market.bounds[index];
    if (bound && !all && block.height < bound.staleAt) return bound;
    const reach = Math.floor((market.price * trigger.reach) / 1000);
    return {
      trigger,
      reference: market.price,
      minimum: market.price - reach,
      maximum: market.price + reach,
      staleAt: block.height + trigger.blocksPerReference,
    };
  });
}
