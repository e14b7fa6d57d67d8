import type { Market, PriceTrigger } from './state/markets.ts';
import type { SimulatedBlock } from './state/network.ts';

/** Every market has these. */
const TRIGGERS: readonly PriceTrigger[] = [
  { horizon: 60, probability: '0.999', auctionExtension: 4, reach: 25, blocksPerReference: 15 },
  { horizon: 300, probability: '0.9999999', auctionExtension: 7, reach: 60, blocksPerReference: 60 },
];

/** The triggers that a price would set off. */
export function brokenTriggers({ bounds }: Market, price: number): readonly PriceTrigger[] {
  const broken = bounds.filter(({ minimum, maximum }) => price < minimum || price > maximum);
  return broken.map(({ trigger }) => trigger);
}

/** Takes references anew where they are stale, or everywhere after an auction. */
export function refreshBounds(market: Market, block: SimulatedBlock, all = false): void {
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
