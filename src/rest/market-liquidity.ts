import type { Market, PartOf } from './market-fields.ts';
import { has, mayHave, object, scalar } from './shape.ts';

/** What liquidity providers owe a market, how it gets rid of positions, and when it went from state to state. */

export const LiquiditySla = object<PartOf<'liquiditySla'>>(
  'LiquiditySLAParameters',
  'What liquidity providers of a market owe it.',
  {
    priceRange: has(
      'The largest distance from the mid price at which liquidity counts, as a share of that price.',
      scalar('Decimal'),
      (sla) => sla.priceRange,
    ),
    commitmentMinTimeFraction: has(
      'The share of an epoch for which liquidity has to be there, from 0 to 1.',
      scalar('Decimal'),
      (sla) => sla.commitmentMinTimeFraction,
    ),
    performanceHysteresisEpochs: has(
      'The number of epochs for which a failure still counts.',
      scalar('Uint64'),
      (sla) => sla.performanceHysteresisEpochs,
    ),
    slaCompetitionFactor: has(
      'The share of the fees that providers who were there longer win from others, from 0 to 1.',
      scalar('Decimal'),
      (sla) => sla.slaCompetitionFactor,
    ),
  },
);

export const LiquidationStrategy = object<PartOf<'liquidationStrategy'>>(
  'LiquidationStrategy',
  'How the network gets rid of the positions that it took over from those it closed out.',
  {
    disposalTimeStep: has(
      'The time between two sales, in seconds.',
      scalar('Int64'),
      (strategy) => strategy.disposalTimeStep,
    ),
    disposalFraction: has(
      'The share of the position that is sold at a time, from 0 to 1.',
      scalar('Decimal'),
      (strategy) => strategy.disposalFraction,
    ),
    fullDisposalSize: has(
      'The volume up to which it is sold at once, in position decimals.',
      scalar('Uint64'),
      (strategy) => strategy.fullDisposalSize,
    ),
    maxFractionConsumed: has(
      'The share of the volume in the order book that a sale takes at most, from 0 to 1.',
      scalar('Decimal'),
      (strategy) => strategy.maxFractionConsumed,
    ),
    disposalSlippageRange: mayHave(
      'The largest distance from the mid price at which it is sold, as a share of that price; absent before release 0.76.',
      scalar('Decimal'),
      (strategy) => strategy.disposalSlippageRange,
    ),
  },
);

export const MarketTimestamps = object<Market>(
  'MarketTimestamps',
  'When a market went from state to state; `"0"` until then.',
  {
    proposed: has(
      'The time at which the market was proposed.',
      scalar('Timestamp'),
      (market) => market.proposedTimestamp,
    ),
    pending: has(
      'The time at which the opening auction began.',
      scalar('Timestamp'),
      (market) => market.pendingTimestamp,
    ),
    open: has('The time at which trading began.', scalar('Timestamp'), (market) => market.openTimestamp),
    close: has(
      'The time at which the market closed.',
      scalar('Timestamp'),
      (market) => market.closeTimestamp,
    ),
  },
);
