import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { invalidArgument } from '../errors.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { defineConnection, filteredListOf } from './connections.ts';
import { linkTo, partyNamedBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import { defineLiveSums } from './live-sums.ts';
import { defineStream } from './streams.ts';
import { defineSums } from './sums.ts';

export const Account = builder.prismaNode('Account', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'The balance that an owner holds of one asset for one purpose.',
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: {
        owner: "The identifier of the party that owns the account; `network` for the network's own.",
        marketId: "The identifier of the account's market; empty if it has none.",
      },
      Integer: { balance: "The balance, in the asset's smallest unit." },
      AccountType: { type: 'The purpose of the account.' },
    }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset in the account.' }),
    party: t.relation('party', partyNamedBy('owner', 'The party that owns the account.')),
    assetNode: t.relation(
      'asset',
      linkTo(assets, 'assetId', 'The asset in the account; null until the network has announced it.'),
    ),
    market: t.relation('market', linkTo(markets, 'marketId', "The account's market; null if it has none.")),
  }),
});

export const AccountConnection = defineConnection(accounts, Account, 'An account');

const sums = defineSums(accounts, AccountConnection, 'Account');

const WITH_ORDER =
  'In lists with orderBy BALANCE_DESC or BALANCE_ASC alone: no other order has an index of it.';

const AccountFilter = builder.inputType('AccountFilter', {
  description: 'The conditions that an account must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    assetId: t.id({ description: 'Only accounts that hold this asset.' }),
    assetIds: t.idList({ description: 'Only accounts that hold one of these assets.' }),
    partyIds: t.idList({ description: 'Only accounts that one of these parties owns.' }),
    marketIds: t.idList({ description: 'Only accounts that belong to one of these markets.' }),
    accountTypes: t.field({ type: ['AccountType'], description: 'Only accounts of one of these types.' }),
    balanceFrom: t.field({
      type: 'Integer',
      description: `Only accounts with at least this balance, in the asset's smallest unit. ${WITH_ORDER}`,
    }),
    balanceTo: t.field({
      type: 'Integer',
      description: `Only accounts with at most this balance. ${WITH_ORDER}`,
    }),
  }),
});

export const accountFilterArgs = builder.args((t) => ({
  filter: t.field({
    type: AccountFilter,
    description: 'The conditions that the accounts must meet. Without it, all accounts.',
  }),
}));

/** The conditions as the data layer takes them. */
export function readAccountFilter({
  filter,
}: {
  filter?: typeof AccountFilter.$inferInput | null | undefined;
}) {
  return filter ?? {};
}

/** Reads a filter that no later change of an account can alter. Throws INVALID_ARGUMENT for balances, which change. */
export function readFixedAccountFilter(args: Parameters<typeof readAccountFilter>[0]) {
  for (const part of ['balanceFrom', 'balanceTo'] as const)
    if (args.filter?.[part] != null)
      throw invalidArgument(
        `filter.${part}`,
        `filter.${part} is ${args.filter[part]}: only lists choose by balances, as these change.`,
      );
  return readAccountFilter(args);
}

defineLiveSums(accounts, 'accountSums', sums, { args: accountFilterArgs, filterOf: readAccountFilter });

defineStream(accounts, Account, {
  description:
    'A snapshot of the accounts that pass the filter, then each change of a balance, in order, by whole blocks.',
  args: accountFilterArgs,
  filterOf: readFixedAccountFilter,
});

defineQueries((t) => ({
  accounts: t.field({
    type: AccountConnection,
    description: 'A list of the accounts that pass the filter, out of all that ever had a balance.',
    args: { ...accountFilterArgs, ...orderedPageArgs },
    ...filteredListOf(accounts, readAccountFilter),
  }),
}));
