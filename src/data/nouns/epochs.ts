import { noun } from '../noun.ts';

export const epochs = noun({
  model: 'Epoch',
  name: 'epochs',
  isListed: false,
  key: ['seq'],
  history: 'rows',
});
