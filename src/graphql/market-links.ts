import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { marginLevels } from '../data/nouns/margin-levels.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { riskFactors } from '../data/nouns/risk-factors.ts';
import { trades } from '../data/nouns/trades.ts';
import { AccountConnection, accountFilterArgs, readAccountFilter } from './accounts.ts';
import { builder } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { filteredListOf, listOf } from './connections.ts';
import { COST_OF, costs } from './costs.ts';
import { linkTo } from './links.ts';
import { orderedPageArgs, pageArgs } from './list-args.ts';
import { MarginLevelConnection } from './margin-levels.ts';
import { MarketConnection } from './markets.ts';
import { RewardConnection, rewardFilterArgs } from './rewards.ts';
import { defineStream } from './streams.ts';
import { readTradeFilter, TradeConnection, tradeArgs } from './trades.ts';

/** What one can walk to from a market. */

export const RiskFactor = builder.prismaObject('RiskFactor', {
  description:
    'The risk factors of a market: the margin that a unit of exposure needs, with 16 decimal places.',
  ...costs({ each: COST_OF.object }),
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: { marketId: 'The identifier of the market.' },
      Decimal: {
        short: 'The factor for short positions.',
        long: 'The factor for long positions.',
      },
    }),
    market: t.relation('market', linkTo(markets, 'marketId', 'The market.')),
  }),
});

builder.prismaObjectFields('Market', (t) => ({
  settlementAssetNode: t.relation(
    'settlementAsset',
    linkTo(
      assets,
      'settlementAssetId',
      'The asset that the market settles in; null for a spot, and until the network has announced it.',
    ),
  ),
  baseAssetNode: t.relation(
    'baseAsset',
    linkTo(
      assets,
      'baseAssetId',
      'The asset that a spot market buys and sells; null for other products, and until the network has announced it.',
    ),
  ),
  quoteAssetNode: t.relation(
    'quoteAsset',
    linkTo(
      assets,
      'quoteAssetId',
      'The asset that a spot market pays with; null for other products, and until the network has announced it.',
    ),
  ),
  parentMarket: t.relation(
    'parentMarket',
    linkTo(markets, 'parentMarketId', 'The market that this one succeeds, or would; null if there is none.'),
  ),
  riskFactor: t.relation(
    'riskFactor',
    linkTo(
      riskFactors,
      'id',
      'The risk factors of the market; null until the network has computed them, and for a spot, which has none.',
    ),
  ),
  marketData: t.relation(
    'marketData',
    linkTo(marketData, 'id', 'The latest data of the market; null if there are none.'),
  ),
}));

builder.prismaObjectFields('Market', (t) => ({
  successorMarkets: t.field({
    type: MarketConnection,
    description:
      'A list of the markets that name this one as their parent. Several may be proposed; one at most is enacted.',
    args: orderedPageArgs,
    ...listOf(markets, { field: 'parentMarketId', key: 'id' }),
  }),
  accounts: t.field({
    type: AccountConnection,
    description:
      'A list of the accounts that belong to the market. What orders in a spot market hold is in no market.',
    args: { ...accountFilterArgs, ...orderedPageArgs },
    ...filteredListOf(accounts, readAccountFilter, { field: 'marketId', key: 'id' }),
  }),
  marginLevels: t.field({
    type: MarginLevelConnection,
    description: 'A list of the margin levels of the parties in the market.',
    args: pageArgs,
    ...listOf(marginLevels, { field: 'marketId', key: 'id' }),
  }),
  trades: t.field({
    type: TradeConnection,
    description: 'A list of the trades in the market.',
    args: { ...tradeArgs, ...pageArgs },
    ...filteredListOf(trades, readTradeFilter, { field: 'marketId', key: 'id' }),
  }),
  rewards: t.field({
    type: RewardConnection,
    description: 'A list of the rewards for the market.',
    args: { ...rewardFilterArgs, ...orderedPageArgs },
    ...listOf(rewards, { field: 'marketId', key: 'id' }),
  }),
}));

defineStream(riskFactors, RiskFactor, {
  description:
    'A snapshot of the risk factors of all markets, then each change of them, in order, by whole blocks.',
  args: {},
  filterOf: () => ({}),
});
