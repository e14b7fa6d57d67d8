import {
  AFTER_ALL,
  type AmountRange,
  BEFORE_ALL,
  givenValues,
  isAmountWithin,
  isGiven,
  isWithin,
  type PositionRange,
} from '../conditions.ts';
import { noun } from '../noun.ts';
import { isRightCount } from '../right-counts.ts';
import { raw, type Sql, sql } from '../sql.ts';

/** Rewards are only ever added; where those of an epoch lie is noted beside them. */
export const rewards = noun({
  model: 'Reward',
  name: 'rewards',
  key: ['createdPosition'],
  history: 'added',
  beside: noteEpochs,
  party: 'partyId',
  by: {
    ...{ partyId: 'partyId', assetId: 'assetId', marketId: 'marketId', gameId: 'gameId' },
    ...{
      partyIds: 'partyId',
      assetIds: 'assetId',
      marketIds: 'marketId',
      types: 'rewardType',
      gameIds: 'gameId',
    },
  },
  sums: {
    amount: 'amount',
    by: { ASSET: 'assetId', EPOCH: 'epoch', TYPE: 'rewardType', MARKET: 'marketId', PARTY: 'partyId' },
    bigints: ['epoch'],
    kept: [
      { table: 'reward_sums', by: ['assetId', 'rewardType', 'marketId'] },
      { table: 'reward_epoch_asset_sums', by: ['epoch', 'assetId'], settledIn: 'reward_epochs' },
      {
        table: 'reward_epoch_sums',
        by: ['epoch', 'assetId', 'rewardType', 'marketId'],
        settledIn: 'reward_epochs',
      },
    ],
  },
  valued: { AMOUNT: { value: 'amount', within: 'assetId' } },
  indexes: [['partyId', 'assetId'], ['partyId'], ['gameId'], ['marketId'], ['assetId'], []],
  within: ({ fromEpoch, toEpoch, amountFrom, amountTo }: EpochRange & AmountRange) => [
    ...isWithin('epoch', { least: fromEpoch, most: toEpoch }),
    ...isAmountWithin('amount', amountFrom, amountTo),
  ],
  hints: ({ fromEpoch, toEpoch, gameId, gameIds, types }) => [
    // Said so that PostgreSQL takes the index, which has these rewards alone.
    ...((givenValues(gameId) ?? givenValues(gameIds)) !== null ? [sql`t.game_id IS NOT NULL`] : []),
    ...(isGiven(fromEpoch) && fromEpoch <= MAX_EPOCH ? [{ least: firstOf(fromEpoch) }] : []),
    ...(isGiven(toEpoch) && toEpoch <= MAX_EPOCH ? [{ most: lastOf(toEpoch) }] : []),
    ...(givenValues(types) !== null ? [rangeOf(givenValues(types) ?? [])] : []),
  ],
});

interface EpochRange {
  /** The first and the last epoch wanted. */
  readonly fromEpoch?: bigint | null | undefined;
  readonly toEpoch?: bigint | null | undefined;
}

function noteEpochs(changed: string): string {
  return `${changed}
  INSERT INTO reward_epochs (epoch, first_position, last_position)
  SELECT epoch, min(created_position), max(created_position) FROM changed GROUP BY epoch
  ON CONFLICT (epoch) DO UPDATE SET
    first_position = least(reward_epochs.first_position, EXCLUDED.first_position),
    last_position = greatest(reward_epochs.last_position, EXCLUDED.last_position)`;
}

/** An epoch's rewards lie between known positions: that turns a bound on epochs into one on the order of the list. */
function firstOf(epoch: bigint | Sql): Sql {
  return sql`
    coalesce((SELECT min(first_position) FROM reward_epochs WHERE reward_epochs.epoch >= ${epoch}), ${AFTER_ALL})`;
}

function lastOf(epoch: bigint | Sql): Sql {
  return sql`
    coalesce((SELECT max(last_position) FROM reward_epochs WHERE reward_epochs.epoch <= ${epoch}), ${BEFORE_ALL})`;
}

/** Rewards of some types lie between the first and the last epoch in which the writer has summed any. */
function rangeOf(types: readonly string[]): PositionRange {
  const epoch = (which: 'min' | 'max') => sql`(
    SELECT ${raw(which)}(summed.epoch) FROM unnest(${[...types]}::text[]) AS wanted (type) CROSS JOIN LATERAL (
      SELECT ${raw(which)}(epoch) AS epoch FROM reward_epoch_sums WHERE reward_type = wanted.type
    ) AS summed)`;
  const ifRight = (bound: Sql, open: Sql) => sql`CASE WHEN ${IS_RIGHT} THEN ${bound} ELSE ${open} END`;
  return {
    least: ifRight(firstOf(epoch('min')), BEFORE_ALL),
    most: ifRight(lastOf(epoch('max')), AFTER_ALL),
  };
}

const IS_RIGHT = raw(isRightCount({ name: 'rewards', table: { name: { text: 'rewards' } } }));

/** The network's epochs have 64 bits without a sign, the column has one bit less. */
const MAX_EPOCH = 2n ** 63n - 1n;
