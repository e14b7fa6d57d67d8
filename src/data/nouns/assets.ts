import { assetStatuses } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

export const assets = noun({
  model: 'Asset',
  name: 'assets',
  key: ['id'],
  history: 'rows',
  by: { ids: 'id', statuses: 'status' },
  changing: ['status'],
  enumerations: { status: assetStatuses },
  indexes: [['status'], []],
  updated: { indexes: [[]] },
});
