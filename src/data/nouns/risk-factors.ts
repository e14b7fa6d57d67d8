import { noun } from '../noun.ts';

export const riskFactors = noun({
  model: 'RiskFactor',
  name: 'riskFactors',
  isListed: false,
  key: ['marketId'],
  history: 'rows',
});
