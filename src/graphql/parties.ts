import { accounts } from '../data/nouns/accounts.ts';
import { deposits } from '../data/nouns/deposits.ts';
import { marginLevels } from '../data/nouns/margin-levels.ts';
import { parties } from '../data/nouns/parties.ts';
import { type PartyMetadata as PartyMetadataShape, partyProfiles } from '../data/nouns/party-profiles.ts';
import { proposals } from '../data/nouns/proposals.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { trades } from '../data/nouns/trades.ts';
import { votes } from '../data/nouns/votes.ts';
import { AccountConnection, accountFilterArgs, readAccountFilter } from './accounts.ts';
import { builder, defineQueries } from './builder.ts';
import { defineObject, exposeObjects } from './columns.ts';
import { defineConnection, filteredListOf, listOf } from './connections.ts';
import { COST_OF, costs } from './costs.ts';
import { DepositConnection, depositFilterArgs, readDepositFilter } from './deposits.ts';
import { linkTo, rowBy } from './links.ts';
import { orderedPageArgs, pageArgs } from './list-args.ts';
import { MarginLevelConnection } from './margin-levels.ts';
import { ProposalConnection, proposalFilterArgs } from './proposals.ts';
import { RewardConnection, rewardFilterArgs } from './rewards.ts';
import { defineStream } from './streams.ts';
import { readTradeFilter, TradeConnection, tradeArgs } from './trades.ts';
import { VoteConnection, voteFilterArgs } from './votes.ts';

const PartyMetadata = defineObject<PartyMetadataShape>(
  'PartyMetadata',
  'Something that a party says of itself.',
  {
    String: {
      key: 'What it is about.',
      value: 'What the party says.',
    },
  },
);

export const PartyProfile = builder.prismaObject('PartyProfile', {
  description: 'The profile that a party gives itself. The network does not check it.',
  ...costs({ each: COST_OF.object }),
  fields: (t) => ({
    partyId: t.exposeID('partyId', { description: 'The public key of the party.' }),
    party: t.relation('party', linkTo(parties, 'partyId', 'The party.')),
    alias: t.exposeString('alias', { description: 'The name that the party goes by. May be empty.' }),
    ...exposeObjects(
      t,
      { type: [PartyMetadata] },
      {
        metadata: 'A list of whatever else the party says of itself, in its order.',
      },
    ),
  }),
});

export const Party = builder.prismaNode('Party', {
  nullable: true,
  id: { field: 'id' },
  description: 'A participant in the network, identified by a public key.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The public key of the party; `network` for the network itself.' }),
    profile: t.relation(
      'profile',
      linkTo(
        partyProfiles,
        'id',
        'What the party says of itself; null if it says nothing, as before release 0.74 of the network.',
      ),
    ),
    accounts: t.field({
      type: AccountConnection,
      description: 'A list of the accounts of the party.',
      args: { ...accountFilterArgs, ...orderedPageArgs },
      ...filteredListOf(accounts, readAccountFilter, { field: 'owner', key: 'id' }),
    }),
    deposits: t.field({
      type: DepositConnection,
      description: 'A list of the deposits for the party.',
      args: { ...depositFilterArgs, ...orderedPageArgs },
      ...filteredListOf(deposits, readDepositFilter, { field: 'partyId', key: 'id' }),
    }),
    rewards: t.field({
      type: RewardConnection,
      description: 'A list of the rewards of the party.',
      args: {
        assetId: t.arg.id({ description: 'Only rewards paid in this asset.' }),
        ...rewardFilterArgs,
        ...orderedPageArgs,
      },
      ...listOf(rewards, { field: 'partyId', key: 'id' }),
    }),
    trades: t.field({
      type: TradeConnection,
      description: 'A list of the trades that the party bought or sold in.',
      args: { ...tradeArgs, ...pageArgs },
      ...filteredListOf(trades, readTradeFilter, { field: 'party', key: 'id' }),
    }),
    votes: t.field({
      type: VoteConnection,
      description: 'A list of the votes of the party.',
      args: {
        proposalId: t.arg.id({ description: 'Only the vote on this proposal.' }),
        ...voteFilterArgs,
        ...orderedPageArgs,
      },
      ...listOf(votes, { field: 'partyId', key: 'id' }),
    }),
    proposals: t.field({
      type: ProposalConnection,
      description: 'A list of the proposals of the party.',
      args: { ...proposalFilterArgs, ...orderedPageArgs },
      ...listOf(proposals, { field: 'partyId', key: 'id' }),
    }),
    marginLevels: t.field({
      type: MarginLevelConnection,
      description: 'A list of the margin levels of the party.',
      args: { marketId: t.arg.id({ description: 'Only the levels in this market.' }), ...pageArgs },
      ...listOf(marginLevels, { field: 'partyId', key: 'id' }),
    }),
  }),
});

const PartyConnection = defineConnection(parties, Party, 'A party');

defineQueries((t) => ({
  party: t.prismaField({
    type: Party,
    nullable: true,
    description: 'The party with this public key; null if the network never mentioned it.',
    args: { id: t.arg.id({ required: true, description: 'The public key of the party.' }) },
    ...rowBy(parties, 'id'),
  }),
  parties: t.field({
    type: PartyConnection,
    description: 'A list of parties.',
    args: {
      ids: t.arg.idList({
        description: 'Only parties with one of these public keys. An empty list is no condition.',
      }),
      ...pageArgs,
    },
    ...listOf(parties),
  }),
}));

defineStream(parties, Party, {
  description: 'The parties that are there, then each new one, in order, by whole blocks.',
  args: {},
  filterOf: () => ({}),
});

defineStream(partyProfiles, PartyProfile, {
  description:
    'A snapshot of what parties say of themselves, then each change of it, in order, by whole blocks.',
  args: {},
  filterOf: () => ({}),
});
