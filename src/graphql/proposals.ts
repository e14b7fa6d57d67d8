import { parties } from '../data/nouns/parties.ts';
import { proposals } from '../data/nouns/proposals.ts';
import { votes } from '../data/nouns/votes.ts';
import { builder } from './builder.ts';
import { pageArgs, resolveConnection, resolveScopedConnection } from './connections.ts';
import { ProposalStateEnum } from './enums.ts';
import { VoteConnection } from './votes.ts';

const Proposal = builder.prismaNode('Proposal', {
  nullable: true,
  id: { field: 'id' },
  description: 'A change to the network that parties vote on.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the proposal.' }),
    reference: t.exposeString('reference', { description: 'The reference that the proposer gave it.' }),
    partyId: t.exposeID('partyId', { description: 'The party that proposed.' }),
    state: t.expose('state', { type: ProposalStateEnum, description: 'Where the proposal is in its life.' }),
    timestamp: t.expose('timestamp', { type: 'Timestamp', description: 'When the proposal was made.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: "The name of the network's reason for refusing it; null unless it did.",
    }),
    errorDetails: t.exposeString('errorDetails', {
      nullable: true,
      description: 'What was wrong with it, in words; null unless it was refused.',
    }),
    requiredParticipation: t.expose('requiredParticipation', {
      type: 'Decimal',
      description: 'The share of all governance tokens that must vote, from 0 to 1.',
    }),
    requiredMajority: t.expose('requiredMajority', {
      type: 'Decimal',
      description: 'The share of the votes that must be for it, from 0 to 1.',
    }),
    requiredLiquidityProviderParticipation: t.expose('requiredLiquidityProviderParticipation', {
      type: 'Decimal',
      nullable: true,
      description: 'The share of liquidity that must vote, from 0 to 1; null unless a market is changed.',
    }),
    requiredLiquidityProviderMajority: t.expose('requiredLiquidityProviderMajority', {
      type: 'Decimal',
      nullable: true,
      description:
        'The share of liquidity voting that must be for it, from 0 to 1; null unless a market is changed.',
    }),
    party: t.relation('party', {
      nullable: true,
      description: 'The party that proposed.',
      resolve: (query, { partyId }, _, { links }) => links.load(parties, query, partyId),
    }),
    votes: t.field({
      type: VoteConnection,
      description: 'The votes on the proposal.',
      args: { partyId: t.arg.id({ description: 'Only the vote of this party.' }), ...pageArgs },
      resolve: ({ id }, { partyId, ...args }, context) =>
        resolveScopedConnection(context, votes, { field: 'proposalId', key: id }, { partyId }, args),
    }),
  }),
});

export const ProposalConnection = builder.connectionObject(
  { type: Proposal, name: 'ProposalConnection', description: 'A page of proposals.' },
  { name: 'ProposalEdge', description: 'A proposal in its list.' },
);

export const proposalStateArgs = builder.args((t) => ({
  states: t.field({ type: [ProposalStateEnum], description: 'Only proposals in one of these states.' }),
}));

builder.queryFields((t) => ({
  proposal: t.prismaField({
    type: Proposal,
    nullable: true,
    description: 'The proposal with an identifier; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the proposal.' }) },
    resolve: (query, _, { id }, { links }) => links.load(proposals, query, id),
  }),
  proposals: t.field({
    type: ProposalConnection,
    description: 'All proposals, or those that pass the filter.',
    args: {
      partyId: t.arg.id({ description: 'Only proposals of this party.' }),
      ...proposalStateArgs,
      ...pageArgs,
    },
    resolve: (_, args, context) => resolveConnection(context, proposals, args, args),
  }),
}));
