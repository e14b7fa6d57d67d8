import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { rewards } from '../data/nouns/rewards.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { defineConnection, listOf } from './connections.ts';
import { amountRange, joinFilter } from './filters.ts';
import { defineKeptFrom } from './kept-rows.ts';
import { linkTo, partyNamedBy } from './links.ts';
import { orderedPageArgs } from './list-args.ts';
import { defineLiveSums } from './live-sums.ts';
import { defineStream } from './streams.ts';
import { defineSums } from './sums.ts';

export const Reward = builder.prismaNode('Reward', {
  nullable: true,
  id: { field: 'createdPosition' },
  findUnique: (id) => ({ createdPosition: BigInt(id) }),
  description: 'A reward that a party was paid at the end of an epoch.',
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: {
        assetId: 'The identifier of the asset paid out.',
        partyId: 'The identifier of the party that was rewarded.',
        marketId:
          'The identifier of the market that the reward is for; empty if it is for none. From release 0.74 on the network tells it of no reward.',
      },
      Uint64: { epoch: 'The epoch that the reward is for.' },
      Integer: { amount: "The amount paid out, in the asset's smallest unit." },
      String: {
        percentageOfTotal:
          'The share of the whole payout, in percent from 0 to 100. Small shares have an exponent.',
        rewardType: 'The type of the reward: the name of the type of the account that paid it.',
      },
      Timestamp: { receivedAt: 'The time at which the reward was paid out.' },
      'Uint64 | null': {
        lockedUntilEpoch:
          'The epoch until which the reward is locked: it begins to vest then. Null before release 0.73.',
      },
      'Decimal | null': {
        quantumAmount: 'The amount in quanta of the asset, to six decimals; null before release 0.74.',
      },
      'ID | null': {
        gameId: 'The identifier of the game that the reward was won in; null if it was won in none.',
      },
    }),
    party: t.relation('party', partyNamedBy('partyId', 'The party that was rewarded.')),
    asset: t.relation(
      'asset',
      linkTo(assets, 'assetId', 'The asset paid out; null until the network has announced it.'),
    ),
    market: t.relation(
      'market',
      linkTo(markets, 'marketId', 'The market that the reward is for; null if it is for none.'),
    ),
  }),
});

export const RewardConnection = defineConnection(rewards, Reward, 'A reward');

defineKeptFrom(rewards, RewardConnection);
export const rewardSums = defineSums(rewards, RewardConnection, 'Reward');

const [FROM, TO] = [
  'Only rewards for this epoch and later ones.',
  'Only rewards for this epoch and earlier ones.',
];

const RewardFilter = builder.inputType('RewardFilter', {
  description: 'The conditions that a reward must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    partyIds: t.idList({ description: 'Only rewards of one of these parties.' }),
    assetIds: t.idList({ description: 'Only rewards paid in one of these assets.' }),
    marketIds: t.idList({
      description:
        'Only rewards for one of these markets. An empty text asks for rewards that belong to no market.',
    }),
    types: t.stringList({
      description:
        'Only rewards of one of these types: names of types of accounts, as `rewardType` has them.',
    }),
    gameIds: t.idList({ description: 'Only rewards that were won in one of these games.' }),
    fromEpoch: t.field({ type: 'Uint64', description: FROM }),
    toEpoch: t.field({ type: 'Uint64', description: TO }),
    ...amountRange(t, 'rewards'),
  }),
});

export const rewardFilterArgs = builder.args((t) => ({
  filter: t.field({
    type: RewardFilter,
    description: 'The conditions that the rewards must meet, beside those of other arguments.',
  }),
  fromEpoch: t.field({ type: 'Uint64', description: FROM }),
  toEpoch: t.field({ type: 'Uint64', description: TO }),
}));

defineLiveSums(rewards, 'rewardSums', rewardSums, {
  args: rewardFilterArgs,
  filterOf: (args) => joinFilter(rewards, args),
});

defineStream(rewards, Reward, {
  description: 'A snapshot of the rewards, then each new reward, in order, by whole blocks.',
  args: builder.args((t) => ({
    partyId: t.id({ description: 'Only rewards of this party.' }),
  })),
  filterOf: (filter) => filter,
});

defineQueries((t) => ({
  rewards: t.field({
    type: RewardConnection,
    description: 'A list of rewards.',
    args: {
      partyId: t.arg.id({ description: 'Only rewards of this party.' }),
      assetId: t.arg.id({ description: 'Only rewards paid in this asset.' }),
      marketId: t.arg.id({
        description: 'Only rewards for this market. An empty text asks for rewards that belong to no market.',
      }),
      assetIds: t.arg.idList({
        description: 'Only rewards paid in one of these assets. An empty list is no condition.',
      }),
      marketIds: t.arg.idList({
        description: 'Only rewards for one of these markets. An empty list is no condition.',
      }),
      gameId: t.arg.id({ description: 'Only rewards that were won in this game.' }),
      ...rewardFilterArgs,
      ...orderedPageArgs,
    },
    ...listOf(rewards),
  }),
}));
