import type * as Shapes from '../data/nouns/markets.ts';
import { builder } from './builder.ts';
import { defineObject, exposeColumns } from './columns.ts';

/** The objects within a market. */

export const FutureCap = defineObject<Shapes.FutureCap>(
  'FutureCap',
  'The cap of a future: no price passes it.',
  {
    Integer: { maxPrice: 'The highest price, in market decimals.' },
    Boolean: {
      binarySettlement: 'Whether the market settles at 0 or at the highest price, and at nothing between.',
      fullyCollateralised: 'Whether the margin of a position is all that it can lose.',
    },
  },
);

export const FundingTerms = defineObject<Shapes.FundingTerms>(
  'FundingTerms',
  'How the funding of a perpetual is computed: what long positions pay short ones, or the other way round, at the end of each funding period.',
  {
    'Decimal | null': {
      marginFundingFactor:
        'The share of the expected funding payment that margins cover, from 0 to 1; null if the network told none, and then no position can be estimated.',
      fundingRateScalingFactor: 'What the funding rate is multiplied by; null if the network gave none.',
      fundingRateLowerBound:
        'The least funding rate of a period, as a share of the price; null if there is none.',
      fundingRateUpperBound:
        'The largest funding rate of a period, as a share of the price; null if there is none.',
    },
    Decimal: {
      interestRate: 'The interest of a year, as a share of the price.',
      clampLowerBound: 'The least that the interest adds to the rate of a year, as a share of the price.',
      clampUpperBound: 'The most that the interest adds to the rate of a year, as a share of the price.',
    },
  },
);

export const CompositePrice = builder
  .objectRef<Shapes.CompositePriceConfiguration>('CompositePriceConfiguration')
  .implement({
    description: 'How a price is made of several sources.',
    fields: (t) => ({
      ...exposeColumns(t, {
        CompositePriceType: { compositePriceType: 'The way in which the sources become one price.' },
        Decimal: {
          decayWeight: 'How much trades lose of their weight as they grow old, from 0 to 1.',
          cashAmount: "The amount that the price of the order book is for, in the asset's smallest unit.",
        },
        Uint64: { decayPower: 'The power by which that weight falls with the age of a trade.' },
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

export const LiquidityFeeSettings = defineObject<Shapes.LiquidityFeeSettings>(
  'LiquidityFeeSettings',
  'How the liquidity fee of a market is set.',
  {
    LiquidityFeeMethod: { method: 'The way in which it is set.' },
    'Decimal | null': {
      feeConstant: 'The fee where it is constant, as a share of the value of a trade; null where it is not.',
    },
  },
);

export const RiskFactorOverride = defineObject<Shapes.RiskFactorOverride>(
  'RiskFactorOverride',
  'Risk factors that governance set instead of those that the risk model gives.',
  {
    Decimal: {
      short: 'The factor for short positions.',
      long: 'The factor for long positions.',
    },
  },
);

export const LiquiditySla = defineObject<Shapes.LiquiditySla>(
  'LiquiditySla',
  'What liquidity providers of a market owe it.',
  {
    Decimal: {
      priceRange:
        'The largest distance from the mid price at which liquidity counts, as a share of that price.',
      commitmentMinTimeFraction: 'The share of an epoch for which liquidity has to be there, from 0 to 1.',
      slaCompetitionFactor:
        'The share of the fees that providers who were there longer win from others, from 0 to 1.',
    },
    Uint64: { performanceHysteresisEpochs: 'The number of epochs for which a failure still counts.' },
  },
);

export const LiquidationStrategy = defineObject<Shapes.LiquidationStrategy>(
  'LiquidationStrategy',
  'How the network gets rid of the positions that it took over from those it closed out.',
  {
    Integer: { disposalTimeStep: 'The time between two sales, in seconds.' },
    Decimal: {
      disposalFraction: 'The share of the position that is sold at a time, from 0 to 1.',
      maxFractionConsumed:
        'The share of the volume in the order book that a sale takes at most, from 0 to 1.',
    },
    Uint64: { fullDisposalSize: 'The volume up to which it is sold at once, in position decimals.' },
    'Decimal | null': {
      disposalSlippageRange:
        'The largest distance from the mid price at which it is sold, as a share of that price; null if the network gave none (before release 0.76).',
    },
  },
);
