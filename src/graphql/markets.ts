import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { marginLevels } from '../data/nouns/margin-levels.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { riskFactors } from '../data/nouns/risk-factors.ts';
import { AccountConnection, accountFilterArgs } from './accounts.ts';
import { builder } from './builder.ts';
import { pageArgs, resolveConnection, resolveScopedConnection } from './connections.ts';
import { COST_OF, costs } from './costs.ts';
import { MarketStateEnum, MarketTradingModeEnum } from './enums.ts';
import { MarginLevelConnection } from './margin-levels.ts';
import { epochArgs, RewardConnection } from './rewards.ts';

const RiskFactor = builder.prismaObject('RiskFactor', {
  description: "The margin that a unit of exposure needs, from the market's risk model; 16 decimals.",
  ...costs({ each: COST_OF.object }),
  fields: (t) => ({
    short: t.expose('short', { type: 'Decimal', description: 'The factor for short positions.' }),
    long: t.expose('long', { type: 'Decimal', description: 'The factor for long positions.' }),
  }),
});

const Market = builder.prismaNode('Market', {
  nullable: true,
  id: { field: 'id' },
  description: 'A market in which a future is traded.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the market.' }),
    instrumentId: t.exposeString('instrumentId', {
      description: 'The identifier of the instrument; may be empty.',
    }),
    instrumentCode: t.exposeString('instrumentCode', { description: 'The short name of the instrument.' }),
    instrumentName: t.exposeString('instrumentName', { description: 'The full name of the instrument.' }),
    tags: t.exposeStringList('tags', { description: 'Free words about the instrument.' }),
    settlementAsset: t.exposeID('settlementAssetId', {
      description: 'The identifier of the asset that the market settles in.',
    }),
    quoteName: t.exposeString('quoteName', { description: 'What prices are quoted in, as in `USD`.' }),
    decimalPlaces: t.exposeInt('decimalPlaces', { description: 'How many decimal places prices have.' }),
    positionDecimalPlaces: t.exposeInt('positionDecimalPlaces', {
      description: 'How many decimal places volumes have; negative where the unit is more than one.',
    }),
    makerFee: t.expose('makerFee', {
      type: 'Decimal',
      description: 'The share of a trade that its maker gets.',
    }),
    infrastructureFee: t.expose('infrastructureFee', {
      type: 'Decimal',
      description: 'The share of a trade that the validators get.',
    }),
    liquidityFee: t.expose('liquidityFee', {
      type: 'Decimal',
      description: 'The share of a trade that the liquidity providers get.',
    }),
    searchLevel: t.expose('searchLevel', {
      type: 'Decimal',
      description: 'How many times the maintenance margin the search level is.',
    }),
    initialMargin: t.expose('initialMargin', {
      type: 'Decimal',
      description: 'How many times the maintenance margin the initial margin is.',
    }),
    collateralRelease: t.expose('collateralRelease', {
      type: 'Decimal',
      description: 'How many times the maintenance margin the collateral release level is.',
    }),
    linearSlippageFactor: t.expose('linearSlippageFactor', {
      type: 'Decimal',
      nullable: true,
      description:
        'The slippage that margins assume for each unit of position, as a share of the mark price; null where the network has not told it.',
    }),
    quadraticSlippageFactor: t.expose('quadraticSlippageFactor', {
      type: 'Decimal',
      nullable: true,
      description:
        'The slippage that margins assume for the square of the position, as a share of the mark price; null where the network has not told it.',
    }),
    lpPriceRange: t.expose('lpPriceRange', {
      type: 'Decimal',
      description: 'How far from the mid price, as a share of it, liquidity may be provided.',
    }),
    state: t.expose('state', { type: MarketStateEnum, description: 'Where the market is in its life.' }),
    tradingMode: t.expose('tradingMode', {
      type: MarketTradingModeEnum,
      description: 'How orders are matched.',
    }),
    proposedTimestamp: t.expose('proposedTimestamp', {
      type: 'Timestamp',
      description: 'When the market was proposed.',
    }),
    pendingTimestamp: t.expose('pendingTimestamp', {
      type: 'Timestamp',
      description: 'When the opening auction began; `"0"` before.',
    }),
    openTimestamp: t.expose('openTimestamp', {
      type: 'Timestamp',
      description: 'When trading began; `"0"` before.',
    }),
    closeTimestamp: t.expose('closeTimestamp', {
      type: 'Timestamp',
      description: 'When the market closed; `"0"` before.',
    }),
    settlementAssetNode: t.relation('settlementAsset', {
      nullable: true,
      description: 'The asset that the market settles in; null while the network has not announced it.',
      resolve: (query, { settlementAssetId }, _, { links }) => links.load(assets, query, settlementAssetId),
    }),
    riskFactor: t.relation('riskFactor', {
      type: RiskFactor,
      nullable: true,
      description: 'The risk factors; null until the network has computed them.',
      resolve: (query, { id }, _, { links }) => links.load(riskFactors, query, id),
    }),
    marketData: t.relation('marketData', {
      nullable: true,
      description: 'The latest market data; null until there are any.',
      resolve: (query, { id }, _, { links }) => links.load(marketData, query, id),
    }),
    accounts: t.field({
      type: AccountConnection,
      description: 'The accounts that belong to the market.',
      args: { ...accountFilterArgs, ...pageArgs },
      resolve: ({ id }, args, context) =>
        resolveScopedConnection(context, accounts, { field: 'marketId', key: id }, args.filter ?? {}, args),
    }),
    marginLevels: t.field({
      type: MarginLevelConnection,
      description: 'The margin levels of the parties in the market.',
      args: pageArgs,
      resolve: ({ id }, args, context) =>
        resolveScopedConnection(context, marginLevels, { field: 'marketId', key: id }, {}, args),
    }),
    rewards: t.field({
      type: RewardConnection,
      description: 'The rewards for the market.',
      args: { ...epochArgs, ...pageArgs },
      resolve: ({ id }, { fromEpoch, toEpoch, ...args }, context) =>
        resolveScopedConnection(
          context,
          rewards,
          { field: 'marketId', key: id },
          { fromEpoch, toEpoch },
          args,
        ),
    }),
  }),
});

export const MarketConnection = builder.connectionObject(
  { type: Market, name: 'MarketConnection', description: 'A page of markets.' },
  { name: 'MarketEdge', description: 'A market in its list.' },
);

builder.queryFields((t) => ({
  market: t.prismaField({
    type: Market,
    nullable: true,
    description: 'The market with an identifier; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    resolve: (query, _, { id }, { links }) => links.load(markets, query, id),
  }),
  markets: t.field({
    type: MarketConnection,
    description: 'All markets, or those that pass the filter.',
    args: {
      settlementAssetId: t.arg.id({ description: 'Only markets that settle in this asset.' }),
      states: t.arg({ type: [MarketStateEnum], description: 'Only markets in one of these states.' }),
      ...pageArgs,
    },
    resolve: (_, args, context) => resolveConnection(context, markets, args, args),
  }),
}));
