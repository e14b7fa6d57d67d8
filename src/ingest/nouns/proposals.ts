import { proposalErrors, proposalStates } from '../../domain/enumerations.ts';
import { blockTimeOrOwn, enumerated, nullable, object, otherwise, required, text } from '../json-objects.ts';
import { decimals, ids, parties } from '../json-values.ts';
import { decimal, decimalIfSent, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';
import { batchTerms, fromBatchTerms, fromTerms, terms } from './proposal-terms.ts';

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
    reason: otherwise(null, nullable(enumerated(proposalErrors))),
    errorDetails: otherwise(null, nullable(text)),
    requiredParticipation: otherwise('0', decimals),
    requiredMajority: otherwise('0', decimals),
    requiredLiquidityProviderParticipation: otherwise(null, nullable(decimals)),
    requiredLiquidityProviderMajority: otherwise(null, nullable(decimals)),
    terms: otherwise(null, nullable(terms)),
    batchTerms: otherwise(null, nullable(batchTerms)),
    batchId: otherwise(null, nullable(ids)),
  }),
};
