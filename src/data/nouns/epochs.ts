import { noun } from '../noun.ts';

export const epochs = noun({
  model: 'Epoch',
  name: 'epochs',
  key: ['seq'],
});
