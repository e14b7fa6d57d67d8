import { noun } from '../noun.ts';

export const riskFactors = noun({
  model: 'RiskFactor',
  name: 'riskFactors',
  key: ['marketId'],
});
