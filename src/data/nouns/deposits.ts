import { depositStatuses } from '../../domain/enumerations.ts';
import { AFTER_ALL, BEFORE_ALL, isGiven, isWithin } from '../conditions.ts';
import { noun } from '../noun.ts';
import { type Sql, sql } from '../sql.ts';

export const deposits = noun({
  model: 'Deposit',
  name: 'deposits',
  key: ['id'],
  enumerations: { status: depositStatuses },
  history: 'rows',
  party: 'partyId',
  by: { partyId: 'partyId' },
  indexes: [['partyId'], ['assetId'], []],
  within: ({ updatedFrom, updatedBefore }: UpdateRange) =>
    isWithin('updatedTimestamp', {
      least: updatedFrom,
      most: isGiven(updatedBefore) ? updatedBefore - 1n : null,
      isIndexed: true,
    }),
  hints: ({ updatedFrom, updatedBefore }) => [
    ...(isGiven(updatedFrom) ? [{ least: leastCreated(updatedFrom) }] : []),
    ...(isGiven(updatedBefore) ? [{ most: mostCreated(updatedBefore) }] : []),
  ],
});

interface UpdateRange {
  /** The time of the last update, in nanoseconds: from the start on, before the end. */
  readonly updatedFrom?: bigint | null | undefined;
  readonly updatedBefore?: bigint | null | undefined;
}

/**
 * A bound on the time of the update becomes one on the position of the creation too, so that a walk in order begins
 * and ends with the range instead of passing over all that was created before or after it. Times never fall from
 * block to block, and no deposit has waited longer for its update than the one that waited longest.
 */
function leastCreated(updatedFrom: bigint): Sql {
  const firstUpdate = sql`
    SELECT updated_position FROM deposits WHERE updated_timestamp >= ${updatedFrom}
    ORDER BY updated_timestamp, updated_position LIMIT 1`;
  const longestWait = sql`SELECT max(updated_position - created_position) FROM deposits`;
  return sql`coalesce((${firstUpdate}) - (${longestWait}), ${AFTER_ALL})`;
}

/** As above; and nothing is updated before it is created. */
function mostCreated(updatedBefore: bigint): Sql {
  const lastUpdate = sql`
    SELECT updated_position FROM deposits WHERE updated_timestamp < ${updatedBefore}
    ORDER BY updated_timestamp DESC, updated_position DESC LIMIT 1`;
  return sql`coalesce((${lastUpdate}), ${BEFORE_ALL})`;
}
