import type {
  BatchProposalTerms as BatchTermsShape,
  ProposalTerms as TermsShape,
} from '../data/nouns/proposals.ts';
import { builder } from './builder.ts';

const BatchProposalTermsChange = builder
  .objectRef<BatchTermsShape['changes'][number]>('BatchProposalTermsChange')
  .implement({
    description: 'One change of a batch.',
    fields: (t) => ({
      enactmentTimestamp: t.expose('enactmentTimestamp', {
        type: 'Timestamp',
        description: 'The time at which the change is carried out; `"0"` if it never is.',
      }),
      validationTimestamp: t.expose('validationTimestamp', {
        type: 'Timestamp',
        description: 'The time until which the validators can check the change; `"0"` if they need not.',
      }),
      change: t.expose('change', {
        type: 'BatchProposalChange',
        nullable: true,
        description: 'The kind of the change; null if the network gave none.',
      }),
    }),
  });

export const BatchProposalTerms = builder.objectRef<BatchTermsShape>('BatchProposalTerms').implement({
  description: 'What a batch of proposals would change, and when.',
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

export const ProposalTerms = builder.objectRef<TermsShape>('ProposalTerms').implement({
  description: 'What a proposal would change, and when.',
  fields: (t) => ({
    closingTimestamp: t.expose('closingTimestamp', {
      type: 'Timestamp',
      description: 'The time at which the vote closes.',
    }),
    enactmentTimestamp: t.expose('enactmentTimestamp', {
      type: 'Timestamp',
      description: 'The time at which the change is carried out if it is accepted; `"0"` if there is none.',
    }),
    validationTimestamp: t.expose('validationTimestamp', {
      type: 'Timestamp',
      description: 'The time until which the validators can check the change; `"0"` if they need not.',
    }),
    change: t.expose('change', {
      type: 'ProposalChange',
      nullable: true,
      description: 'The kind of the change; null if the network gave none.',
    }),
  }),
});
