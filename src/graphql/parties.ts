import { accounts } from '../data/nouns/accounts.ts';
import { deposits } from '../data/nouns/deposits.ts';
import { marginLevels } from '../data/nouns/margin-levels.ts';
import { parties } from '../data/nouns/parties.ts';
import { proposals } from '../data/nouns/proposals.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { votes } from '../data/nouns/votes.ts';
import { AccountConnection, accountFilterArgs } from './accounts.ts';
import { builder } from './builder.ts';
import { pageArgs, resolveScopedConnection } from './connections.ts';
import { DepositConnection, depositRangeArgs, readDepositRange } from './deposits.ts';
import { MarginLevelConnection } from './margin-levels.ts';
import { ProposalConnection, proposalStateArgs } from './proposals.ts';
import { epochArgs, RewardConnection } from './rewards.ts';
import { VoteConnection } from './votes.ts';

const Party = builder.prismaNode('Party', {
  nullable: true,
  id: { field: 'id' },
  description: 'A participant in the network, identified by a public key.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The public key of the party; `network` for the network itself.' }),
    accounts: t.field({
      type: AccountConnection,
      description: 'A list of the accounts of the party.',
      args: { ...accountFilterArgs, ...pageArgs },
      resolve: ({ id }, args, context) =>
        resolveScopedConnection(context, accounts, { field: 'owner', key: id }, args.filter ?? {}, args),
    }),
    deposits: t.field({
      type: DepositConnection,
      description: 'A list of the deposits for the party.',
      args: { ...depositRangeArgs, ...pageArgs },
      resolve: ({ id }, args, context) =>
        resolveScopedConnection(
          context,
          deposits,
          { field: 'partyId', key: id },
          readDepositRange(args),
          args,
        ),
    }),
    rewards: t.field({
      type: RewardConnection,
      description: 'A list of the rewards of the party.',
      args: {
        assetId: t.arg.id({ description: 'Only rewards paid in this asset.' }),
        ...epochArgs,
        ...pageArgs,
      },
      resolve: ({ id }, { assetId, fromEpoch, toEpoch, ...args }, context) =>
        resolveScopedConnection(
          context,
          rewards,
          { field: 'partyId', key: id },
          { assetId, fromEpoch, toEpoch },
          args,
        ),
    }),
    votes: t.field({
      type: VoteConnection,
      description: 'A list of the votes of the party.',
      args: { proposalId: t.arg.id({ description: 'Only the vote on this proposal.' }), ...pageArgs },
      resolve: ({ id }, { proposalId, ...args }, context) =>
        resolveScopedConnection(context, votes, { field: 'partyId', key: id }, { proposalId }, args),
    }),
    proposals: t.field({
      type: ProposalConnection,
      description: 'A list of the proposals of the party.',
      args: { ...proposalStateArgs, ...pageArgs },
      resolve: ({ id }, { states, ...args }, context) =>
        resolveScopedConnection(context, proposals, { field: 'partyId', key: id }, { states }, args),
    }),
    marginLevels: t.field({
      type: MarginLevelConnection,
      description: 'A list of the margin levels of the party.',
      args: { marketId: t.arg.id({ description: 'Only the levels in this market.' }), ...pageArgs },
      resolve: ({ id }, { marketId, ...args }, context) =>
        resolveScopedConnection(context, marginLevels, { field: 'partyId', key: id }, { marketId }, args),
    }),
  }),
});

builder.queryField('party', (t) =>
  t.prismaField({
    type: Party,
    nullable: true,
    description: 'The party with this public key; null if the network never mentioned it.',
    args: { id: t.arg.id({ required: true, description: 'The public key of the party.' }) },
    resolve: (query, _, { id }, { links }) => links.load(parties, query, id),
  }),
);
