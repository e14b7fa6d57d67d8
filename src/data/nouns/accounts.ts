import { accountTypes } from '../../domain/enumerations.ts';
import { noun } from '../noun.ts';

/** Its balance is all that changes, so its history is one of balances. */
export const accounts = noun({
  model: 'Account',
  name: 'accounts',
  key: ['owner', 'assetId', 'marketId', 'type'],
  history: 'balances',
  party: 'owner',
  by: { partyIds: 'owner', marketIds: 'marketId', accountTypes: 'type', assetId: 'assetId' },
  enumerations: { type: accountTypes },
  sums: {
    amount: 'balance',
    by: { ASSET: 'assetId', TYPE: 'type', MARKET: 'marketId', PARTY: 'owner' },
    kept: [{ table: 'account_sums', by: ['assetId', 'type', 'marketId'] }],
  },
  // An owner has few accounts beside all that are of a market, a type or an asset.
  indexes: [
    ['owner', 'marketId'],
    ['owner', 'type'],
    ['owner', 'assetId'],
    ['owner'],
    ['marketId', 'type', 'assetId'],
    ['marketId', 'type'],
    ['marketId', 'assetId'],
    ['marketId'],
    ['assetId', 'type'],
    ['assetId'],
    ['type'],
    [],
  ],
});
