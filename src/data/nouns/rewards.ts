import {
  AFTER_ALL,
  BEFORE_ALL,
  type Condition,
  type FilterValues,
  givenValues,
  isGiven,
} from '../conditions.ts';
import { noun } from '../noun.ts';
import { sql } from '../sql.ts';

/** Rewards are only ever added; where those of an epoch lie is noted beside them. */
export const rewards = noun({
  model: 'Reward',
  name: 'rewards',
  key: ['createdPosition'],
  history: 'added',
  beside: noteEpochs,
  party: 'partyId',
  by: { partyId: 'partyId', assetId: 'assetId', marketId: 'marketId', gameId: 'gameId' },
  indexes: [['partyId', 'assetId'], ['partyId'], ['gameId'], ['marketId'], ['assetId'], []],
  within: ({ fromEpoch, toEpoch, gameId }: EpochRange & OfGame) => [
    // Said so that PostgreSQL takes the index, which has these rewards alone.
    ...(givenValues(gameId) !== null ? [sql`t.game_id IS NOT NULL`] : []),
    ...(isGiven(fromEpoch) ? isFrom(fromEpoch) : []),
    ...(isGiven(toEpoch) ? isUpTo(toEpoch) : []),
  ],
});

interface EpochRange {
  /** The first and the last epoch wanted. */
  readonly fromEpoch?: bigint | null | undefined;
  readonly toEpoch?: bigint | null | undefined;
}

interface OfGame {
  readonly gameId?: FilterValues;
}

function noteEpochs(upsert: string): string {
  return `
  WITH added AS (${upsert} RETURNING epoch, created_position)
  INSERT INTO reward_epochs (epoch, first_position, last_position)
  SELECT epoch, min(created_position), max(created_position) FROM added GROUP BY epoch
  ON CONFLICT (epoch) DO UPDATE SET
    first_position = least(reward_epochs.first_position, EXCLUDED.first_position),
    last_position = greatest(reward_epochs.last_position, EXCLUDED.last_position)`;
}

/** An epoch's rewards lie between known positions: that turns a bound on epochs into one on the order of the list. */
function isFrom(epoch: bigint): readonly Condition[] {
  if (epoch > MAX_EPOCH) return [sql`FALSE`];
  const least = sql`
    coalesce((SELECT min(first_position) FROM reward_epochs WHERE reward_epochs.epoch >= ${epoch}), ${AFTER_ALL})`;
  return [sql`t.epoch >= ${epoch}`, { least }];
}

function isUpTo(epoch: bigint): readonly Condition[] {
  if (epoch > MAX_EPOCH) return [];
  const most = sql`
    coalesce((SELECT max(last_position) FROM reward_epochs WHERE reward_epochs.epoch <= ${epoch}), ${BEFORE_ALL})`;
  return [sql`t.epoch <= ${epoch}`, { most }];
}

/** The network's epochs have 64 bits without a sign, the column has one bit less. */
const MAX_EPOCH = 2n ** 63n - 1n;
