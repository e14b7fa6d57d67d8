import { proposals } from '../data/nouns/proposals.ts';
import { type EquityLikeShare as EquityLikeShareShape, votes } from '../data/nouns/votes.ts';
import { builder, defineQueries } from './builder.ts';
import { defineObject, exposeColumns, exposeObjects } from './columns.ts';
import { defineConnection, listOf } from './connections.ts';
import { linkTo, partyNamedBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import { defineStream } from './streams.ts';

const EquityLikeShare = defineObject<EquityLikeShareShape>(
  'EquityLikeShare',
  "A party's share of the liquidity of a market.",
  {
    ID: { marketId: 'The identifier of the market.' },
    Decimal: { els: 'The share, from 0 to 1.' },
  },
);

export const Vote = builder.prismaNode('Vote', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: "A party's latest vote on a proposal.",
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: {
        partyId: 'The identifier of the party that voted.',
        proposalId: 'The identifier of the proposal voted on.',
      },
      VoteValue: { value: 'The choice of the party.' },
      Timestamp: { timestamp: 'The time at which the party voted.' },
      Integer: {
        totalGovernanceTokenBalance:
          'The party\'s governance tokens, in their smallest unit; `"0"` until voting closes.',
      },
      Decimal: {
        totalGovernanceTokenWeight:
          'The party\'s share of the governance tokens that voted, from 0 to 1; `"0"` until voting closes.',
        totalEquityLikeShareWeight:
          'The party\'s share of the liquidity, from 0 to 1; `"0"` unless the proposal changes a market.',
      },
    }),
    ...exposeObjects(
      t,
      { type: [EquityLikeShare], nullable: true },
      {
        elsPerMarket:
          "A list of the party's shares of the liquidity of the markets that a batch would change; null unless the vote is on such a batch, and before release 0.74.5.",
      },
    ),
    party: t.relation('party', partyNamedBy('partyId', 'The party that voted.')),
    proposal: t.relation(
      'proposal',
      linkTo(proposals, 'proposalId', 'The proposal voted on; null until the network has announced it.'),
    ),
  }),
});

export const VoteConnection = defineConnection(votes, Vote, 'A vote');

defineStream(votes, Vote, {
  description: 'A snapshot of the votes, then each change of a vote, in order, by whole blocks.',
  args: builder.args((t) => ({
    proposalId: t.id({ description: 'Only votes on this proposal.' }),
    partyId: t.id({ description: 'Only votes of this party.' }),
  })),
  filterOf: (filter) => filter,
});

const VoteFilter = builder.inputType('VoteFilter', {
  description: 'The conditions that a vote must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    proposalIds: t.idList({ description: 'Only votes on one of these proposals.' }),
    partyIds: t.idList({ description: 'Only votes of one of these parties.' }),
    values: t.field({ type: ['VoteValue'], description: 'Only votes with one of these choices.' }),
  }),
});

export const voteFilterArgs = builder.args((t) => ({
  filter: t.field({
    type: VoteFilter,
    description: 'The conditions that the votes must meet, beside those of other arguments.',
  }),
}));

defineQueries((t) => ({
  votes: t.field({
    type: VoteConnection,
    description: 'A list of votes.',
    args: {
      proposalId: t.arg.id({ description: 'Only votes on this proposal.' }),
      partyId: t.arg.id({ description: 'Only votes of this party.' }),
      ...voteFilterArgs,
      ...orderedPageArgs,
    },
    ...listOf(votes),
  }),
}));
