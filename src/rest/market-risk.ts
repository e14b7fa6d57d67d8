import type { Market, PartOf } from './market-fields.ts';
import { double, flag, has, mayHave, object, scalar } from './shape.ts';

/** What the margins of positions in a market are computed from. What the network has as doubles are bare numbers. */

const LogNormalParameters = object<PartOf<'logNormalRiskModel'>>(
  'LogNormalModelParams',
  'The parameters of a log-normal risk model.',
  {
    mu: has('The drift of the price, a year.', double, ({ mu }) => mu),
    r: has('The interest that goes without risk, a year.', double, ({ r }) => r),
    sigma: has('The volatility of the price, a year.', double, ({ sigma }) => sigma),
  },
);

const Override = object<PartOf<'riskFactorOverride'>>(
  'RiskFactorOverride',
  'Risk factors that governance set instead of those that the risk model gives.',
  {
    short: has('The factor for short positions.', scalar('Decimal'), ({ short }) => short),
    long: has('The factor for long positions.', scalar('Decimal'), ({ long }) => long),
  },
);

type WithLogNormal = Market & { readonly logNormalRiskModel: PartOf<'logNormalRiskModel'> };

const LogNormal = object<WithLogNormal>(
  'LogNormalRiskModel',
  'A model in which the logarithm of the price is normally distributed.',
  {
    riskAversionParameter: has(
      'The probability of the losses that margins need not cover.',
      double,
      ({ logNormalRiskModel }) => logNormalRiskModel.riskAversionParameter,
    ),
    tau: has(
      'The time that the model looks ahead, in years.',
      double,
      ({ logNormalRiskModel }) => logNormalRiskModel.tau,
    ),
    params: has('The other parameters.', LogNormalParameters, ({ logNormalRiskModel }) => logNormalRiskModel),
    riskFactorOverride: mayHave(
      'The risk factors that governance set; absent if there are none.',
      Override,
      ({ riskFactorOverride }) => riskFactorOverride,
    ),
  },
);

const SimpleParameters = object<PartOf<'simpleRiskModel'>>(
  'SimpleModelParams',
  'The parameters of a simple risk model.',
  {
    factorLong: has('The risk factor for long positions.', double, (model) => model.factorLong),
    factorShort: has('The risk factor for short positions.', double, (model) => model.factorShort),
    maxMoveUp: has(
      'The largest move of the price upwards that the model takes for possible.',
      double,
      (model) => model.maxMoveUp,
    ),
    minMoveDown: has(
      'The largest move of the price downwards that the model takes for possible.',
      double,
      (model) => model.minMoveDown,
    ),
    probabilityOfTrading: has(
      'The probability that an order trades, whatever its price.',
      double,
      (model) => model.probabilityOfTrading,
    ),
  },
);

const Simple = object<PartOf<'simpleRiskModel'>>('SimpleRiskModel', 'A model whose risk factors are given.', {
  params: has('The parameters.', SimpleParameters, (model) => model),
});

/** The one risk model of a market, as members of its tradable instrument. */
export const riskModelMembers = {
  logNormalRiskModel: mayHave<Market, WithLogNormal>(
    'Absent where the risk factors are computed by another model, and where it was not kept when the market was announced.',
    LogNormal,
    ({ logNormalRiskModel, ...market }) =>
      logNormalRiskModel === null ? null : { ...market, logNormalRiskModel },
  ),
  simpleRiskModel: mayHave<Market, PartOf<'simpleRiskModel'>>(
    'The same of the other model.',
    Simple,
    (market) => market.simpleRiskModel,
  ),
};

const multiple = (level: string, of: (market: Market) => string | null) =>
  has<Market, string>(
    `The ${level}, as a multiple of the maintenance margin.`,
    double,
    (market) => of(market) ?? '0',
  );

const ScalingFactors = object<Market>('ScalingFactors', 'What the maintenance margin is multiplied by.', {
  searchLevel: multiple('search level', (market) => market.searchLevel),
  initialMargin: multiple('initial margin', (market) => market.initialMargin),
  collateralRelease: multiple('collateral release level', (market) => market.collateralRelease),
});

export const MarginCalculator = object<Market>('MarginCalculator', 'How margins are computed.', {
  scalingFactors: has('What the maintenance margin is multiplied by.', ScalingFactors, (market) => market),
  fullyCollateralised: mayHave(
    'Whether the margin of a position is all that it can lose; absent if the network did not say.',
    flag,
    (market) => market.fullyCollateralised,
  ),
});
