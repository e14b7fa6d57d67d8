import type * as Shapes from '../data/nouns/markets.ts';
import { builder } from './builder.ts';
import { defineObject, exposeColumns, exposeObjects } from './columns.ts';
import { PriceMonitoringTrigger } from './market-data-parts.ts';

/** When a market goes into an auction, and what its risk factors are computed by. */

const OR_NOT_KEPT = 'if this was not kept when the market was announced';
const IF_NOT_KEPT = `null if the network gave none, and ${OR_NOT_KEPT}`;

const OpeningAuction = defineObject<Shapes.OpeningAuction>(
  'OpeningAuction',
  'How long the auction lasts in which trading begins. It can last longer, until a price is found.',
  {
    Integer: { duration: 'The least time, in seconds; `"0"` if there is none.' },
    Uint64: { volume: 'The volume that ends it sooner, in position decimals; `"0"` if there is none.' },
  },
);

const TargetStakeParameters = defineObject<Shapes.TargetStakeParameters>(
  'TargetStakeParameters',
  'What the target stake of a market is computed from.',
  {
    Integer: { timeWindow: 'The time over which the highest open interest counts, in seconds.' },
    Decimal: { scalingFactor: 'What the open interest is multiplied by.' },
  },
);

const LiquidityMonitoring = builder.objectRef<Shapes.LiquidityMonitoring>('LiquidityMonitoring').implement({
  description: 'What too little liquidity is.',
  fields: (t) => ({
    targetStakeParameters: t.expose('targetStakeParameters', {
      type: TargetStakeParameters,
      nullable: true,
      description: 'What the target stake is computed from; null if the network gave nothing.',
    }),
    ...exposeColumns(t, {
      'Decimal | null': {
        triggeringRatio:
          'The share of the target stake below which the market goes into an auction; null if the network gave none (from release 0.73 on).',
      },
      Integer: { auctionExtension: 'By how much such an auction is extended, in seconds.' },
    }),
  }),
});

const LogNormalRiskModel = defineObject<Shapes.LogNormalRiskModel>(
  'LogNormalRiskModel',
  'A model in which the logarithm of the price is normally distributed.',
  {
    Decimal: {
      riskAversionParameter: 'The probability of the losses that margins need not cover.',
      tau: 'The time that the model looks ahead, in years.',
      mu: 'The drift of the price, a year.',
      r: 'The interest that goes without risk, a year.',
      sigma: 'The volatility of the price, a year.',
    },
  },
);

const SimpleRiskModel = defineObject<Shapes.SimpleRiskModel>(
  'SimpleRiskModel',
  'A model whose risk factors are given.',
  {
    Decimal: {
      factorLong: 'The risk factor for long positions.',
      factorShort: 'The risk factor for short positions.',
      maxMoveUp: 'The largest move of the price upwards that the model takes for possible.',
      minMoveDown: 'The largest move of the price downwards that the model takes for possible.',
      probabilityOfTrading: 'The probability that an order trades, whatever its price.',
    },
  },
);

builder.prismaObjectFields('Market', (t) => ({
  ...exposeObjects(
    t,
    { type: OpeningAuction, nullable: true },
    {
      openingAuction: `How long the opening auction lasts; ${IF_NOT_KEPT}.`,
    },
  ),
  ...exposeObjects(
    t,
    { type: [PriceMonitoringTrigger], nullable: true },
    {
      priceMonitoringTriggers: `A list of what lets the price cause an auction; ${IF_NOT_KEPT}.`,
    },
  ),
  ...exposeObjects(
    t,
    { type: LiquidityMonitoring, nullable: true },
    {
      liquidityMonitoring: `What too little liquidity is; ${IF_NOT_KEPT}.`,
    },
  ),
  ...exposeObjects(
    t,
    { type: LogNormalRiskModel, nullable: true },
    {
      logNormalRiskModel: `The model that the risk factors are computed by; null if it is another, and ${OR_NOT_KEPT}.`,
    },
  ),
  ...exposeObjects(
    t,
    { type: SimpleRiskModel, nullable: true },
    {
      simpleRiskModel: `The model that the risk factors are of; null if it is another, and ${OR_NOT_KEPT}.`,
    },
  ),
}));
