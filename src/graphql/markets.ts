import { accounts } from '../data/nouns/accounts.ts';
import { assets } from '../data/nouns/assets.ts';
import { marginLevels } from '../data/nouns/margin-levels.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { riskFactors } from '../data/nouns/risk-factors.ts';
import { AccountConnection, accountFilterArgs, readAccountFilter } from './accounts.ts';
import { builder } from './builder.ts';
import { filteredListOf, listOf, pageArgs } from './connections.ts';
import { COST_OF, costs } from './costs.ts';
import { linkTo, rowBy } from './links.ts';
import { MarginLevelConnection } from './margin-levels.ts';
import { epochArgs, RewardConnection } from './rewards.ts';

const RiskFactor = builder.prismaObject('RiskFactor', {
  description:
    'The risk factors of a market: the margin that a unit of exposure needs, with 16 decimal places.',
  ...costs({ each: COST_OF.object }),
  fields: (t) => ({
    short: t.expose('short', { type: 'Decimal', description: 'The factor for short positions.' }),
    long: t.expose('long', { type: 'Decimal', description: 'The factor for long positions.' }),
  }),
});

const Market = builder.prismaNode('Market', {
  nullable: true,
  id: { field: 'id' },
  description: 'A market for a future.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the market.' }),
    instrumentId: t.exposeString('instrumentId', {
      description: 'The identifier of the instrument. May be empty.',
    }),
    instrumentCode: t.exposeString('instrumentCode', { description: 'The code of the instrument.' }),
    instrumentName: t.exposeString('instrumentName', { description: 'The name of the instrument.' }),
    tags: t.exposeStringList('tags', { description: 'A list of the tags of the instrument.' }),
    settlementAsset: t.exposeID('settlementAssetId', {
      description: 'The identifier of the asset that the market settles in.',
    }),
    quoteName: t.exposeString('quoteName', {
      description: 'The name of the unit in which prices are quoted, such as `USD`.',
    }),
    decimalPlaces: t.exposeInt('decimalPlaces', { description: 'The number of decimal places of prices.' }),
    positionDecimalPlaces: t.exposeInt('positionDecimalPlaces', {
      description: 'The number of decimal places of volumes; negative if the unit is larger than one.',
    }),
    makerFee: t.expose('makerFee', {
      type: 'Decimal',
      description: 'The share of the value of a trade that goes to its maker.',
    }),
    infrastructureFee: t.expose('infrastructureFee', {
      type: 'Decimal',
      description: 'The share of the value of a trade that goes to the validators.',
    }),
    liquidityFee: t.expose('liquidityFee', {
      type: 'Decimal',
      description: 'The share of the value of a trade that goes to the liquidity providers.',
    }),
    searchLevel: t.expose('searchLevel', {
      type: 'Decimal',
      description: 'The search level, as a multiple of the maintenance margin.',
    }),
    initialMargin: t.expose('initialMargin', {
      type: 'Decimal',
      description: 'The initial margin, as a multiple of the maintenance margin.',
    }),
    collateralRelease: t.expose('collateralRelease', {
      type: 'Decimal',
      description: 'The collateral release level, as a multiple of the maintenance margin.',
    }),
    linearSlippageFactor: t.expose('linearSlippageFactor', {
      type: 'Decimal',
      nullable: true,
      description:
        'The slippage that margins assume for each unit of the position, as a share of the mark price; null if the network gave none.',
    }),
    quadraticSlippageFactor: t.expose('quadraticSlippageFactor', {
      type: 'Decimal',
      nullable: true,
      description:
        'The slippage that margins assume for the square of the position, as a share of the mark price; null if the network gave none.',
    }),
    lpPriceRange: t.expose('lpPriceRange', {
      type: 'Decimal',
      description:
        'The largest distance from the mid price at which liquidity can be provided, as a share of that price.',
    }),
    state: t.expose('state', { type: 'MarketState', description: 'The state of the market.' }),
    tradingMode: t.expose('tradingMode', {
      type: 'MarketTradingMode',
      description: 'The trading mode of the market.',
    }),
    proposedTimestamp: t.expose('proposedTimestamp', {
      type: 'Timestamp',
      description: 'The time at which the market was proposed.',
    }),
    pendingTimestamp: t.expose('pendingTimestamp', {
      type: 'Timestamp',
      description: 'The time at which the opening auction began; `"0"` until then.',
    }),
    openTimestamp: t.expose('openTimestamp', {
      type: 'Timestamp',
      description: 'The time at which trading began; `"0"` until then.',
    }),
    closeTimestamp: t.expose('closeTimestamp', {
      type: 'Timestamp',
      description: 'The time at which the market closed; `"0"` until then.',
    }),
    settlementAssetNode: t.prismaField({
      type: 'Asset',
      nullable: true,
      description: 'The asset that the market settles in; null until the network has announced it.',
      ...linkTo(assets, 'settlementAssetId'),
    }),
    riskFactor: t.prismaField({
      type: RiskFactor,
      nullable: true,
      description: 'The risk factors of the market; null until the network has computed them.',
      ...linkTo(riskFactors, 'id'),
    }),
    marketData: t.prismaField({
      type: 'MarketData',
      nullable: true,
      description: 'The latest data of the market; null if there are none.',
      ...linkTo(marketData, 'id'),
    }),
    accounts: t.field({
      type: AccountConnection,
      description: 'A list of the accounts that belong to the market.',
      args: { ...accountFilterArgs, ...pageArgs },
      ...filteredListOf(accounts, readAccountFilter, { field: 'marketId', key: 'id' }),
    }),
    marginLevels: t.field({
      type: MarginLevelConnection,
      description: 'A list of the margin levels of the parties in the market.',
      args: pageArgs,
      ...listOf(marginLevels, { field: 'marketId', key: 'id' }),
    }),
    rewards: t.field({
      type: RewardConnection,
      description: 'A list of the rewards for the market.',
      args: { ...epochArgs, ...pageArgs },
      ...listOf(rewards, { field: 'marketId', key: 'id' }),
    }),
  }),
});

export const MarketConnection = builder.connectionObject(
  { type: Market, name: 'MarketConnection', description: 'A page of markets.' },
  { name: 'MarketEdge', description: 'A market in a page.' },
);

builder.queryFields((t) => ({
  market: t.prismaField({
    type: Market,
    nullable: true,
    description: 'The market with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    ...rowBy(markets, 'id'),
  }),
  markets: t.field({
    type: MarketConnection,
    description: 'A list of markets.',
    args: {
      settlementAssetId: t.arg.id({ description: 'Only markets that settle in this asset.' }),
      states: t.arg({ type: ['MarketState'], description: 'Only markets in one of these states.' }),
      ...pageArgs,
    },
    ...listOf(markets),
  }),
}));
