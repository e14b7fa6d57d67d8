import { tradeSides, tradeTypes } from '../../domain/enumerations.ts';
import { endBefore, endFrom } from '../block-positions.ts';
import {
  AFTER_ALL,
  BEFORE_ALL,
  type Condition,
  type FilterValues,
  givenValues,
  isGiven,
  isWithin,
} from '../conditions.ts';
import { noun } from '../noun.ts';
import { sql } from '../sql.ts';

/** Trades are only ever added. The network gives no two one id, which nothing here builds on. */
export const trades = noun({
  model: 'Trade',
  name: 'trades',
  key: ['createdPosition'],
  namedBy: 'id',
  history: 'added',
  party: 'party',
  either: { party: ['buyer', 'seller'] },
  by: { marketIds: 'marketId', partyIds: 'party' },
  countedBy: ['marketId'],
  enumerations: { aggressor: tradeSides, type: tradeTypes },
  indexes: [['buyer'], ['seller'], ['marketId'], []],
  within: ({ orderIds, updatedFrom, updatedBefore }: OrdersAndTimes) => [
    ...ofOrders(givenValues(orderIds)),
    ...isWithin('updatedTimestamp', {
      least: updatedFrom,
      most: isGiven(updatedBefore) ? updatedBefore - 1n : null,
    }),
  ],
  hints: ({ updatedFrom, updatedBefore }) => [
    // Times never fall from block to block. A height that began again has two, and is within both bounds.
    ...(isGiven(updatedFrom)
      ? [{ least: sql`coalesce(${endBefore(sql`${updatedFrom}`)}, ${BEFORE_ALL}) + 1` }]
      : []),
    ...(isGiven(updatedBefore)
      ? [{ most: sql`coalesce(${endFrom(sql`${updatedBefore}`)}, ${AFTER_ALL})` }]
      : []),
  ],
});

interface OrdersAndTimes {
  /** Of either side. */
  readonly orderIds?: FilterValues;
  /** The time of the block, in nanoseconds: from the start on, before the end. */
  readonly updatedFrom?: bigint | null | undefined;
  readonly updatedBefore?: bigint | null | undefined;
}

/** Nobody follows the trades of an order, which are few: so no block has a cache tag for each. */
function ofOrders(values: readonly string[] | null): readonly Condition[] {
  return values === null ? [] : [{ field: 'order', either: ['buyOrder', 'sellOrder'], type: 'text', values }];
}
