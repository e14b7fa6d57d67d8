import type {
  CompositePriceConfiguration,
  FundingTerms,
  FutureCap,
  LogNormalRiskModel,
  SimpleRiskModel,
} from '../data/nouns/markets.ts';
import {
  compositePriceTypes,
  liquidityFeeMethods,
  marketStates,
  marketTradingModes,
} from '../domain/enumerations.ts';
import type { EventRow } from '../ingest/events.ts';
import { scaled } from './amounts.ts';
import { TRIGGERS, tellTrigger } from './price-triggers.ts';
import type { Market } from './state/markets.ts';
import { isNewer, type SimulatedBlock } from './state/network.ts';

/** In units of 10^-4: what a taker pays to the maker and to the validators. */
export const MAKER_FEE = 2;
export const INFRASTRUCTURE_FEE = 5;
/** What it pays to the network besides, in newer releases; in the same units. */
export const TREASURY_FEE = 1;
export const BUY_BACK_FEE = 1;
export const FEE_PLACES = 4;

/** How much of the funding that a position owes its margin covers, in tenths. */
export const MARGIN_FUNDING = 1;

/** What the maintenance margin is multiplied with, in tenths. */
export const SCALING = { search: 11, initial: 12, release: 14 } as const;

type MarketRow = EventRow<'market'>;

/** What a market trades, and in which assets. */
function productTerms({ kind, asset, base }: Market) {
  const isSpot = base !== null;
  return {
    product: kind.product,
    settlementAssetId: isSpot ? null : asset.row.id,
    baseAssetId: base?.row.id ?? null,
    quoteAssetId: isSpot ? asset.row.id : null,
    quoteName: isSpot ? null : kind.quote,
    cap: kind.cap === null ? null : capAt(kind.cap),
    funding: kind.product === 'PERPETUAL' ? FUNDING : null,
    internalCompositePrice: kind.product === 'PERPETUAL' ? LAST_TRADE : null,
  } satisfies Partial<MarketRow>;
}

/** What the margin of a position is made from, which a spot has none of. */
function marginTerms({ kind, base }: Market) {
  const scaling = (level: keyof typeof SCALING) => (base === null ? scaled(SCALING[level], 1) : null);
  return {
    searchLevel: scaling('search'),
    initialMargin: scaling('initial'),
    collateralRelease: scaling('release'),
    fullyCollateralised: kind.cap === null ? null : false,
    riskFactorOverride: null,
    linearSlippageFactor: base === null ? '0.001' : '0',
    quadraticSlippageFactor: kind.quadraticSlippageFactor,
  } satisfies Partial<MarketRow>;
}

/** When a market goes into an auction, and what its risk factors are computed by. Releases from 0.73 on tell less. */
function monitoringTerms(block: SimulatedBlock, { kind }: Market) {
  return {
    openingAuction: { duration: '3', volume: '0' },
    priceMonitoringTriggers: TRIGGERS.map(tellTrigger),
    liquidityMonitoring: {
      targetStakeParameters: { timeWindow: '3600', scalingFactor: '10' },
      triggeringRatio: isNewer(block) ? null : '0.7',
      auctionExtension: isNewer(block) ? '0' : '1',
    },
    // Some markets have the one, some the other.
    ...(kind.positionDecimalPlaces === 2
      ? { logNormalRiskModel: null, simpleRiskModel: SIMPLE }
      : { logNormalRiskModel: LOG_NORMAL, simpleRiskModel: null }),
  } satisfies Partial<MarketRow>;
}

const LOG_NORMAL: LogNormalRiskModel = {
  riskAversionParameter: '0.000001',
  tau: '0.00011407711613050422',
  mu: '0',
  r: '0.016',
  sigma: '1.25',
};

const SIMPLE: SimpleRiskModel = {
  factorLong: '0.1',
  factorShort: '0.12',
  maxMoveUp: '10',
  minMoveDown: '-5',
  probabilityOfTrading: '0.1',
};

/** What no market of release 0.71 has, but a range for its liquidity. */
function olderTerms({ lpPriceRange }: Market) {
  return {
    tickSize: null,
    treasuryFee: null,
    buyBackFee: null,
    liquidityFeeSettings: null,
    lpPriceRange,
    liquiditySla: null,
    liquidationStrategy: null,
    markPriceConfiguration: null,
    ...UNUSED,
  } satisfies Partial<MarketRow>;
}

/** What every market of newer releases has. */
function newerTerms({ lpPriceRange, kind, base }: Market) {
  return {
    tickSize: '1',
    treasuryFee: scaled(TREASURY_FEE, FEE_PLACES),
    buyBackFee: scaled(BUY_BACK_FEE, FEE_PLACES),
    liquidityFeeSettings: { method: liquidityFeeMethods.numbers.METHOD_MARGINAL_COST, feeConstant: null },
    lpPriceRange: null,
    liquiditySla: {
      priceRange: lpPriceRange,
      commitmentMinTimeFraction: '0.5',
      performanceHysteresisEpochs: '1',
      slaCompetitionFactor: '0.5',
    },
    liquidationStrategy:
      base === null
        ? {
            disposalTimeStep: '1',
            disposalFraction: '1',
            fullDisposalSize: kind.lot.toString(),
            maxFractionConsumed: '0.1',
            disposalSlippageRange: '0.5',
          }
        : null,
    markPriceConfiguration: base === null ? LAST_TRADE : null,
    ...UNUSED,
  } satisfies Partial<MarketRow>;
}

const UNUSED = {
  enableTransactionReordering: false,
  allowedEmptyAmmLevels: '0',
  allowedSellers: [],
  parentMarketId: null,
  insurancePoolFraction: null,
} as const;

const FUNDING: FundingTerms = {
  marginFundingFactor: scaled(MARGIN_FUNDING, 1),
  interestRate: '0',
  clampLowerBound: '0',
  clampUpperBound: '0',
  fundingRateScalingFactor: null,
  fundingRateLowerBound: null,
  fundingRateUpperBound: null,
};

const LAST_TRADE: CompositePriceConfiguration = {
  compositePriceType: compositePriceTypes.numbers.COMPOSITE_PRICE_TYPE_LAST_TRADE,
  decayWeight: '0',
  decayPower: '0',
  cashAmount: '0',
  sourceWeights: [],
  sourceStalenessTolerance: [],
};

function capAt(price: number): FutureCap {
  return { maxPrice: price.toString(), binarySettlement: false, fullyCollateralised: false };
}

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
      ...monitoringTerms(block, market),
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
