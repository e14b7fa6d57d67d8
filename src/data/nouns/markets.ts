import { noun } from '../noun.ts';

export const markets = noun({
  model: 'Market',
  name: 'markets',
  key: ['id'],
  by: { settlementAssetId: 'settlementAssetId', states: 'state' },
  types: { state: 'market_state' },
  indexes: [['settlementAssetId', 'state'], ['settlementAssetId'], ['state'], []],
});
