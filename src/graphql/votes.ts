import { proposals } from '../data/nouns/proposals.ts';
import { type EquityLikeShare as EquityLikeShareShape, votes } from '../data/nouns/votes.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { listOf, pageArgs } from './connections.ts';
import { linkTo, objectsIn, partyNamedBy } from './links.ts';
import { afterArgs, defineMessages } from './streams.ts';

const EquityLikeShare = builder.objectRef<EquityLikeShareShape>('EquityLikeShare').implement({
  description: "A party's share of the liquidity of a market.",
  fields: (t) => ({
    marketId: t.exposeID('marketId', { description: 'The identifier of the market.' }),
    els: t.expose('els', { type: 'Decimal', description: 'The share, from 0 to 1.' }),
  }),
});

const Vote = builder.prismaNode('Vote', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: "A party's latest vote on a proposal.",
  fields: (t) => ({
    partyId: t.exposeID('partyId', { description: 'The identifier of the party that voted.' }),
    value: t.expose('value', { type: 'VoteValue', description: 'The choice of the party.' }),
    proposalId: t.exposeID('proposalId', { description: 'The identifier of the proposal voted on.' }),
    timestamp: t.expose('timestamp', {
      type: 'Timestamp',
      description: 'The time at which the party voted.',
    }),
    totalGovernanceTokenBalance: t.expose('totalGovernanceTokenBalance', {
      type: 'Integer',
      description: 'The party\'s governance tokens, in their smallest unit; `"0"` until voting closes.',
    }),
    totalGovernanceTokenWeight: t.expose('totalGovernanceTokenWeight', {
      type: 'Decimal',
      description:
        'The party\'s share of the governance tokens that voted, from 0 to 1; `"0"` until voting closes.',
    }),
    totalEquityLikeShareWeight: t.expose('totalEquityLikeShareWeight', {
      type: 'Decimal',
      description:
        'The party\'s share of the liquidity, from 0 to 1; `"0"` unless the proposal changes a market.',
    }),
    elsPerMarket: t.field({
      type: [EquityLikeShare],
      nullable: true,
      description:
        "A list of the party's shares of the liquidity of the markets that a batch would change; null unless the vote is on such a batch, and before release 0.74.5.",
      ...objectsIn<EquityLikeShareShape>()('elsPerMarket'),
    }),
    party: t.relation('party', {
      description: 'The party that voted.',
      ...partyNamedBy('partyId'),
    }),
    proposal: t.relation('proposal', {
      description: 'The proposal voted on; null until the network has announced it.',
      ...linkTo(proposals, 'proposalId'),
    }),
  }),
});

export const VoteConnection = builder.connectionObject(
  { type: Vote, name: 'VoteConnection', description: 'A page of votes.' },
  { name: 'VoteEdge', description: 'A vote in a page.' },
);

const VotesMessage = defineMessages({
  type: Vote,
  noun: votes,
});

builder.subscriptionField('votes', (t) =>
  t.field({
    type: VotesMessage,
    description: 'A snapshot of the votes, then each change of a vote, in order, by whole blocks.',
    args: {
      proposalId: t.arg.id({ description: 'Only votes on this proposal.' }),
      partyId: t.arg.id({ description: 'Only votes of this party.' }),
      ...afterArgs,
    },
    subscribe: (_, { after, ...filter }, { feed }) => feed.open(topicOf(votes), filter, after ?? null),
    resolve: (event) => event,
  }),
);

builder.queryFields((t) => ({
  votes: t.field({
    type: VoteConnection,
    description: 'A list of votes.',
    args: {
      proposalId: t.arg.id({ description: 'Only votes on this proposal.' }),
      partyId: t.arg.id({ description: 'Only votes of this party.' }),
      ...pageArgs,
    },
    ...listOf(votes),
  }),
}));
