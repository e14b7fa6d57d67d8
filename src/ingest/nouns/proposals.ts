import { proposalErrors, proposalStates } from '../../domain/enumerations.ts';
import { blockTimeOrOwn, enumerated, nullable, object, otherwise, required, text } from '../json-objects.ts';
import { decimals, ids, parties } from '../json-values.ts';
import { decimal, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

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
    state: required(enumerated(proposalStates)),
    timestamp: blockTimeOrOwn,
    reason: otherwise(null, nullable(enumerated(proposalErrors))),
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
