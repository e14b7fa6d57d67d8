import { marketStates, marketTradingModes } from '../domain/enumerations.ts';
import { scaled } from './amounts.ts';
import type { Market } from './state/markets.ts';
import type { SimulatedBlock } from './state/network.ts';

/** In units of 10^-4: what a taker pays to the maker and to the validators. */
export const MAKER_FEE = 2;
export const INFRASTRUCTURE_FEE = 5;
export const FEE_PLACES = 4;

/** What the maintenance margin is multiplied with, in tenths. */
export const SCALING = { search: 11, initial: 12, release: 14 } as const;

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
      product: 'FUTURE',
      settlementAssetId: market.asset.row.id,
      baseAssetId: null,
      quoteAssetId: null,
      quoteName: kind.quote,
      cap: null,
      funding: null,
      internalCompositePrice: null,
      decimalPlaces: kind.decimalPlaces,
      positionDecimalPlaces: kind.positionDecimalPlaces,
      tickSize: '1',
      makerFee: scaled(MAKER_FEE, FEE_PLACES),
      infrastructureFee: scaled(INFRASTRUCTURE_FEE, FEE_PLACES),
      liquidityFee: scaled(market.liquidityFee, FEE_PLACES),
      treasuryFee: '0',
      buyBackFee: '0',
      liquidityFeeSettings: null,
      searchLevel: scaled(SCALING.search, 1),
      initialMargin: scaled(SCALING.initial, 1),
      collateralRelease: scaled(SCALING.release, 1),
      fullyCollateralised: null,
      riskFactorOverride: null,
      linearSlippageFactor: '0.001',
      quadraticSlippageFactor: kind.quadraticSlippageFactor,
      lpPriceRange: market.lpPriceRange,
      liquiditySla: null,
      liquidationStrategy: null,
      markPriceConfiguration: null,
      enableTransactionReordering: false,
      allowedEmptyAmmLevels: '0',
      allowedSellers: [],
      parentMarketId: null,
      insurancePoolFraction: null,
      state: marketStates.numbers[market.state],
      tradingMode: marketTradingModes.numbers[market.tradingMode],
      proposedTimestamp: market.proposedTimestamp,
      pendingTimestamp: market.pendingTimestamp,
      openTimestamp: market.openTimestamp,
      closeTimestamp: market.closeTimestamp,
    },
  });
}

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
