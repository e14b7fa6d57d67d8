import { depositStatuses } from '../../domain/enumerations.ts';
import {
  AFTER_ALL,
  type AmountRange,
  BEFORE_ALL,
  givenValues,
  type Hint,
  isAmountWithin,
  isGiven,
  isWithin,
  type PositionRange,
  type RowClasses,
} from '../conditions.ts';
import { noun } from '../noun.ts';
import { raw, sql } from '../sql.ts';

const WAIT = 'wait';
const RARE = 'rareStatus';

export const deposits = noun({
  model: 'Deposit',
  name: 'deposits',
  key: ['id'],
  enumerations: { status: depositStatuses },
  history: 'rows',
  party: 'partyId',
  by: { partyId: 'partyId', partyIds: 'partyId', assetIds: 'assetId', statuses: 'status' },
  changing: ['status'],
  sums: {
    amount: 'amount',
    by: { ASSET: 'assetId', STATUS: 'status', PARTY: 'partyId' },
    kept: [{ table: 'deposit_sums', by: ['assetId', 'status'], spansOf: 'updatedTimestamp' }],
  },
  valued: {
    AMOUNT: {
      value: 'amount',
      within: 'assetId',
      ranks: {
        table: 'deposits',
        value: 'amount::numeric',
        position: 'created_position',
        indexes: [['assetId']],
        upTo: null,
      },
    },
  },
  indexes: [['partyId'], [RARE], ['assetId'], [WAIT], []],
  within: ({ updatedFrom, updatedBefore, amountFrom, amountTo }: UpdateRange & AmountRange) => [
    ...isWithin('updatedTimestamp', {
      least: updatedFrom,
      most: isGiven(updatedBefore) ? updatedBefore - 1n : null,
      isIndexed: true,
    }),
    ...isAmountWithin('amount', amountFrom, amountTo),
  ],
  updated: { indexes: [['partyId'], []], owners: ['partyId'], range: updatedFor },
  hints: ({ statuses, ...range }) => [
    ...rareOf(givenValues(statuses)),
    ...(isGiven(range.updatedFrom) || isGiven(range.updatedBefore) ? [createdFor(range)] : []),
  ],
});

interface UpdateRange {
  /** The time of the last update, in nanoseconds: from the start on, before the end. */
  readonly updatedFrom?: bigint | null | undefined;
  readonly updatedBefore?: bigint | null | undefined;
}

const { STATUS_FINALIZED: FINALIZED } = depositStatuses.numbers;

/** Deposits that are not finalized are few, and have an index of their own; said so that PostgreSQL takes it. */
function rareOf(statuses: readonly string[] | null): readonly Hint[] {
  if (statuses === null || statuses.includes(`${FINALIZED}`)) return [];
  const each = { field: RARE, expression: sql`t.status`, type: 'integer', values: statuses };
  return [{ each }, raw(`t.status <> ${FINALIZED}`)];
}

/**
 * Bounds on the time of the update become bounds on the position of the creation too, so that a walk in order begins and ends
 * with the range instead of passing over all that was created before or after it. Times never fall from block to block. A
 * deposit whose wait has `n` bits was created less than 2^n positions before its update, and at least 2^(n - 1).
 */
function createdFor(range: UpdateRange): PositionRange {
  const { first, last } = endsOf(range);
  const longest = sql`SELECT 1::bigint << max(${WAITS.expression}) FROM deposits AS t`;
  return {
    each: WAITS,
    ...(first && { least: sql`coalesce((${first}) - (1::bigint << each_wait.key::integer), ${AFTER_ALL})` }),
    ...(last && {
      most: sql`coalesce((${last}) - (1::bigint << each_wait.key::integer) / 2, ${BEFORE_ALL})`,
    }),
    ofAll: {
      ...(first && { least: sql`coalesce((${first}) - (${longest}), ${AFTER_ALL})` }),
      ...(last && { most: sql`coalesce((${last}), ${BEFORE_ALL})` }),
    },
  };
}

/** The positions of the rows of a range of updates, in the order of updates. */
function updatedFor(range: UpdateRange): PositionRange {
  const { first, last } = endsOf(range);
  return {
    ...(first && { least: sql`coalesce((${first}), ${AFTER_ALL})` }),
    ...(last && { most: sql`coalesce((${last}), ${BEFORE_ALL})` }),
  };
}

/** The positions of the first and the last update in a range of times. */
function endsOf({ updatedFrom, updatedBefore }: UpdateRange) {
  const first =
    isGiven(updatedFrom) &&
    sql`SELECT updated_position FROM deposits WHERE updated_timestamp >= ${updatedFrom}
    ORDER BY updated_timestamp, updated_position LIMIT 1`;
  const last =
    isGiven(updatedBefore) &&
    sql`SELECT updated_position FROM deposits WHERE updated_timestamp < ${updatedBefore}
    ORDER BY updated_timestamp DESC, updated_position DESC LIMIT 1`;
  return { first, last };
}

/** Positions have at most 53 bits, and so has what lies between two of them. */
const MOST_BITS = 53;

/** How long a deposit waited for its last update, in bits of positions; the index has the same expression. */
const WAITS: RowClasses = {
  field: WAIT,
  expression: sql`length(ltrim((t.updated_position - t.created_position)::bit(64)::text, '0'))`,
  type: 'integer',
  values: Array.from({ length: MOST_BITS + 1 }, (_, bits) => `${bits}`),
};
