import type { BatchProposalTerms, ProposalTerms } from '../../data/nouns/proposals.ts';
import { batchProposalChanges, proposalChanges } from '../../domain/enumerations.ts';
import { enumerated, listOf, nullable, object, otherwise, required, timeText } from '../json-objects.ts';
import type {
  BatchProposalTerms as BatchTermsMessage,
  ProposalTerms as TermsMessage,
} from '../protocol/generated/proposals_pb.ts';

/** The times of terms alone are in seconds. */
const NANOSECONDS = 1_000_000_000n;

export function fromTerms(terms: TermsMessage): ProposalTerms {
  return {
    closingTimestamp: fromSeconds(terms.closingTimestamp),
    enactmentTimestamp: fromSeconds(terms.enactmentTimestamp),
    validationTimestamp: fromSeconds(terms.validationTimestamp),
    change: changeIn(terms),
  };
}

export function fromBatchTerms({ closingTimestamp, changes }: BatchTermsMessage): BatchProposalTerms {
  return {
    closingTimestamp: fromSeconds(closingTimestamp),
    changes: changes.map((one) => ({
      enactmentTimestamp: fromSeconds(one.enactmentTimestamp),
      validationTimestamp: fromSeconds(one.validationTimestamp),
      change: changeIn(one),
    })),
  };
}

export const terms = object({
  closingTimestamp: required(timeText),
  enactmentTimestamp: otherwise('0', timeText),
  validationTimestamp: otherwise('0', timeText),
  change: otherwise(null, nullable(enumerated(proposalChanges))),
});

export const batchTerms = object({
  closingTimestamp: required(timeText),
  changes: otherwise(
    [],
    listOf(
      object({
        enactmentTimestamp: otherwise('0', timeText),
        validationTimestamp: otherwise('0', timeText),
        change: otherwise(null, nullable(enumerated(batchProposalChanges))),
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
