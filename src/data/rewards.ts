import { AFTER_ALL, BEFORE_ALL, isGiven, isOneOf } from './conditions.ts';
import { Prisma, type Reward } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import type { Condition } from './scans.ts';
import { describeTable } from './table.ts';

export interface RewardFilter {
  readonly partyId?: string | null | undefined;
  readonly assetId?: string | null | undefined;
  /** The first and the last epoch wanted. */
  readonly fromEpoch?: bigint | null | undefined;
  readonly toEpoch?: bigint | null | undefined;
}

export const rewards: List<Reward, RewardFilter> = {
  name: 'rewards',
  table: describeTable('rewards', Prisma.RewardScalarFieldEnum),
  indexes: [['party_id', 'asset_id'], ['party_id'], ['market_id'], ['asset_id'], []],
  conditions: ({ partyId, assetId, fromEpoch, toEpoch }) => [
    ...isOneOf('party_id', partyId),
    ...isOneOf('asset_id', assetId),
    ...(isGiven(fromEpoch) ? isFrom(fromEpoch) : []),
    ...(isGiven(toEpoch) ? isUpTo(toEpoch) : []),
  ],
};

/** An epoch's rewards lie between known positions: that turns a bound on epochs into one on the order of the list. */
function isFrom(epoch: bigint): readonly Condition[] {
  if (epoch > MAX_EPOCH) return [Prisma.sql`FALSE`];
  const least = Prisma.sql`
    coalesce((SELECT min(first_position) FROM reward_epochs WHERE reward_epochs.epoch >= ${epoch}), ${AFTER_ALL})`;
  return [Prisma.sql`t.epoch >= ${epoch}`, { least }];
}

function isUpTo(epoch: bigint): readonly Condition[] {
  if (epoch > MAX_EPOCH) return [];
  const most = Prisma.sql`
    coalesce((SELECT max(last_position) FROM reward_epochs WHERE reward_epochs.epoch <= ${epoch}), ${BEFORE_ALL})`;
  return [Prisma.sql`t.epoch <= ${epoch}`, { most }];
}

/** The network's epochs have 64 bits without a sign, the column has one bit less. */
const MAX_EPOCH = 2n ** 63n - 1n;
