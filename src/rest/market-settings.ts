import type { Market, PartOf } from './market-fields.ts';
import {
  double,
  has,
  hasOrNull,
  listOf,
  mayHave,
  object,
  type Shape,
  scalar,
  scalarOrEmpty,
  text,
} from './shape.ts';

/** How a market is run. */

export const CompositePrice = object<PartOf<'markPriceConfiguration'>>(
  'CompositePriceConfiguration',
  'How a price is made of several sources. The oracles among them are not kept, and so are not here.',
  {
    decayWeight: has(
      'How much trades lose of their weight as they grow old, from 0 to 1.',
      scalar('Decimal'),
      (price) => price.decayWeight,
    ),
    decayPower: has(
      'The power by which that weight falls with the age of a trade.',
      scalar('Uint64'),
      (price) => price.decayPower,
    ),
    cashAmount: has(
      "The amount that the price of the order book is for, in the asset's smallest unit.",
      scalar('Decimal'),
      (price) => price.cashAmount,
    ),
    sourceWeights: has(
      'A list of the weights of the sources: trades, order book, oracles, median of the others.',
      listOf(scalar('Decimal')),
      (price) => price.sourceWeights,
    ),
    sourceStalenessTolerance: has(
      'A list of the ages at which a source no longer counts, in the same order, as durations such as `1m0s`.',
      listOf(text),
      (price) => price.sourceStalenessTolerance,
    ),
    compositePriceType: has(
      'The way in which the sources become one price.',
      scalar('CompositePriceType'),
      (price) => price.compositePriceType,
    ),
  },
);

const FeeFactors = object<Market>('FeeFactors', 'The shares of the value of a trade that are its fees.', {
  makerFee: has('What goes to the maker of the trade.', scalar('Decimal'), (market) => market.makerFee),
  infrastructureFee: has(
    'What goes to the validators.',
    scalar('Decimal'),
    (market) => market.infrastructureFee,
  ),
  liquidityFee: has(
    'What goes to the liquidity providers.',
    scalar('Decimal'),
    (market) => market.liquidityFee,
  ),
  treasuryFee: mayHave(
    "What goes to the network's treasury; absent before release 0.78.",
    scalar('Decimal'),
    (market) => market.treasuryFee,
  ),
  buyBackFee: mayHave(
    'What the network buys back tokens with; absent before release 0.78.',
    scalar('Decimal'),
    (market) => market.buyBackFee,
  ),
});

const LiquidityFeeSettings = object<PartOf<'liquidityFeeSettings'>>(
  'LiquidityFeeSettings',
  'How the liquidity fee of a market is set.',
  {
    method: has('The way in which it is set.', scalar('LiquidityFeeMethod'), ({ method }) => method),
    feeConstant: mayHave(
      'The fee where it is constant, as a share of the value of a trade; absent where it is not.',
      scalar('Decimal'),
      ({ feeConstant }) => feeConstant,
    ),
  },
);

export const Fees = object<Market>('Fees', 'The fees of a market.', {
  factors: has('The shares that the fees are.', FeeFactors, (market) => market),
  liquidityFeeSettings: mayHave(
    'How the liquidity fee is set; absent before release 0.74.',
    LiquidityFeeSettings,
    (market) => market.liquidityFeeSettings,
  ),
});

export const OpeningAuction = object<PartOf<'openingAuction'>>(
  'AuctionDuration',
  'How long the auction lasts in which trading begins.',
  {
    duration: has('The least time, in seconds.', scalar('Int64'), ({ duration }) => duration),
    volume: has(
      'The volume that ends it sooner, in position decimals; `"0"` if there is none.',
      scalar('Uint64'),
      ({ volume }) => volume,
    ),
  },
);

type Triggers = PartOf<'priceMonitoringTriggers'>;

/** As the bounds in the data of a market have it. */
const Trigger: Shape<Triggers[number]> = {
  schema: { $ref: '#/components/schemas/PriceMonitoringTrigger' },
  write: ({ horizon, probability, auctionExtension }) =>
    JSON.stringify({ horizon, probability, auctionExtension }),
};

const PriceMonitoringParameters = object<Triggers>(
  'PriceMonitoringParameters',
  'How the price is monitored.',
  {
    triggers: has('A list of what lets the price cause an auction.', listOf(Trigger), (triggers) => triggers),
  },
);

export const PriceMonitoringSettings = object<Triggers>(
  'PriceMonitoringSettings',
  'How the price is monitored.',
  { parameters: has('How the price is monitored.', PriceMonitoringParameters, (triggers) => triggers) },
);

type Monitoring = PartOf<'liquidityMonitoring'>;

const TargetStake = object<NonNullable<Monitoring['targetStakeParameters']>>(
  'TargetStakeParameters',
  'What the target stake of a market is computed from.',
  {
    timeWindow: has(
      'The time over which the highest open interest counts, in seconds.',
      scalar('Int64'),
      ({ timeWindow }) => timeWindow,
    ),
    scalingFactor: has(
      'What the open interest is multiplied by.',
      double,
      ({ scalingFactor }) => scalingFactor,
    ),
  },
);

export const LiquidityMonitoring = object<Monitoring>(
  'LiquidityMonitoringParameters',
  'What too little liquidity is.',
  {
    targetStakeParameters: hasOrNull(
      'What the target stake is computed from; null if the network gave nothing.',
      TargetStake,
      (monitoring) => monitoring.targetStakeParameters,
    ),
    triggeringRatio: has(
      'The share of the target stake below which the market goes into an auction; empty from release 0.73 on.',
      scalarOrEmpty('Decimal'),
      (monitoring) => monitoring.triggeringRatio,
    ),
    auctionExtension: has(
      'By how much such an auction is extended, in seconds.',
      scalar('Int64'),
      (monitoring) => monitoring.auctionExtension,
    ),
  },
);
