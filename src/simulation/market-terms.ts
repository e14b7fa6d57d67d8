import type { CompositePriceConfiguration, FundingTerms, FutureCap } from '../data/nouns/markets.ts';
import { compositePriceTypes, liquidityFeeMethods } from '../domain/enumerations.ts';
import type { EventRow } from '../ingest/events.ts';
import { scaled } from './amounts.ts';
import { BUY_BACK_FEE, FEE_PLACES, MARGIN_FUNDING, SCALING, TREASURY_FEE } from './market-events.ts';
import type { Market } from './state/markets.ts';

type MarketRow = EventRow<'market'>;

/** What a market trades, and in which assets. */
export function productTerms({ kind, asset, base }: Market) {
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
export function marginTerms({ kind, base }: Market) {
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

/** What no market of release 0.71 has, but a range for its liquidity. */
export function olderTerms({ lpPriceRange }: Market) {
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
export function newerTerms({ lpPriceRange, kind, base }: Market) {
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
