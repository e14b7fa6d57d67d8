import { noun } from '../noun.ts';

/** Whoever the network names anywhere: known from its first mention on, and never changed. */
export const parties = noun({
  model: 'Party',
  name: 'parties',
  key: ['id'],
  history: 'added',
  party: 'id',
  by: { ids: 'id' },
  indexes: [['id'], []],
});
