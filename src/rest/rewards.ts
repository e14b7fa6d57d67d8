import { includeDerivedParties } from './derived-parties.ts';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { pageOf, pagination } from './pagination.ts';
import { optional } from './params.ts';
import { route } from './route.ts';
import { id, notTaken, uint64 } from './value-types.ts';

export const RewardFields = graphql(`
  fragment RewardFields on Reward {
    assetId partyId epoch amount percentageOfTotal receivedAt marketId rewardType
    lockedUntilEpoch quantumAmount gameId
  }
`);

/** Of what newer releases added. */
export const ABSENT_IN_REWARDS = ['lockedUntilEpoch', 'quantumAmount', 'gameId'];

export const rewardRoutes = [
  route({
    path: '/api/v2/rewards',
    summary: 'A list of rewards',
    parameters: {
      partyId: optional(id, 'Only rewards of this party.'),
      assetId: optional(id, 'Only rewards paid in this asset.'),
      fromEpoch: optional(uint64, 'Only rewards for this epoch and later ones.'),
      toEpoch: optional(uint64, 'Only rewards for this epoch and earlier ones.'),
      marketId: optional(id, 'Only rewards for this market.'),
      gameId: optional(id, 'Only rewards that were won in this game.'),
      teamId: optional(
        notTaken("the network's events do not say in which team a reward was won"),
        'Only rewards that were won in this team.',
      ),
      includeDerivedParties,
      ...pagination('rewards'),
    },
    operation: graphql(
      `query ListRewards(
        $partyId: ID, $assetId: ID, $fromEpoch: Uint64, $toEpoch: Uint64, $marketId: ID, $gameId: ID
        ${PAGE_VARIABLES}
      ) {
        rewards(
          partyId: $partyId, assetId: $assetId, fromEpoch: $fromEpoch, toEpoch: $toEpoch
          marketId: $marketId, gameId: $gameId, ${PAGE_ARGUMENTS}
        ) {
          edges { node { ...RewardFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [RewardFields, PageInfoFields],
    ),
    absentWhenNull: ABSENT_IN_REWARDS,
    variables: ({ partyId, assetId, fromEpoch, toEpoch, marketId, gameId, ...given }) => ({
      partyId,
      assetId,
      fromEpoch,
      toEpoch,
      marketId,
      gameId,
      ...pageOf(given),
    }),
    passes: 'data',
  }),
];
