import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { listOf, pageArgs } from './connections.ts';
import { linkTo, partyNamedBy } from './links.ts';
import { afterArgs, defineMessages } from './streams.ts';

const Reward = builder.prismaNode('Reward', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'A reward that a party was paid at the end of an epoch.',
  fields: (t) => ({
    assetId: t.exposeID('assetId', { description: 'The identifier of the asset paid out.' }),
    partyId: t.exposeID('partyId', { description: 'The identifier of the party that was rewarded.' }),
    epoch: t.expose('epoch', {
      type: 'Uint64',
      description: 'The epoch that the reward is for.',
    }),
    amount: t.expose('amount', {
      type: 'Integer',
      description: "The amount paid out, in the asset's smallest unit.",
    }),
    percentageOfTotal: t.exposeString('percentageOfTotal', {
      description: 'The share of the whole payout, in percent from 0 to 100. Small shares have an exponent.',
    }),
    receivedAt: t.expose('receivedAt', {
      type: 'Timestamp',
      description: 'The time at which the reward was paid out.',
    }),
    marketId: t.exposeID('marketId', {
      description:
        'The identifier of the market that the reward is for; empty if it is for none. From release 0.74 on the network tells it of no reward.',
    }),
    rewardType: t.exposeString('rewardType', {
      description: 'The type of the reward: the name of the type of the account that paid it.',
    }),
    lockedUntilEpoch: t.expose('lockedUntilEpoch', {
      type: 'Uint64',
      nullable: true,
      description:
        'The epoch until which the reward is locked: it begins to vest then. Null before release 0.73.',
    }),
    quantumAmount: t.expose('quantumAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The amount in quanta of the asset, to six decimals; null before release 0.74.',
    }),
    gameId: t.exposeID('gameId', {
      nullable: true,
      description: 'The identifier of the game that the reward was won in; null if it was won in none.',
    }),
    party: t.relation('party', {
      description: 'The party that was rewarded.',
      ...partyNamedBy('partyId'),
    }),
    asset: t.relation('asset', {
      description: 'The asset paid out; null until the network has announced it.',
      ...linkTo(assets, 'assetId'),
    }),
    market: t.relation('market', {
      description: 'The market that the reward is for; null if it is for none.',
      ...linkTo(markets, 'marketId'),
    }),
  }),
});

export const RewardConnection = builder.connectionObject(
  { type: Reward, name: 'RewardConnection', description: 'A page of rewards.' },
  { name: 'RewardEdge', description: 'A reward in a page.' },
);

export const epochArgs = builder.args((t) => ({
  fromEpoch: t.field({ type: 'Uint64', description: 'Only rewards for this epoch and later ones.' }),
  toEpoch: t.field({ type: 'Uint64', description: 'Only rewards for this epoch and earlier ones.' }),
}));

const RewardsMessage = defineMessages({
  type: Reward,
  noun: rewards,
});

builder.subscriptionField('rewards', (t) =>
  t.field({
    type: RewardsMessage,
    description: 'A snapshot of the rewards, then each new reward, in order, by whole blocks.',
    args: {
      partyId: t.arg.id({ description: 'Only rewards of this party.' }),
      ...afterArgs,
    },
    subscribe: (_, { after, ...filter }, { feed }) => feed.open(topicOf(rewards), filter, after ?? null),
    resolve: (event) => event,
  }),
);

builder.queryFields((t) => ({
  rewards: t.field({
    type: RewardConnection,
    description: 'A list of rewards.',
    args: {
      partyId: t.arg.id({ description: 'Only rewards of this party.' }),
      assetId: t.arg.id({ description: 'Only rewards paid in this asset.' }),
      marketId: t.arg.id({ description: 'Only rewards for this market; empty for those that are for none.' }),
      gameId: t.arg.id({ description: 'Only rewards that were won in this game.' }),
      ...epochArgs,
      ...pageArgs,
    },
    ...listOf(rewards),
  }),
}));
