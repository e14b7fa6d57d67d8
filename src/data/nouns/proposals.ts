import { noun } from '../noun.ts';

export const proposals = noun({
  model: 'Proposal',
  name: 'proposals',
  key: ['id'],
  party: 'partyId',
  by: { partyId: 'partyId', states: 'state' },
  types: { state: 'proposal_state' },
  indexes: [['partyId', 'state'], ['partyId'], ['state'], []],
});
