import { marketStates, marketTradingModes } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const markets = noun({
  model: 'Market',
  name: 'markets',
  key: ['id'],
  by: { settlementAssetId: 'settlementAssetId', states: 'state' },
  enumerations: { state: marketStates, tradingMode: marketTradingModes },
  indexes: [['settlementAssetId', 'state'], ['settlementAssetId'], ['state'], []],
});
