import { isOneOf } from './conditions.ts';
import { type Account, type AccountType, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

/** Every condition given must hold; an empty list is no condition. */
export interface AccountFilter {
  readonly assetId?: string | null | undefined;
  readonly partyIds?: readonly string[] | null | undefined;
  readonly marketIds?: readonly string[] | null | undefined;
  readonly accountTypes?: readonly AccountType[] | null | undefined;
}

export const accounts: List<Account, AccountFilter> = {
  name: 'accounts',
  table: describeTable('accounts', Prisma.AccountScalarFieldEnum),
  // An owner has few accounts beside all that are of a market, a type or an asset.
  indexes: [
    ['owner', 'market_id'],
    ['owner', 'type'],
    ['owner', 'asset_id'],
    ['owner'],
    ['market_id', 'type', 'asset_id'],
    ['market_id', 'type'],
    ['market_id', 'asset_id'],
    ['market_id'],
    ['asset_id', 'type'],
    ['asset_id'],
    ['type'],
    [],
  ],
  conditions: ({ assetId, partyIds, marketIds, accountTypes }) => [
    ...isOneOf('owner', partyIds),
    ...isOneOf('market_id', marketIds),
    ...isOneOf('type', accountTypes, 'account_type'),
    ...isOneOf('asset_id', assetId),
  ],
};
