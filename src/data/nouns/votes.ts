import { voteValues } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const votes = noun({
  model: 'Vote',
  name: 'votes',
  key: ['proposalId', 'partyId'],
  enumerations: { value: voteValues },
  history: 'rows',
  party: 'partyId',
  by: { proposalId: 'proposalId', partyId: 'partyId' },
  indexes: [['proposalId', 'partyId'], ['proposalId'], ['partyId'], []],
});
