import { assets } from '../data/nouns/assets.ts';
import { deposits } from '../data/nouns/deposits.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { defineConnection, filteredListOf } from './connections.ts';
import { DateRange, type DateRangeArgs, readDateRange } from './date-ranges.ts';
import { amountRange, joinFilter } from './filters.ts';
import { linkTo, partyNamedBy, rowBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import { defineLiveSums } from './live-sums.ts';
import { defineStream } from './streams.ts';
import { defineSums } from './sums.ts';

export const Deposit = builder.prismaNode('Deposit', {
  nullable: true,
  id: { field: 'id' },
  description: 'A deposit: an amount of an asset that a party moves into the network.',
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: {
        id: 'The identifier of the deposit.',
        partyId: 'The identifier of the party that the deposit is for.',
      },
      DepositStatus: { status: 'The status of the deposit.' },
      Integer: { amount: "The amount, in the asset's smallest unit." },
      String: { txHash: 'The hash of the transaction on the chain that the asset comes from. May be empty.' },
      Timestamp: {
        creditedTimestamp: 'The time at which the deposit was credited; `"0"` until then.',
        createdTimestamp: 'The time at which the deposit was created.',
      },
    }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset deposited.' }),
    party: t.relation('party', partyNamedBy('partyId', 'The party that the deposit is for.')),
    assetNode: t.relation(
      'asset',
      linkTo(assets, 'assetId', 'The asset deposited; null until the network has announced it.'),
    ),
  }),
});

export const DepositConnection = defineConnection(deposits, Deposit, 'A deposit');

const sums = defineSums(deposits, DepositConnection, 'Deposit');

const UPDATED_WITHIN = 'Only deposits whose last update was in a block of this range of times.';
const DepositFilter = builder.inputType('DepositFilter', {
  description: 'The conditions that a deposit must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    partyIds: t.idList({ description: 'Only deposits for one of these parties.' }),
    assetIds: t.idList({ description: 'Only deposits of one of these assets.' }),
    statuses: t.field({ type: ['DepositStatus'], description: 'Only deposits with one of these statuses.' }),
    dateRange: t.field({ type: DateRange, description: UPDATED_WITHIN }),
    ...amountRange(t, 'deposits'),
  }),
});

export const depositFilterArgs = builder.args((t) => ({
  filter: t.field({
    type: DepositFilter,
    description: 'The conditions that the deposits must meet, beside those of other arguments.',
  }),
  dateRange: t.field({ type: DateRange, description: UPDATED_WITHIN }),
}));

/** The conditions as the data layer takes them. Throws INVALID_ARGUMENT as `readDateRange` does, and for what is said in both styles. */
export function readDepositFilter(
  args: DateRangeArgs & {
    filter?: typeof DepositFilter.$inferInput | null | undefined;
    partyId?: string | null | undefined;
  },
) {
  const { dateRange, ...others } = joinFilter(deposits, args);
  const { startTimestamp: updatedFrom, endTimestamp: updatedBefore } = readDateRange({ dateRange });
  return { updatedFrom, updatedBefore, ...others };
}

defineLiveSums(deposits, 'depositSums', sums, { args: depositFilterArgs, filterOf: readDepositFilter });

defineStream(deposits, Deposit, {
  description: 'A snapshot of the deposits, then each change of a deposit, in order, by whole blocks.',
  args: builder.args((t) => ({
    partyId: t.id({ description: 'Only deposits for this party.' }),
  })),
  filterOf: (filter) => filter,
});

defineQueries((t) => ({
  deposit: t.prismaField({
    type: Deposit,
    nullable: true,
    description: 'The deposit with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the deposit.' }) },
    ...rowBy(deposits, 'id'),
  }),
  deposits: t.field({
    type: DepositConnection,
    description: 'A list of deposits.',
    args: {
      partyId: t.arg.id({ description: 'Only deposits for this party.' }),
      ...depositFilterArgs,
      ...orderedPageArgs,
    },
    ...filteredListOf(deposits, readDepositFilter),
  }),
}));
