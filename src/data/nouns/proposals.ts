import { proposalErrors, proposalStates } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const proposals = noun({
  model: 'Proposal',
  name: 'proposals',
  key: ['id'],
  party: 'partyId',
  by: { partyId: 'partyId', states: 'state' },
  enumerations: { state: proposalStates, reason: proposalErrors },
  indexes: [['partyId', 'state'], ['partyId'], ['state'], []],
});
