import { PageInfoFields } from './fragments.ts';
import { graphql } from './graphql.ts';
import { pageOf, pagination, toPage } from './pagination.ts';
import { optional } from './params.ts';
import { route } from './route.ts';
import { id, uint64 } from './value-types.ts';

export const rewardRoutes = [
  route({
    path: '/api/v2/rewards',
    summary: 'A list of rewards',
    parameters: {
      partyId: optional(id, 'Only rewards of this party.'),
      assetId: optional(id, 'Only rewards paid in this asset.'),
      fromEpoch: optional(uint64, 'Only rewards for this epoch and later ones.'),
      toEpoch: optional(uint64, 'Only rewards for this epoch and earlier ones.'),
      ...pagination('rewards'),
    },
    operation: graphql(
      `query ListRewards(
        $partyId: ID, $assetId: ID, $fromEpoch: Uint64, $toEpoch: Uint64
        $first: Int, $after: String, $last: Int, $before: String, $newestFirst: Boolean
      ) {
        rewards(
          partyId: $partyId, assetId: $assetId, fromEpoch: $fromEpoch, toEpoch: $toEpoch
          first: $first, after: $after, last: $last, before: $before, newestFirst: $newestFirst
        ) {
          edges {
            node { assetId partyId epoch amount percentageOfTotal receivedAt marketId rewardType }
            cursor
          }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [PageInfoFields],
    ),
    variables: ({ partyId, assetId, fromEpoch, toEpoch, ...given }) => ({
      partyId,
      assetId,
      fromEpoch,
      toEpoch,
      ...pageOf(given),
    }),
    bodyIs: 'the data',
    body: ({ rewards }) => ({ rewards: toPage(rewards) }),
  }),
];
