import { accountTypes } from '../../domain/enumerations.ts';
import { isAmountWithin } from '../conditions.ts';
import { ACCOUNTS_RANKED_TO } from '../history/ranks.ts';
import { noun } from '../noun.ts';

/** Its balance is all that changes, so its history is one of balances. */
export const accounts = noun({
  model: 'Account',
  name: 'accounts',
  key: ['owner', 'assetId', 'marketId', 'type'],
  history: 'balances',
  party: 'owner',
  by: {
    ...{ partyIds: 'owner', marketIds: 'marketId', accountTypes: 'type' },
    ...{ assetId: 'assetId', assetIds: 'assetId' },
  },
  within: ({ balanceFrom, balanceTo }: BalanceRange) => isAmountWithin('balance', balanceFrom, balanceTo),
  valued: {
    BALANCE: {
      value: 'balance',
      within: 'assetId',
      ranks: {
        table: 'account_ranks',
        value: 'balance',
        position: 'account_position',
        indexes: [['assetId', 'type'], ['assetId']],
        upTo: ACCOUNTS_RANKED_TO,
      },
    },
  },
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

interface BalanceRange {
  /** The least and the largest balance wanted: whole numbers of any size. */
  readonly balanceFrom?: string | null | undefined;
  readonly balanceTo?: string | null | undefined;
}
