import { marginModes } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const marginLevels = noun({
  model: 'MarginLevel',
  name: 'marginLevels',
  key: ['partyId', 'marketId', 'assetId'],
  enumerations: { marginMode: marginModes },
  history: 'rows',
  party: 'partyId',
  by: { partyId: 'partyId', marketId: 'marketId' },
  countedBy: ['marketId'],
  indexes: [['partyId', 'marketId'], ['partyId'], ['marketId'], []],
});
