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
  // From the most to the least selective: the first with several values is walked value by value.
  conditions: ({ assetId, partyIds, marketIds, accountTypes }) => [
    ...isOneOf('owner', partyIds),
    ...isOneOf('market_id', marketIds),
    ...isOneOf('type', accountTypes, 'account_type'),
    ...isOneOf('asset_id', assetId),
  ],
};
