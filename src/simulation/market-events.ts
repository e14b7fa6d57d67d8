import { scaled } from './amounts.ts';
import type { Market } from './state/markets.ts';
import type { SimulatedBlock } from './state/network.ts';

/** In units of 10^-4: what a taker pays to the maker and to the validators. */
export const MAKER_FEE = 2;
export const INFRASTRUCTURE_FEE = 5;
/** The same, to the network, in newer releases. */
export const TREASURY_FEE = 1;
export const BUY_BACK_FEE = 1;
export const FEE_PLACES = 4;

/** How much of the funding that a position owes its margin covers, in tenths. */
export const MARGIN_FUNDING = 1;

/** What the maintenance margin is multiplied with, in tenths. */
export const SCALING = { search: 11, initial: 12, release: 14 } as const;

/** Announces what the market needs as margin on a unit of exposure. */
export function announceRiskFactor(block: SimulatedBlock, market: Market): void {
  block.events.push({
    type: 'riskFactor',
    row: {
      marketId: market.id,
      short: scaled(market.riskFactor.short, 16),
      long: scaled(market.riskFactor.long, 16),
    },
  });
}
