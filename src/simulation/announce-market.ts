import { marketStates, marketTradingModes } from '../domain/enumerations.ts';
import { scaled } from './amounts.ts';
import { FEE_PLACES, INFRASTRUCTURE_FEE, MAKER_FEE } from './market-events.ts';
import { marginTerms, newerTerms, olderTerms, productTerms } from './market-terms.ts';
import type { Market } from './state/markets.ts';
import { isNewer, type SimulatedBlock } from './state/network.ts';

/** Announces the market as it is now. */
export function announceMarket(block: SimulatedBlock, market: Market): void {
  const { kind } = market;
  block.events.push({
    type: 'market',
    row: {
      id: market.id,
      instrumentId: market.id,
      instrumentCode: kind.code,
      instrumentName: kind.name,
      tags: kind.tags,
      ...productTerms(market),
      decimalPlaces: kind.decimalPlaces,
      positionDecimalPlaces: kind.positionDecimalPlaces,
      makerFee: scaled(MAKER_FEE, FEE_PLACES),
      infrastructureFee: scaled(INFRASTRUCTURE_FEE, FEE_PLACES),
      liquidityFee: scaled(market.liquidityFee, FEE_PLACES),
      ...marginTerms(market),
      ...(isNewer(block) ? newerTerms(market) : olderTerms(market)),
      state: marketStates.numbers[market.state],
      tradingMode: marketTradingModes.numbers[market.tradingMode],
      proposedTimestamp: market.proposedTimestamp,
      pendingTimestamp: market.pendingTimestamp,
      openTimestamp: market.openTimestamp,
      closeTimestamp: market.closeTimestamp,
    },
  });
}
