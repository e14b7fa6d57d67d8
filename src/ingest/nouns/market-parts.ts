import type {
  CompositePriceConfiguration,
  LiquidationStrategy,
  LiquidityFeeSettings,
  LiquiditySla,
  RiskFactorOverride,
} from '../../data/nouns/markets.ts';
import { compositePriceTypes, liquidityFeeMethods } from '../../domain/enumerations.ts';
import { enumerated, listOf, object, optional, otherwise, required, text } from '../json-objects.ts';
import { decimals, integers, optionalDecimals } from '../json-values.ts';
import type {
  CompositePriceConfiguration as CompositePriceMessage,
  LiquidationStrategy as LiquidationMessage,
  LiquidityFeeSettings as LiquidityFeeMessage,
  RiskFactorOverride as OverrideMessage,
  LiquiditySLAParameters as SlaMessage,
} from '../protocol/generated/markets_pb.ts';
import { decimal, optionalDecimal } from '../values.ts';

/** The objects within a market that every product can have, each from both sources; null where the network gave none. */

export function fromCompositePrice(
  field: string,
  message: CompositePriceMessage | undefined,
): CompositePriceConfiguration | null {
  if (message === undefined) return null;
  return {
    compositePriceType: message.compositePriceType,
    decayWeight: decimal(`${field}.decayWeight`, message.decayWeight),
    decayPower: String(message.decayPower),
    cashAmount: decimal(`${field}.cashAmount`, message.cashAmount),
    sourceWeights: message.sourceWeights.map((weight) => decimal(`${field}.sourceWeights`, weight)),
    sourceStalenessTolerance: message.sourceStalenessTolerance,
  };
}

export function fromLiquidityFee(message: LiquidityFeeMessage | undefined): LiquidityFeeSettings | null {
  if (message === undefined) return null;
  const { method, feeConstant = '' } = message;
  return { method, feeConstant: optionalDecimal('liquidityFeeSettings.feeConstant', feeConstant) };
}

export function fromOverride(message: OverrideMessage | undefined): RiskFactorOverride | null {
  if (message === undefined) return null;
  return {
    short: decimal('riskFactorOverride.short', message.short),
    long: decimal('riskFactorOverride.long', message.long),
  };
}

export function fromSla(message: SlaMessage | undefined): LiquiditySla | null {
  if (message === undefined) return null;
  const { priceRange, commitmentMinTimeFraction, slaCompetitionFactor } = message;
  return {
    priceRange: decimal('liquiditySla.priceRange', priceRange),
    commitmentMinTimeFraction: decimal('liquiditySla.commitmentMinTimeFraction', commitmentMinTimeFraction),
    performanceHysteresisEpochs: String(message.performanceHysteresisEpochs),
    slaCompetitionFactor: decimal('liquiditySla.slaCompetitionFactor', slaCompetitionFactor),
  };
}

export function fromLiquidation(message: LiquidationMessage | undefined): LiquidationStrategy | null {
  if (message === undefined) return null;
  const { disposalFraction, maxFractionConsumed, disposalSlippageRange } = message;
  return {
    disposalTimeStep: String(message.disposalTimeStep),
    disposalFraction: decimal('liquidationStrategy.disposalFraction', disposalFraction),
    fullDisposalSize: String(message.fullDisposalSize),
    maxFractionConsumed: decimal('liquidationStrategy.maxFractionConsumed', maxFractionConsumed),
    disposalSlippageRange: optionalDecimal(
      'liquidationStrategy.disposalSlippageRange',
      disposalSlippageRange,
    ),
  };
}

export const compositePriceFromJson = object({
  compositePriceType: required(enumerated(compositePriceTypes)),
  decayWeight: otherwise('0', decimals),
  decayPower: otherwise('0', integers),
  cashAmount: otherwise('0', decimals),
  sourceWeights: otherwise([], listOf(decimals)),
  sourceStalenessTolerance: otherwise([], listOf(text)),
});

export const liquidityFeeFromJson = object({
  method: required(enumerated(liquidityFeeMethods)),
  feeConstant: optional(optionalDecimals),
});

export const overrideFromJson = object({ short: required(decimals), long: required(decimals) });

export const slaFromJson = object({
  priceRange: required(decimals),
  commitmentMinTimeFraction: required(decimals),
  performanceHysteresisEpochs: required(integers),
  slaCompetitionFactor: required(decimals),
});

export const liquidationFromJson = object({
  disposalTimeStep: required(integers),
  disposalFraction: required(decimals),
  fullDisposalSize: required(integers),
  maxFractionConsumed: required(decimals),
  disposalSlippageRange: optional(optionalDecimals),
});
