import { isOneOf } from './conditions.ts';
import { type Asset, type AssetStatus, Prisma } from './generated/prisma/client.ts';
import type { List } from './pages.ts';
import { describeTable } from './table.ts';

export interface AssetFilter {
  readonly statuses?: readonly AssetStatus[] | null | undefined;
}

export const assets: List<Asset, AssetFilter> = {
  name: 'assets',
  table: describeTable('assets', Prisma.AssetScalarFieldEnum),
  indexes: [['status'], []],
  conditions: ({ statuses }) => isOneOf('status', statuses, 'asset_status'),
};
