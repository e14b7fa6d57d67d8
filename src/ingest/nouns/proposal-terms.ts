import type { BatchProposalTerms, ProposalTerms } from '../../data/nouns/proposals.ts';
import { batchProposalChanges, proposalChanges } from '../../domain/enumerations.ts';
import { enumerated, listOf, nullable, object, otherwise, required, timeText } from '../json-objects.ts';
import type {
  BatchProposalTerms as BatchTermsMessage,
  ProposalTerms as TermsMessage,
} from '../protocol/generated/proposals_pb.ts';

/** The changes that can be proposed have these numbers in their message. */
const FIRST_CHANGE = 101;
/** The times of terms alone are in seconds. */
const NANOSECONDS = 1_000_000_000n;

export function fromTerms(terms: TermsMessage): ProposalTerms {
  return {
    closingTimestamp: fromSeconds(terms.closingTimestamp),
    enactmentTimestamp: fromSeconds(terms.enactmentTimestamp),
    change: changeIn(terms),
  };
}

export function fromBatchTerms({ closingTimestamp, changes }: BatchTermsMessage): BatchProposalTerms {
  return {
    closingTimestamp: fromSeconds(closingTimestamp),
    changes: changes.map((one) => ({
      enactmentTimestamp: fromSeconds(one.enactmentTimestamp),
      change: changeIn(one),
    })),
  };
}

export const terms = object({
  closingTimestamp: required(timeText),
  enactmentTimestamp: otherwise('0', timeText),
  change: otherwise(null, nullable(enumerated(proposalChanges))),
});

export const batchTerms = object({
  closingTimestamp: required(timeText),
  changes: otherwise(
    [],
    listOf(
      object({
        enactmentTimestamp: otherwise('0', timeText),
        change: otherwise(null, nullable(enumerated(batchProposalChanges))),
      }),
    ),
  ),
});

/** Anybody can propose what the network then refuses, with any time: it need not fit 64 bits. */
function fromSeconds(seconds: bigint): string {
  return `${seconds * NANOSECONDS}`;
}

/** Of changes that were sent one after another the last one counts. */
function changeIn({ $unknown = [] }: Pick<TermsMessage, '$unknown'>): number | null {
  return $unknown.findLast(({ no }) => no >= FIRST_CHANGE)?.no ?? null;
}
