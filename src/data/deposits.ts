import { AFTER_ALL, BEFORE_ALL, isGiven, isOneOf } from './conditions.ts';
import { type Deposit, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import type { Condition } from './scans.ts';
import { describeTable } from './table.ts';

export interface DepositFilter {
  readonly partyId?: string | null | undefined;
  /** The time of the last update, in nanoseconds: from the start on, before the end. */
  readonly updatedFrom?: bigint | null | undefined;
  readonly updatedBefore?: bigint | null | undefined;
}

export const deposits: List<Deposit, DepositFilter> = {
  name: 'deposits',
  table: describeTable('deposits', Prisma.DepositScalarFieldEnum),
  indexes: [['party_id'], ['asset_id'], []],
  conditions: ({ partyId, updatedFrom, updatedBefore }) => [
    ...isOneOf('party_id', partyId),
    ...(isGiven(updatedFrom) ? isUpdatedFrom(updatedFrom) : []),
    ...(isGiven(updatedBefore) ? isUpdatedBefore(updatedBefore) : []),
  ],
};

/**
 * A bound on the time of the update becomes one on the position of the creation too, so that a walk in order begins
 * and ends with the range instead of passing over all that was created before or after it. Times never fall from
 * block to block, and no deposit has waited longer for its update than the one that waited longest.
 */
function isUpdatedFrom(time: bigint): readonly Condition[] {
  const firstUpdate = Prisma.sql`
    SELECT updated_position FROM deposits WHERE updated_timestamp >= ${time}
    ORDER BY updated_timestamp, updated_position LIMIT 1`;
  const longestWait = Prisma.sql`SELECT max(updated_position - created_position) FROM deposits`;
  const least = Prisma.sql`coalesce((${firstUpdate}) - (${longestWait}), ${AFTER_ALL})`;
  return [Prisma.sql`${UPDATED} >= ${time}`, { least }];
}

/** As above; and nothing is updated before it is created. */
function isUpdatedBefore(time: bigint): readonly Condition[] {
  const lastUpdate = Prisma.sql`
    SELECT updated_position FROM deposits WHERE updated_timestamp < ${time}
    ORDER BY updated_timestamp DESC, updated_position DESC LIMIT 1`;
  return [Prisma.sql`${UPDATED} < ${time}`, { most: Prisma.sql`coalesce((${lastUpdate}), ${BEFORE_ALL})` }];
}

/** The addition keeps the planner from gathering a whole range by its times only to sort it. */
const UPDATED = Prisma.raw('t.updated_timestamp + 0');
