import type { PriceMonitoringTrigger } from '../data/nouns/market-data.ts';
import type { PriceTrigger } from './state/markets.ts';

/** Every market has these. */
export const TRIGGERS: readonly PriceTrigger[] = [
  { horizon: 60, probability: '0.999', auctionExtension: 4, reach: 25, blocksPerReference: 15 },
  { horizon: 300, probability: '0.9999999', auctionExtension: 7, reach: 60, blocksPerReference: 60 },
];

/** A trigger as markets and their data tell it. */
export function tellTrigger({
  horizon,
  probability,
  auctionExtension,
}: PriceTrigger): PriceMonitoringTrigger {
  return {
    horizon: horizon.toString(),
    probability,
    auctionExtension: auctionExtension.toString(),
  };
}
