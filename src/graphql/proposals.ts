import {
  type BatchProposalTerms as BatchProposalTermsShape,
  type ProposalTerms as ProposalTermsShape,
  proposals,
} from '../data/nouns/proposals.ts';
import { votes } from '../data/nouns/votes.ts';
import { builder } from './builder.ts';
import { listOf, pageArgs } from './connections.ts';
import { objectIn, partyNamedBy, rowBy } from './links.ts';
import { BatchProposalTerms, ProposalTerms } from './proposal-terms.ts';
import { VoteConnection } from './votes.ts';

const Proposal = builder.prismaNode('Proposal', {
  nullable: true,
  id: { field: 'id' },
  description: 'A change to the network that parties vote on.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the proposal.' }),
    reference: t.exposeString('reference', {
      description: 'The reference that the proposer gave the proposal.',
    }),
    partyId: t.exposeID('partyId', { description: 'The identifier of the party that proposed.' }),
    state: t.expose('state', { type: 'ProposalState', description: 'The state of the proposal.' }),
    timestamp: t.expose('timestamp', {
      type: 'Timestamp',
      description: 'The time at which the proposal was made.',
    }),
    reason: t.expose('reason', {
      type: 'ProposalError',
      nullable: true,
      description: 'The reason for which the network refused the proposal; null unless it did.',
    }),
    errorDetails: t.exposeString('errorDetails', {
      nullable: true,
      description: 'The details of the refusal, in words; null unless the proposal was refused.',
    }),
    requiredParticipation: t.expose('requiredParticipation', {
      type: 'Decimal',
      description: 'The share of all governance tokens that must vote, from 0 to 1.',
    }),
    requiredMajority: t.expose('requiredMajority', {
      type: 'Decimal',
      description: 'The share of the votes that must be for the proposal, from 0 to 1.',
    }),
    requiredLiquidityProviderParticipation: t.expose('requiredLiquidityProviderParticipation', {
      type: 'Decimal',
      nullable: true,
      description:
        'The share of the liquidity that must vote, from 0 to 1; null unless the proposal changes a market.',
    }),
    requiredLiquidityProviderMajority: t.expose('requiredLiquidityProviderMajority', {
      type: 'Decimal',
      nullable: true,
      description:
        'The share of the voting liquidity that must be for the proposal, from 0 to 1; null unless the proposal changes a market.',
    }),
    terms: t.field({
      type: ProposalTerms,
      nullable: true,
      description: 'What is proposed, and when; null for a batch, and where it was not kept.',
      ...objectIn<ProposalTermsShape>()('terms'),
    }),
    batchTerms: t.field({
      type: BatchProposalTerms,
      nullable: true,
      description: 'The same of a batch, which is voted on as one; null unless it is one.',
      ...objectIn<BatchProposalTermsShape>()('batchTerms'),
    }),
    batchId: t.exposeID('batchId', {
      nullable: true,
      description: 'The identifier of the batch that the proposal is part of; null if it is part of none.',
    }),
    party: t.relation('party', {
      description: 'The party that proposed.',
      ...partyNamedBy('partyId'),
    }),
    votes: t.field({
      type: VoteConnection,
      description: 'A list of the votes on the proposal.',
      args: { partyId: t.arg.id({ description: 'Only the vote of this party.' }), ...pageArgs },
      ...listOf(votes, { field: 'proposalId', key: 'id' }),
    }),
  }),
});

export const ProposalConnection = builder.connectionObject(
  { type: Proposal, name: 'ProposalConnection', description: 'A page of proposals.' },
  { name: 'ProposalEdge', description: 'A proposal in a page.' },
);

export const proposalStateArgs = builder.args((t) => ({
  states: t.field({ type: ['ProposalState'], description: 'Only proposals in one of these states.' }),
}));

builder.queryFields((t) => ({
  proposal: t.prismaField({
    type: Proposal,
    nullable: true,
    description: 'The proposal with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the proposal.' }) },
    ...rowBy(proposals, 'id'),
  }),
  proposals: t.field({
    type: ProposalConnection,
    description: 'A list of proposals.',
    args: {
      partyId: t.arg.id({ description: 'Only proposals of this party.' }),
      batchId: t.arg.id({ description: 'Only the proposals that this batch consists of.' }),
      ...proposalStateArgs,
      ...pageArgs,
    },
    ...listOf(proposals),
  }),
}));
