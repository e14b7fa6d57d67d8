import type {
  CompositePriceConfiguration as CompositePriceShape,
  FundingTerms as FundingTermsShape,
  FutureCap as FutureCapShape,
  LiquidationStrategy as LiquidationStrategyShape,
  LiquidityFeeSettings as LiquidityFeeSettingsShape,
  LiquiditySla as LiquiditySlaShape,
  RiskFactorOverride as RiskFactorOverrideShape,
} from '../data/nouns/markets.ts';
import { builder } from './builder.ts';

/** The objects within a market. */

export const FutureCap = builder.objectRef<FutureCapShape>('FutureCap').implement({
  description: 'The cap of a future: no price passes it.',
  fields: (t) => ({
    maxPrice: t.expose('maxPrice', {
      type: 'Integer',
      description: 'The highest price, in market decimals.',
    }),
    binarySettlement: t.exposeBoolean('binarySettlement', {
      description: 'Whether the market settles at 0 or at the highest price, and at nothing between.',
    }),
    fullyCollateralised: t.exposeBoolean('fullyCollateralised', {
      description: 'Whether the margin of a position is all that it can lose.',
    }),
  }),
});

export const FundingTerms = builder.objectRef<FundingTermsShape>('FundingTerms').implement({
  description:
    'How the funding of a perpetual is computed: what long positions pay short ones, or the other way round, at the end of each funding period.',
  fields: (t) => ({
    marginFundingFactor: t.expose('marginFundingFactor', {
      type: 'Decimal',
      nullable: true,
      description:
        'The share of the expected funding payment that margins cover, from 0 to 1; null if the network told none, and then no position can be estimated.',
    }),
    interestRate: t.expose('interestRate', {
      type: 'Decimal',
      description: 'The interest of a year, as a share of the price.',
    }),
    clampLowerBound: t.expose('clampLowerBound', {
      type: 'Decimal',
      description: 'The least that the interest adds to the rate of a year, as a share of the price.',
    }),
    clampUpperBound: t.expose('clampUpperBound', {
      type: 'Decimal',
      description: 'The most that the interest adds to the rate of a year, as a share of the price.',
    }),
    fundingRateScalingFactor: t.expose('fundingRateScalingFactor', {
      type: 'Decimal',
      nullable: true,
      description: 'What the funding rate is multiplied by; null if the network gave none.',
    }),
    fundingRateLowerBound: t.expose('fundingRateLowerBound', {
      type: 'Decimal',
      nullable: true,
      description: 'The least funding rate of a period, as a share of the price; null if there is none.',
    }),
    fundingRateUpperBound: t.expose('fundingRateUpperBound', {
      type: 'Decimal',
      nullable: true,
      description: 'The largest funding rate of a period, as a share of the price; null if there is none.',
    }),
  }),
});

export const CompositePrice = builder
  .objectRef<CompositePriceShape>('CompositePriceConfiguration')
  .implement({
    description: 'How a price is made of several sources.',
    fields: (t) => ({
      compositePriceType: t.expose('compositePriceType', {
        type: 'CompositePriceType',
        description: 'The way in which the sources become one price.',
      }),
      decayWeight: t.expose('decayWeight', {
        type: 'Decimal',
        description: 'How much trades lose of their weight as they grow old, from 0 to 1.',
      }),
      decayPower: t.expose('decayPower', {
        type: 'Uint64',
        description: 'The power by which that weight falls with the age of a trade.',
      }),
      cashAmount: t.expose('cashAmount', {
        type: 'Decimal',
        description: "The amount that the price of the order book is for, in the asset's smallest unit.",
      }),
      sourceWeights: t.expose('sourceWeights', {
        type: ['Decimal'],
        description:
          'A list of the weights of the sources: trades, order book, oracles, median of the others.',
      }),
      sourceStalenessTolerance: t.exposeStringList('sourceStalenessTolerance', {
        description:
          'A list of the ages at which a source no longer counts, in the same order, as durations such as `1m0s`.',
      }),
    }),
  });

export const LiquidityFeeSettings = builder
  .objectRef<LiquidityFeeSettingsShape>('LiquidityFeeSettings')
  .implement({
    description: 'How the liquidity fee of a market is set.',
    fields: (t) => ({
      method: t.expose('method', { type: 'LiquidityFeeMethod', description: 'The way in which it is set.' }),
      feeConstant: t.expose('feeConstant', {
        type: 'Decimal',
        nullable: true,
        description:
          'The fee where it is constant, as a share of the value of a trade; null where it is not.',
      }),
    }),
  });

export const RiskFactorOverride = builder.objectRef<RiskFactorOverrideShape>('RiskFactorOverride').implement({
  description: 'Risk factors that governance set instead of those that the risk model gives.',
  fields: (t) => ({
    short: t.expose('short', { type: 'Decimal', description: 'The factor for short positions.' }),
    long: t.expose('long', { type: 'Decimal', description: 'The factor for long positions.' }),
  }),
});

export const LiquiditySla = builder.objectRef<LiquiditySlaShape>('LiquiditySla').implement({
  description: 'What liquidity providers of a market owe it.',
  fields: (t) => ({
    priceRange: t.expose('priceRange', {
      type: 'Decimal',
      description:
        'The largest distance from the mid price at which liquidity counts, as a share of that price.',
    }),
    commitmentMinTimeFraction: t.expose('commitmentMinTimeFraction', {
      type: 'Decimal',
      description: 'The share of an epoch for which liquidity has to be there, from 0 to 1.',
    }),
    performanceHysteresisEpochs: t.expose('performanceHysteresisEpochs', {
      type: 'Uint64',
      description: 'The number of epochs for which a failure still counts.',
    }),
    slaCompetitionFactor: t.expose('slaCompetitionFactor', {
      type: 'Decimal',
      description: 'The share of the fees that providers who were there longer win from others, from 0 to 1.',
    }),
  }),
});

export const LiquidationStrategy = builder
  .objectRef<LiquidationStrategyShape>('LiquidationStrategy')
  .implement({
    description: 'How the network gets rid of the positions that it took over from those it closed out.',
    fields: (t) => ({
      disposalTimeStep: t.expose('disposalTimeStep', {
        type: 'Integer',
        description: 'The time between two sales, in seconds.',
      }),
      disposalFraction: t.expose('disposalFraction', {
        type: 'Decimal',
        description: 'The share of the position that is sold at a time, from 0 to 1.',
      }),
      fullDisposalSize: t.expose('fullDisposalSize', {
        type: 'Uint64',
        description: 'The volume up to which it is sold at once, in position decimals.',
      }),
      maxFractionConsumed: t.expose('maxFractionConsumed', {
        type: 'Decimal',
        description: 'The share of the volume in the order book that a sale takes at most, from 0 to 1.',
      }),
      disposalSlippageRange: t.expose('disposalSlippageRange', {
        type: 'Decimal',
        nullable: true,
        description:
          'The largest distance from the mid price at which it is sold, as a share of that price; null if the network gave none (before release 0.76).',
      }),
    }),
  });
