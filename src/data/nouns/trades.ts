import { tradeSides, tradeTypes } from '../../domain/enumerations.ts';
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
import { type Sql, sql } from '../sql.ts';

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
    ...(isGiven(updatedFrom) ? [{ least: firstFrom(updatedFrom) }] : []),
    ...(isGiven(updatedBefore) ? [{ most: lastBefore(updatedBefore) }] : []),
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

/** Times never fall from block to block: a bound on them is one on positions. A height that began again has two, and is within both. */
function firstFrom(time: bigint): Sql {
  const before = sql`SELECT last_position FROM blocks WHERE timestamp < ${time} ORDER BY timestamp DESC LIMIT 1`;
  return sql`coalesce((${before}), ${BEFORE_ALL}) + 1`;
}

function lastBefore(time: bigint): Sql {
  const from = sql`SELECT last_position FROM blocks WHERE timestamp >= ${time} ORDER BY timestamp LIMIT 1`;
  return sql`coalesce((${from}), ${AFTER_ALL})`;
}
