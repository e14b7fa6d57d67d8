import {
  batchProposalChanges,
  proposalChanges,
  proposalErrors,
  proposalStates,
} from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const proposals = noun({
  model: 'Proposal',
  name: 'proposals',
  key: ['id'],
  party: 'partyId',
  history: 'rows',
  by: {
    ...{ partyId: 'partyId', states: 'state', batchId: 'batchId' },
    ...{ partyIds: 'partyId', batchIds: 'batchId' },
  },
  changing: ['partyId', 'state', 'batchId'],
  enumerations: {
    state: proposalStates,
    reason: proposalErrors,
    'terms.change': proposalChanges,
    'batchTerms.changes.change': batchProposalChanges,
  },
  indexes: [['partyId', 'state'], ['partyId'], ['batchId'], ['state'], []],
  updated: { indexes: [['partyId'], []] },
});

/** What `Proposal.terms` holds: times in nanoseconds as text, and the number of the change that is proposed. */
export interface ProposalTerms {
  readonly closingTimestamp: string;
  readonly enactmentTimestamp: string;
  readonly validationTimestamp: string;
  readonly change: number | null;
}

/** What `Proposal.batchTerms` holds. The numbers of its changes are others than those of `ProposalTerms`. */
export interface BatchProposalTerms {
  readonly closingTimestamp: string;
  readonly changes: readonly {
    readonly enactmentTimestamp: string;
    readonly validationTimestamp: string;
    readonly change: number | null;
  }[];
}
