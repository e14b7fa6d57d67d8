import { accountTypes } from '../domain/enumerations.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { candleStream } from './candle-stream.ts';
import { changesStream } from './changes.ts';
import { includeDerivedParties } from './derived-parties.ts';
import { graphql } from './graphql.ts';
import { optional } from './params.ts';
import { type StreamRoute, streamRoute } from './stream-route.ts';
import { tradesStream } from './trades.ts';
import { enumOf, id } from './value-types.ts';

/** Every documented stream, and those beyond: of trades and candles, and of several kinds of things. */
export const streamRoutes: readonly StreamRoute[] = [
  streamRoute({
    path: '/api/v2/stream/accounts',
    summary: 'Accounts as they are, and then every change of a balance',
    parameters: {
      marketId: optional(id, 'Only accounts that belong to this market.'),
      partyId: optional(id, 'Only accounts that this party owns.'),
      asset: optional(id, 'Only accounts that hold this asset.'),
      assetId: optional(id, 'The same as asset.'),
      type: optional(
        enumOf(accountTypes),
        'Only accounts of this type; ACCOUNT_TYPE_UNSPECIFIED is all of them.',
      ),
      includeDerivedParties,
    },
    operation: graphql(`
      subscription ObserveAccounts($filter: AccountFilter, $after: String, $progress: Boolean) {
        accounts(filter: $filter, after: $after, progress: $progress) {
          snapshot { accounts { owner balance asset marketId type } lastPage }
          updates { accounts { owner balance asset marketId type } }
          block { height timestamp }
          cursor
        }
      }
    `),
    variables: ({ marketId, partyId, asset, assetId, type }) => ({
      filter: {
        assetId: sameAsset(asset, assetId),
        partyIds: listOf(partyId),
        marketIds: listOf(marketId),
        accountTypes: listOf(type === 'ACCOUNT_TYPE_UNSPECIFIED' ? undefined : type),
      },
    }),
    message: ({ accounts }) => accounts,
  }),
  tradesStream,
  candleStream,
  changesStream,
];

function sameAsset(asset: string | undefined, assetId: string | undefined): string | undefined {
  if (asset === undefined || assetId === undefined || asset === assetId) return asset ?? assetId;
  throw invalidArgument(
    'assetId',
    `Parameter assetId is ${quoted(assetId)} and asset is ${quoted(asset)}; they mean the same, so give one.`,
  );
}

function listOf<T>(value: T | undefined): readonly T[] | undefined {
  return value === undefined ? undefined : [value];
}
