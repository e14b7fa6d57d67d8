import type * as Shapes from '../data/nouns/proposals.ts';
import { proposals } from '../data/nouns/proposals.ts';
import { votes } from '../data/nouns/votes.ts';
import { builder, defineQueries } from './builder.ts';
import { defineObject, exposeColumns, exposeObjects } from './columns.ts';
import { defineConnection, listOf } from './connections.ts';
import { partyNamedBy, rowBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import { defineStream } from './streams.ts';
import { VoteConnection, voteFilterArgs } from './votes.ts';

const BatchProposalTermsChange = defineObject<Shapes.BatchProposalTerms['changes'][number]>(
  'BatchProposalTermsChange',
  'One change of a batch.',
  {
    Timestamp: {
      enactmentTimestamp: 'The time at which the change is carried out; `"0"` if it never is.',
      validationTimestamp:
        'The time until which the validators can check the change; `"0"` if they need not.',
    },
    'BatchProposalChange | null': { change: 'The kind of the change; null if the network gave none.' },
  },
);

const BatchProposalTerms = builder.objectRef<Shapes.BatchProposalTerms>('BatchProposalTerms').implement({
  description: 'The changes that a batch of proposals would make, and their times.',
  fields: (t) => ({
    closingTimestamp: t.expose('closingTimestamp', {
      type: 'Timestamp',
      description: 'The time at which the vote closes.',
    }),
    changes: t.expose('changes', {
      type: [BatchProposalTermsChange],
      description: 'A list of the changes. Each is a proposal of its own besides, which names the batch.',
    }),
  }),
});

const ProposalTerms = defineObject<Shapes.ProposalTerms>(
  'ProposalTerms',
  'What a proposal would change, and when.',
  {
    Timestamp: {
      closingTimestamp: 'The time at which the vote closes.',
      enactmentTimestamp:
        'The time at which the change is carried out if it is accepted; `"0"` if there is none.',
      validationTimestamp:
        'The time until which the validators can check the change; `"0"` if they need not.',
    },
    'ProposalChange | null': { change: 'The kind of the change; null if the network gave none.' },
  },
);

export const Proposal = builder.prismaNode('Proposal', {
  nullable: true,
  id: { field: 'id' },
  description: 'A change to the network that parties vote on.',
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: {
        id: 'The identifier of the proposal.',
        partyId: 'The identifier of the party that proposed.',
      },
      String: { reference: 'The reference that the proposer gave the proposal.' },
      ProposalState: { state: 'The state of the proposal.' },
      Timestamp: { timestamp: 'The time at which the proposal was made.' },
      'ProposalError | null': {
        reason: 'The reason for which the network refused the proposal; null unless it did.',
      },
      'String | null': {
        errorDetails: 'The details of the refusal, in words; null unless the proposal was refused.',
      },
      Decimal: {
        requiredParticipation: 'The share of all governance tokens that must vote, from 0 to 1.',
        requiredMajority: 'The share of the votes that must be for the proposal, from 0 to 1.',
      },
      'Decimal | null': {
        requiredLiquidityProviderParticipation:
          'The share of the liquidity that must vote, from 0 to 1; null unless the proposal changes a market.',
        requiredLiquidityProviderMajority:
          'The share of the voting liquidity that must be for the proposal, from 0 to 1; null unless the proposal changes a market.',
      },
      'ID | null': {
        batchId: 'The identifier of the batch that the proposal is part of; null if it is part of none.',
      },
    }),
    ...exposeObjects(
      t,
      { type: ProposalTerms, nullable: true },
      {
        terms: 'What is proposed, and when; null for a batch, and where it was not kept.',
      },
    ),
    ...exposeObjects(
      t,
      { type: BatchProposalTerms, nullable: true },
      {
        batchTerms: 'The same of a batch, which is voted on as one; null unless it is one.',
      },
    ),
    party: t.relation('party', partyNamedBy('partyId', 'The party that proposed.')),
    votes: t.field({
      type: VoteConnection,
      description: 'A list of the votes on the proposal.',
      args: {
        partyId: t.arg.id({ description: 'Only the vote of this party.' }),
        ...voteFilterArgs,
        ...orderedPageArgs,
      },
      ...listOf(votes, { field: 'proposalId', key: 'id' }),
    }),
  }),
});

export const ProposalConnection = defineConnection(proposals, Proposal, 'A proposal');

const IN_STATES = 'Only proposals in one of these states.';

const ProposalFilter = builder.inputType('ProposalFilter', {
  description: 'The conditions that a proposal must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    partyIds: t.idList({ description: 'Only proposals of one of these parties.' }),
    states: t.field({ type: ['ProposalState'], description: IN_STATES }),
    batchIds: t.idList({ description: 'Only the proposals that one of these batches consists of.' }),
  }),
});

export const proposalFilterArgs = builder.args((t) => ({
  filter: t.field({
    type: ProposalFilter,
    description: 'The conditions that the proposals must meet, beside those of other arguments.',
  }),
  states: t.field({ type: ['ProposalState'], description: IN_STATES }),
}));

defineQueries((t) => ({
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
      ...proposalFilterArgs,
      ...orderedPageArgs,
    },
    ...listOf(proposals),
  }),
}));

defineStream(proposals, Proposal, {
  description: 'A snapshot of the proposals, then each change of one, in order, by whole blocks.',
  args: {},
  filterOf: () => ({}),
});
