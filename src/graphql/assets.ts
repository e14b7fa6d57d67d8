import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { deposits } from '../data/nouns/deposits.ts';
import { markets } from '../data/nouns/markets.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { AccountConnection, accountFilterArgs, readAccountFilter } from './accounts.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { defineConnection, filteredListOf, listOf } from './connections.ts';
import { DepositConnection, depositFilterArgs, readDepositFilter } from './deposits.ts';
import { rowBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import { MarketConnection } from './markets.ts';
import { RewardConnection, rewardFilterArgs } from './rewards.ts';
import { defineStream } from './streams.ts';

export const Asset = builder.prismaNode('Asset', {
  nullable: true,
  id: { field: 'id' },
  description: 'An asset that the network holds and markets settle in.',
  fields: (t) =>
    exposeColumns(t, {
      ID: { id: 'The identifier of the asset.' },
      String: {
        name: 'The name of the asset, such as `Euro`.',
        symbol: 'The symbol of the asset, such as `EUR`.',
      },
      Int: { decimals: 'The number of decimal places between the smallest unit and the whole one.' },
      Decimal: {
        quantum: "The smallest amount that is economically meaningful, in the asset's smallest unit.",
      },
      AssetStatus: { status: 'The status of the asset.' },
      'Integer | null': {
        maxFaucetAmount:
          'The largest amount that one call of the faucet gives; null unless the asset is built in.',
        lifetimeLimit:
          'The total amount that one address can ever deposit; null unless the asset is bridged.',
        withdrawThreshold: 'The amount from which a withdrawal is delayed; null unless the asset is bridged.',
      },
      'String | null': {
        contractAddress: 'The address of the ERC-20 contract; null unless the asset is bridged.',
        chainId:
          'The identifier of the chain that the contract is on, such as `1`; null unless the asset is bridged and the network said so (from release 0.76 on).',
      },
    }),
});

/** What one can walk to from an asset. */
builder.prismaObjectFields('Asset', (t) => ({
  accounts: t.field({
    type: AccountConnection,
    description: 'A list of the accounts that hold the asset.',
    args: { ...accountFilterArgs, ...orderedPageArgs },
    ...filteredListOf(accounts, readAccountFilter, { field: 'assetId', key: 'id' }),
  }),
  deposits: t.field({
    type: DepositConnection,
    description: 'A list of the deposits of the asset.',
    args: { ...depositFilterArgs, ...orderedPageArgs },
    ...filteredListOf(deposits, readDepositFilter, { field: 'assetId', key: 'id' }),
  }),
  markets: t.field({
    type: MarketConnection,
    description:
      'A list of the markets that settle in the asset. Spot markets settle in none: they are in `baseMarkets` and `quoteMarkets`.',
    args: orderedPageArgs,
    ...listOf(markets, { field: 'settlementAssetId', key: 'id' }),
  }),
  baseMarkets: t.field({
    type: MarketConnection,
    description: 'A list of the spot markets where the asset is bought and sold.',
    args: orderedPageArgs,
    ...listOf(markets, { field: 'baseAssetId', key: 'id' }),
  }),
  quoteMarkets: t.field({
    type: MarketConnection,
    description: 'A list of the spot markets where the asset is paid.',
    args: orderedPageArgs,
    ...listOf(markets, { field: 'quoteAssetId', key: 'id' }),
  }),
  rewards: t.field({
    type: RewardConnection,
    description: 'A list of the rewards paid in the asset.',
    args: { ...rewardFilterArgs, ...orderedPageArgs },
    ...listOf(rewards, { field: 'assetId', key: 'id' }),
  }),
}));

const AssetConnection = defineConnection(assets, Asset, 'An asset');

defineQueries((t) => ({
  asset: t.prismaField({
    type: Asset,
    nullable: true,
    description: 'The asset with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the asset.' }) },
    ...rowBy(assets, 'id'),
  }),
  assets: t.field({
    type: AssetConnection,
    description: 'A list of assets.',
    args: {
      ids: t.arg.idList({
        description: 'Only assets with one of these identifiers. An empty list is no condition.',
      }),
      statuses: t.arg({ type: ['AssetStatus'], description: 'Only assets with one of these statuses.' }),
      ...orderedPageArgs,
    },
    ...listOf(assets),
  }),
}));

defineStream(assets, Asset, {
  description: 'A snapshot of the assets, then each change of one, in order, by whole blocks.',
  args: {},
  filterOf: () => ({}),
});
