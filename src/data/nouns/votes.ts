import { noun } from '../noun.ts';

export const votes = noun({
  model: 'Vote',
  name: 'votes',
  key: ['proposalId', 'partyId'],
  history: 'rows',
  party: 'partyId',
  by: { proposalId: 'proposalId', partyId: 'partyId' },
  indexes: [['proposalId', 'partyId'], ['proposalId'], ['partyId'], []],
});
