import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { filteredListOf, pageArgs } from './connections.ts';
import { linkTo, partyNamedBy } from './links.ts';
import { afterArgs, defineMessages } from './streams.ts';

const Account = builder.prismaNode('Account', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'The balance that an owner holds of one asset for one purpose.',
  fields: (t) => ({
    owner: t.exposeID('owner', {
      description: "The identifier of the party that owns the account; `network` for the network's own.",
    }),
    balance: t.expose('balance', {
      type: 'Integer',
      description: "The balance, in the asset's smallest unit.",
    }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset in the account.' }),
    marketId: t.exposeID('marketId', {
      description: "The identifier of the account's market; empty if it has none.",
    }),
    type: t.expose('type', { type: 'AccountType', description: 'The purpose of the account.' }),
    party: t.relation('party', {
      description: 'The party that owns the account.',
      ...partyNamedBy('owner'),
    }),
    assetNode: t.relation('asset', {
      description: 'The asset in the account; null until the network has announced it.',
      ...linkTo(assets, 'assetId'),
    }),
    market: t.relation('market', {
      description: "The account's market; null if it has none.",
      ...linkTo(markets, 'marketId'),
    }),
  }),
});

export const AccountConnection = builder.connectionObject(
  { type: Account, name: 'AccountConnection', description: 'A page of accounts.' },
  { name: 'AccountEdge', description: 'An account in a page.' },
);

const AccountFilter = builder.inputType('AccountFilter', {
  description: 'The conditions that an account must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    assetId: t.id({ description: 'Only accounts that hold this asset.' }),
    partyIds: t.idList({ description: 'Only accounts that one of these parties owns.' }),
    marketIds: t.idList({ description: 'Only accounts that belong to one of these markets.' }),
    accountTypes: t.field({ type: ['AccountType'], description: 'Only accounts of one of these types.' }),
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

const AccountsMessage = defineMessages({
  type: Account,
  noun: accounts,
});

builder.subscriptionField('accounts', (t) =>
  t.field({
    type: AccountsMessage,
    description:
      'A snapshot of the accounts that pass the filter, then each change of a balance, in order, by whole blocks.',
    args: { ...accountFilterArgs, ...afterArgs },
    subscribe: (_, { filter, after }, { feed }) => feed.open(topicOf(accounts), filter ?? {}, after ?? null),
    resolve: (event) => event,
  }),
);

builder.queryFields((t) => ({
  accounts: t.field({
    type: AccountConnection,
    description: 'A list of the accounts that pass the filter, out of all that ever had a balance.',
    args: { ...accountFilterArgs, ...pageArgs },
    ...filteredListOf(accounts, readAccountFilter),
  }),
}));
