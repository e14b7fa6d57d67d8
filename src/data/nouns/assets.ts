import { noun } from '../noun.ts';

export const assets = noun({
  model: 'Asset',
  name: 'assets',
  key: ['id'],
  by: { statuses: 'status' },
  types: { status: 'asset_status' },
  indexes: [['status'], []],
});
