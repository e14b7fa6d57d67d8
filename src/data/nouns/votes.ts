import { voteValues } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const votes = noun({
  model: 'Vote',
  name: 'votes',
  key: ['proposalId', 'partyId'],
  enumerations: { value: voteValues },
  history: 'rows',
  party: 'partyId',
  by: {
    ...{ proposalId: 'proposalId', partyId: 'partyId' },
    ...{ proposalIds: 'proposalId', partyIds: 'partyId', values: 'value' },
  },
  changing: ['value'],
  countedBy: ['proposalId'],
  indexes: [['proposalId', 'partyId'], ['proposalId'], ['partyId'], ['value'], []],
  updated: { indexes: [['proposalId'], ['partyId'], []] },
});

/** What `Vote.elsPerMarket` holds: the canonical weight of the vote in each market that the batch would change. */
export interface EquityLikeShare {
  readonly marketId: string;
  readonly els: string;
}
