import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { parties } from '../data/nouns/parties.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { pageArgs, resolveConnection } from './connections.ts';
import { AccountTypeEnum } from './enums.ts';
import { afterArgs, defineMessages } from './streams.ts';

const Account = builder.prismaNode('Account', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'What an owner holds of one asset for one purpose, with its latest balance.',
  fields: (t) => ({
    owner: t.exposeID('owner', {
      description: 'The party that owns the account; `network` where the network does.',
    }),
    balance: t.expose('balance', {
      type: 'Integer',
      description: "The balance, in the asset's smallest unit.",
    }),
    asset: t.exposeID('assetId', { description: 'The identifier of the asset held.' }),
    marketId: t.exposeID('marketId', {
      description: 'The market that the account belongs to; empty for accounts of no market.',
    }),
    type: t.expose('type', { type: AccountTypeEnum, description: 'What the account is for.' }),
    party: t.relation('party', {
      nullable: true,
      description: 'The party that owns the account.',
      resolve: (query, { owner }, _, { links }) => links.load(parties, query, owner),
    }),
    assetNode: t.relation('asset', {
      nullable: true,
      description: 'The asset held; null while the network has not announced it.',
      resolve: (query, { assetId }, _, { links }) => links.load(assets, query, assetId),
    }),
    market: t.relation('market', {
      nullable: true,
      description: 'The market that the account belongs to; null for accounts of no market.',
      resolve: (query, { marketId }, _, { links }) => links.load(markets, query, marketId),
    }),
  }),
});

export const AccountConnection = builder.connectionObject(
  { type: Account, name: 'AccountConnection', description: 'A page of accounts.' },
  { name: 'AccountEdge', description: 'An account in its list.' },
);

const AccountFilter = builder.inputType('AccountFilter', {
  description: 'Which accounts are wanted. Every condition given must hold; an empty list is no condition.',
  fields: (t) => ({
    assetId: t.id({ description: 'Only accounts that hold this asset.' }),
    partyIds: t.idList({ description: 'Only accounts that one of these parties owns.' }),
    marketIds: t.idList({ description: 'Only accounts that belong to one of these markets.' }),
    accountTypes: t.field({ type: [AccountTypeEnum], description: 'Only accounts of one of these types.' }),
  }),
});

export const accountFilterArgs = builder.args((t) => ({
  filter: t.field({ type: AccountFilter, description: 'Which accounts are wanted; all of them without it.' }),
}));

const AccountsMessage = defineMessages({
  type: Account,
  noun: accounts,
});

builder.subscriptionField('accounts', (t) =>
  t.field({
    type: AccountsMessage,
    description:
      'The accounts that pass the filter: a snapshot, then every change of a balance once, in order, whole blocks at a time.',
    args: { ...accountFilterArgs, ...afterArgs },
    subscribe: (_, { filter, after }, { feed }) => feed.open(topicOf(accounts), filter ?? {}, after ?? null),
    resolve: (event) => event,
  }),
);

builder.queryFields((t) => ({
  accounts: t.field({
    type: AccountConnection,
    description: 'All accounts that ever had a balance, or those that pass the filter.',
    args: { ...accountFilterArgs, ...pageArgs },
    resolve: (_, args, context) => resolveConnection(context, accounts, args.filter ?? {}, args),
  }),
}));
