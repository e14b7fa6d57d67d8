import type { BatchProposalTerms, ProposalTerms } from '../../data/nouns/proposals.ts';
import {
  batchProposalChanges,
  proposalChanges,
  proposalErrors,
  proposalStates,
} from '../../domain/enumerations.ts';
import {
  blockTimeOrOwn,
  enumerated,
  listOf,
  object,
  optional,
  otherwise,
  required,
  text,
  timeText,
} from '../json-objects.ts';
import { decimals, ids, parties } from '../json-values.ts';
import type {
  BatchProposalTerms as BatchTermsMessage,
  ProposalTerms as TermsMessage,
} from '../protocol/generated/proposals_pb.ts';
import { decimal, decimalIfSent, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

/** The times of terms alone are in seconds. */
const NANOSECONDS = 1_000_000_000n;

function fromTerms(terms: TermsMessage): ProposalTerms {
  return {
    closingTimestamp: fromSeconds(terms.closingTimestamp),
    enactmentTimestamp: fromSeconds(terms.enactmentTimestamp),
    validationTimestamp: fromSeconds(terms.validationTimestamp),
    change: changeIn(terms),
  };
}

function fromBatchTerms({ closingTimestamp, changes }: BatchTermsMessage): BatchProposalTerms {
  return {
    closingTimestamp: fromSeconds(closingTimestamp),
    changes: changes.map((one) => ({
      enactmentTimestamp: fromSeconds(one.enactmentTimestamp),
      validationTimestamp: fromSeconds(one.validationTimestamp),
      change: changeIn(one),
    })),
  };
}

const terms = object({
  closingTimestamp: required(timeText),
  enactmentTimestamp: otherwise('0', timeText),
  validationTimestamp: otherwise('0', timeText),
  change: optional(enumerated(proposalChanges)),
});

const batchTerms = object({
  closingTimestamp: required(timeText),
  changes: otherwise(
    [],
    listOf(
      object({
        enactmentTimestamp: otherwise('0', timeText),
        validationTimestamp: otherwise('0', timeText),
        change: optional(enumerated(batchProposalChanges)),
      }),
    ),
  ),
});

/** Anybody can propose what the network then refuses, with any time: it need not fit 64 bits. */
function fromSeconds(seconds: bigint): string {
  return `${seconds * NANOSECONDS}`;
}

/** Of changes that were sent one after another the last one counts, and it alone is there. */
function changeIn({ $unknown }: Pick<TermsMessage, '$unknown'>): number | null {
  return $unknown?.[0]?.no ?? null;
}

export const proposal: IngestNoun<'proposal', 'proposal'> = {
  events: { proposal: 10 },
  fromMessage: (proposal) => ({
    id: id('id', proposal.id),
    reference: proposal.reference,
    partyId: partyId('partyId', proposal.partyId),
    state: proposal.state,
    timestamp: proposal.timestamp,
    reason: proposal.reason ?? null,
    errorDetails: proposal.errorDetails ?? null,
    requiredParticipation: decimal('requiredParticipation', proposal.requiredParticipation),
    requiredMajority: decimal('requiredMajority', proposal.requiredMajority),
    requiredLiquidityProviderParticipation: decimalIfSent(
      'requiredLiquidityProviderParticipation',
      proposal.requiredLiquidityProviderParticipation,
    ),
    requiredLiquidityProviderMajority: decimalIfSent(
      'requiredLiquidityProviderMajority',
      proposal.requiredLiquidityProviderMajority,
    ),
    terms: proposal.terms ? fromTerms(proposal.terms) : null,
    batchTerms: proposal.batchTerms ? fromBatchTerms(proposal.batchTerms) : null,
    batchId: proposal.batchId ? id('batchId', proposal.batchId) : null,
  }),
  fromJson: object({
    id: required(ids),
    reference: otherwise('', text),
    partyId: required(parties),
    state: required(enumerated(proposalStates)),
    timestamp: blockTimeOrOwn,
    reason: optional(enumerated(proposalErrors)),
    errorDetails: optional(text),
    requiredParticipation: otherwise('0', decimals),
    requiredMajority: otherwise('0', decimals),
    requiredLiquidityProviderParticipation: optional(decimals),
    requiredLiquidityProviderMajority: optional(decimals),
    terms: optional(terms),
    batchTerms: optional(batchTerms),
    batchId: optional(ids),
  }),
};
