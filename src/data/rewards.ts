import { isGiven, isOneOf } from './conditions.ts';
import { Prisma, type Reward } from './generated/prisma/client.ts';
import type { Condition, List } from './pages.ts';
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
  conditions: ({ partyId, assetId, fromEpoch, toEpoch }) => [
    ...isOneOf('party_id', partyId),
    ...isOneOf('asset_id', assetId),
    ...(isGiven(fromEpoch) ? isFrom(fromEpoch) : []),
    ...(isGiven(toEpoch) ? isUpTo(toEpoch) : []),
  ],
};

/** An epoch's rewards lie between known positions: that turns the bound into one of the index's own order. */
function isFrom(epoch: bigint): readonly Condition[] {
  return [
    Prisma.sql`t.epoch >= ${epoch}`,
    Prisma.sql`t.created_position >=
      (SELECT min(first_position) FROM reward_epochs WHERE reward_epochs.epoch >= ${epoch})`,
  ];
}

function isUpTo(epoch: bigint): readonly Condition[] {
  return [
    Prisma.sql`t.epoch <= ${epoch}`,
    Prisma.sql`t.created_position <=
      (SELECT max(last_position) FROM reward_epochs WHERE reward_epochs.epoch <= ${epoch})`,
  ];
}
