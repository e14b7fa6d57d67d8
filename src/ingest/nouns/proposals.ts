import { proposalStates } from '../../domain/enumerations.ts';
import { blockTimeOrOwn, nullable, object, oneOf, otherwise, required, text } from '../json-objects.ts';
import { decimals, ids, parties } from '../json-values.ts';
import { namesOf, numbersOf } from '../protocol/enumerations.ts';
import { ProposalErrorSchema } from '../protocol/generated/proposals_pb.ts';
import { decimal, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

/** Why the network refuses a proposal. The rows keep it as text, so that only the protocol lists the names. */
const proposalErrors = numbersOf(ProposalErrorSchema);

const stateOf = namesOf(proposalStates);
const errorOf = namesOf(proposalErrors);

export const proposal: IngestNoun<'proposal', 'proposal'> = {
  events: { proposal: 10 },
  fromMessage: (proposal) => ({
    id: id('id', proposal.id),
    reference: proposal.reference,
    partyId: partyId('partyId', proposal.partyId),
    state: stateOf(proposal.state),
    timestamp: proposal.timestamp,
    reason: proposal.reason === undefined ? null : errorOf(proposal.reason),
    errorDetails: proposal.errorDetails ?? null,
    requiredParticipation: decimal('requiredParticipation', proposal.requiredParticipation),
    requiredMajority: decimal('requiredMajority', proposal.requiredMajority),
    requiredLiquidityProviderParticipation: decimalOrNull(
      'requiredLiquidityProviderParticipation',
      proposal.requiredLiquidityProviderParticipation,
    ),
    requiredLiquidityProviderMajority: decimalOrNull(
      'requiredLiquidityProviderMajority',
      proposal.requiredLiquidityProviderMajority,
    ),
  }),
  fromJson: object({
    id: required(ids),
    reference: otherwise('', text),
    partyId: required(parties),
    state: required(oneOf(proposalStates)),
    timestamp: blockTimeOrOwn,
    reason: otherwise(null, nullable(oneOf(proposalErrors))),
    errorDetails: otherwise(null, nullable(text)),
    requiredParticipation: otherwise('0', decimals),
    requiredMajority: otherwise('0', decimals),
    requiredLiquidityProviderParticipation: otherwise(null, nullable(decimals)),
    requiredLiquidityProviderMajority: otherwise(null, nullable(decimals)),
  }),
};

/** One that was sent empty is 0, one that was not sent is none. */
function decimalOrNull(field: string, sent: string | undefined): string | null {
  return sent === undefined ? null : decimal(field, sent);
}
