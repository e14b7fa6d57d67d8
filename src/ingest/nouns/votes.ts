import { voteValues } from '../../domain/enumerations.ts';
import { blockTimeOrOwn, enumerated, object, otherwise, required } from '../json-objects.ts';
import { decimals, ids, parties } from '../json-values.ts';
import { decimal, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const vote: IngestNoun<'vote', 'vote'> = {
  events: { vote: 11 },
  fromMessage: (vote) => ({
    proposalId: id('proposalId', vote.proposalId),
    partyId: partyId('partyId', vote.partyId),
    value: vote.value,
    timestamp: vote.timestamp,
    totalGovernanceTokenBalance: decimal('totalGovernanceTokenBalance', vote.totalGovernanceTokenBalance),
    totalGovernanceTokenWeight: decimal('totalGovernanceTokenWeight', vote.totalGovernanceTokenWeight),
    totalEquityLikeShareWeight: decimal('totalEquityLikeShareWeight', vote.totalEquityLikeShareWeight),
  }),
  fromJson: object({
    partyId: required(parties),
    proposalId: required(ids),
    timestamp: blockTimeOrOwn,
    value: required(enumerated(voteValues)),
    totalGovernanceTokenBalance: otherwise('0', decimals),
    totalGovernanceTokenWeight: otherwise('0', decimals),
    totalEquityLikeShareWeight: otherwise('0', decimals),
  }),
};
