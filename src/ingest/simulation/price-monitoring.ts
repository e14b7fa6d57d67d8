import { openAuction } from './auctions.ts';
import { startLiquidityShortage } from './liquidity.ts';
import type { Market } from './market.ts';
import type { Block, Network } from './network.ts';

/** The range that a price may move in before the market goes into an auction. */
export interface PriceBound {
  readonly trigger: PriceTrigger;
  readonly reference: number;
  readonly minimum: number;
  readonly maximum: number;
  /** The height at which the reference is taken anew. */
  readonly staleAt: number;
}

interface PriceTrigger {
  /** Seconds. */
  readonly horizon: number;
  readonly probability: string;
  /** Seconds, which are blocks. */
  readonly auctionExtension: number;
  /** How far from its reference the price may go, in thousandths. */
  readonly reach: number;
  readonly blocksPerReference: number;
}

const TRIGGERS: readonly PriceTrigger[] = [
  { horizon: 60, probability: '0.999', auctionExtension: 4, reach: 25, blocksPerReference: 15 },
  { horizon: 300, probability: '0.9999999', auctionExtension: 7, reach: 60, blocksPerReference: 60 },
];

/**
 * Takes the price where the market walked, unless that is out of bounds: then the market goes into an auction,
 * as it does when liquidity runs short. True when it did.
 */
export function watchPrice(network: Network, block: Block, market: Market, price: number): boolean {
  const broken = market.bounds.filter(({ minimum, maximum }) => price < minimum || price > maximum);
  if (broken.length > 0) {
    const seconds = broken.reduce((sum, { trigger }) => sum + trigger.auctionExtension, 0);
    openAuction(market, block, 'AUCTION_TRIGGER_PRICE', seconds, price);
    return true;
  }
  market.price = price;
  refreshBounds(market, block);
  return startLiquidityShortage(network, block, market);
}

/** Takes references anew where they are stale, or everywhere after an auction. */
export function refreshBounds(market: Market, block: Block, all = false): void {
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
