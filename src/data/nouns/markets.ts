import {
  compositePriceTypes,
  liquidityFeeMethods,
  marketStates,
  marketTradingModes,
} from '../../domain/enumerations.ts';
import { MAX_ID_LENGTH } from '../../domain/ids.ts';
import { type FilterValues, givenValues, type Hint } from '../conditions.ts';
import { noun } from '../noun.ts';
import { raw } from '../sql.ts';
import type { PriceMonitoringTrigger } from './market-data.ts';

const CODE_BEGINNING = 'codeBeginning';

export const markets = noun({
  model: 'Market',
  name: 'markets',
  key: ['id'],
  history: 'rows',
  by: {
    settlementAssetId: 'settlementAssetId',
    ...{ assetIds: 'settlementAssetId', codes: 'instrumentCode', states: 'state' },
  },
  changing: ['settlementAssetId', 'instrumentCode', 'state'],
  enumerations: {
    state: marketStates,
    tradingMode: marketTradingModes,
    'markPriceConfiguration.compositePriceType': compositePriceTypes,
    'internalCompositePrice.compositePriceType': compositePriceTypes,
    'liquidityFeeSettings.method': liquidityFeeMethods,
  },
  indexes: [
    ['settlementAssetId', 'state'],
    ['settlementAssetId'],
    ['baseAssetId'],
    ['quoteAssetId'],
    ['parentMarketId'],
    [CODE_BEGINNING],
    ['state'],
    [],
  ],
  updated: { indexes: [[]] },
  within: ({ exceptStates }: { readonly exceptStates?: FilterValues }) => {
    const except = givenValues(exceptStates);
    return except === null ? [] : [{ field: 'state', type: 'integer', except }];
  },
  hints: ({ codes }) => beginningsOf(givenValues(codes)),
});

/** Whoever proposes a market chooses its code, at any length. An index has no room for that, and so it has how the code begins. */
function beginningsOf(codes: readonly string[] | null): readonly Hint[] {
  if (codes === null) return [];
  // Characters as PostgreSQL counts them.
  const values = codes.map((code) => [...code].slice(0, MAX_ID_LENGTH).join(''));
  const expression = raw(`left(t.instrument_code, ${MAX_ID_LENGTH})`);
  return [{ each: { field: CODE_BEGINNING, expression, type: 'text', values } }];
}

/** What `Market.product` holds. It is our own: the network has a message for each, and no name. */
export type Product = 'FUTURE' | 'PERPETUAL' | 'SPOT';

/** What the JSON columns of a market hold: canonical decimals, whole numbers as text. */
export interface MarketObjects {
  readonly cap: FutureCap | null;
  readonly funding: FundingTerms | null;
  readonly internalCompositePrice: CompositePriceConfiguration | null;
  readonly liquidityFeeSettings: LiquidityFeeSettings | null;
  readonly riskFactorOverride: RiskFactorOverride | null;
  readonly liquiditySla: LiquiditySla | null;
  readonly liquidationStrategy: LiquidationStrategy | null;
  readonly markPriceConfiguration: CompositePriceConfiguration | null;
  readonly openingAuction: OpeningAuction | null;
  readonly priceMonitoringTriggers: readonly PriceMonitoringTrigger[] | null;
  readonly liquidityMonitoring: LiquidityMonitoring | null;
  readonly logNormalRiskModel: LogNormalRiskModel | null;
  readonly simpleRiskModel: SimpleRiskModel | null;
}

export interface FutureCap {
  /** In market decimals. */
  readonly maxPrice: string;
  readonly binarySettlement: boolean;
  readonly fullyCollateralised: boolean;
}

export interface FundingTerms {
  /** Null where the network told none; and so no margin can be estimated. */
  readonly marginFundingFactor: string | null;
  readonly interestRate: string;
  readonly clampLowerBound: string;
  readonly clampUpperBound: string;
  readonly fundingRateScalingFactor: string | null;
  readonly fundingRateLowerBound: string | null;
  readonly fundingRateUpperBound: string | null;
}

export interface CompositePriceConfiguration {
  readonly compositePriceType: number;
  readonly decayWeight: string;
  readonly decayPower: string;
  readonly cashAmount: string;
  readonly sourceWeights: readonly string[];
  /** Durations as the network writes them: `1m0s`. */
  readonly sourceStalenessTolerance: readonly string[];
}

export interface LiquidityFeeSettings {
  readonly method: number;
  readonly feeConstant: string | null;
}

export interface RiskFactorOverride {
  readonly short: string;
  readonly long: string;
}

export interface LiquiditySla {
  readonly priceRange: string;
  readonly commitmentMinTimeFraction: string;
  readonly performanceHysteresisEpochs: string;
  readonly slaCompetitionFactor: string;
}

export interface OpeningAuction {
  /** In seconds. */
  readonly duration: string;
  /** In position decimals. */
  readonly volume: string;
}

export interface LiquidityMonitoring {
  readonly targetStakeParameters: TargetStakeParameters | null;
  readonly triggeringRatio: string | null;
  /** In seconds. */
  readonly auctionExtension: string;
}

export interface TargetStakeParameters {
  /** In seconds. */
  readonly timeWindow: string;
  readonly scalingFactor: string;
}

/** Of the models the network sends doubles, which are kept as decimals. */
export interface LogNormalRiskModel {
  readonly riskAversionParameter: string;
  readonly tau: string;
  readonly mu: string;
  readonly r: string;
  readonly sigma: string;
}

export interface SimpleRiskModel {
  readonly factorLong: string;
  readonly factorShort: string;
  readonly maxMoveUp: string;
  readonly minMoveDown: string;
  readonly probabilityOfTrading: string;
}

export interface LiquidationStrategy {
  /** In seconds. */
  readonly disposalTimeStep: string;
  readonly disposalFraction: string;
  /** In position decimals. */
  readonly fullDisposalSize: string;
  readonly maxFractionConsumed: string;
  readonly disposalSlippageRange: string | null;
}
