import type {
  LiquidityProviderFeeShare as FeeShareShape,
  LiquidityProviderSla as SlaShape,
} from '../data/nouns/market-data.ts';
import { builder } from './builder.ts';
import { objectsIn } from './links.ts';

const LiquidityProviderFeeShare = builder.objectRef<FeeShareShape>('LiquidityProviderFeeShare').implement({
  description: "A liquidity provider's share of the fees.",
  fields: (t) => ({
    party: t.exposeID('party', { description: 'The identifier of the party that provides liquidity.' }),
    equityLikeShare: t.expose('equityLikeShare', {
      type: 'Decimal',
      description: 'The share of the liquidity provider, from 0 to 1.',
    }),
    averageEntryValuation: t.expose('averageEntryValuation', {
      type: 'Decimal',
      description:
        "The average value of the market at the times of the party's commitments, in the asset's smallest unit.",
    }),
    averageScore: t.expose('averageScore', {
      type: 'Decimal',
      description: 'The average score of how close to the mid price the liquidity was.',
    }),
    virtualStake: t.expose('virtualStake', {
      type: 'Decimal',
      nullable: true,
      description:
        "The stake that the share is computed from, which grows with the market, in the asset's smallest unit; null before release 0.72.",
    }),
  }),
});

const LiquidityProviderSla = builder.objectRef<SlaShape>('LiquidityProviderSla').implement({
  description: 'How well a liquidity provider keeps to what it agreed to provide.',
  fields: (t) => ({
    party: t.exposeID('party', { description: 'The identifier of the party that provides liquidity.' }),
    currentEpochFractionOfTimeOnBook: t.expose('currentEpochFractionOfTimeOnBook', {
      type: 'Decimal',
      description:
        'The part of the current epoch in which the party provided what it had committed, from 0 to 1.',
    }),
    lastEpochFractionOfTimeOnBook: t.expose('lastEpochFractionOfTimeOnBook', {
      type: 'Decimal',
      description: 'The same of the epoch before, from 0 to 1.',
    }),
    lastEpochFeePenalty: t.expose('lastEpochFeePenalty', {
      type: 'Decimal',
      description: 'The part of its fees that the party lost for the epoch before, from 0 to 1.',
    }),
    lastEpochBondPenalty: t.expose('lastEpochBondPenalty', {
      type: 'Decimal',
      description: 'The part of its bond that the party lost for the epoch before, from 0 to 1.',
    }),
    hysteresisPeriodFeePenalties: t.expose('hysteresisPeriodFeePenalties', {
      type: ['Decimal'],
      description: 'A list of the fee penalties of the epochs that are weighed together, from 0 to 1 each.',
    }),
    requiredLiquidity: t.expose('requiredLiquidity', {
      type: 'Decimal',
      description: "The liquidity that the party has to provide, in the asset's smallest unit.",
    }),
    notionalVolumeBuys: t.expose('notionalVolumeBuys', {
      type: 'Decimal',
      description: "The value of the party's buy orders that count, in the asset's smallest unit.",
    }),
    notionalVolumeSells: t.expose('notionalVolumeSells', {
      type: 'Decimal',
      description: "The value of the party's sell orders that count, in the asset's smallest unit.",
    }),
  }),
});

builder.prismaObjectFields('MarketData', (t) => ({
  targetStake: t.expose('targetStake', {
    type: 'Integer',
    description: "The stake that the market needs, in the asset's smallest unit.",
  }),
  suppliedStake: t.expose('suppliedStake', {
    type: 'Integer',
    description: "The stake that liquidity providers have committed, in the asset's smallest unit.",
  }),
  marketValueProxy: t.expose('marketValueProxy', {
    type: 'Decimal',
    description: 'An estimate of the value of the market, in asset decimals.',
  }),
  marketGrowth: t.expose('marketGrowth', {
    type: 'Decimal',
    nullable: true,
    description:
      'The growth of the market since the epoch before, as a share of what it was: 0.1 is a tenth more, and it can be negative. Null before release 0.72.',
  }),
  liquidityProviderFeeShare: t.field({
    type: [LiquidityProviderFeeShare],
    description: 'A list of the shares of the liquidity fees.',
    ...objectsIn<FeeShareShape>()('liquidityProviderFeeShare'),
  }),
  liquidityProviderSla: t.field({
    type: [LiquidityProviderSla],
    nullable: true,
    description:
      'A list of how well liquidity providers keep to what they agreed to; null where the network told of none, as before release 0.73.',
    ...objectsIn<SlaShape>()('liquidityProviderSla'),
  }),
}));
