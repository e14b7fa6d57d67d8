import type { ResultOf } from 'gql.tada';
import { accountTypes } from '../domain/enumerations.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { graphql } from './graphql.ts';
import { optional, parameterReader } from './params.ts';
import { bool, enumOf, id, text } from './value-types.ts';

/** What one request for a stream asks. */
export interface StreamQuestion {
  /** The variables that it gives to the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether each message is to name its block and its cursor beside the documented `result`. */
  readonly withCursors: boolean;
}

/** A message in the documented shape, and where the stream stands after it. */
export interface StreamMessage {
  readonly result: unknown;
  readonly block: { readonly height: string; readonly timestamp: string };
  readonly cursor: string;
}

const operation = graphql(`
  subscription ObserveAccounts($filter: AccountFilter, $after: String) {
    accounts(filter: $filter, after: $after) {
      snapshot { accounts { owner balance asset marketId type } lastPage }
      updates { accounts { owner balance asset marketId type } }
      block { height timestamp }
      cursor
    }
  }
`);

const parameters = {
  marketId: optional(id, 'Only accounts that belong to this market.'),
  partyId: optional(id, 'Only accounts that this party owns.'),
  asset: optional(id, 'Only accounts that hold this asset.'),
  assetId: optional(id, 'The same as asset.'),
  type: optional(
    enumOf(accountTypes),
    'Only accounts of this type; ACCOUNT_TYPE_UNSPECIFIED is all of them.',
  ),
  after: optional(text, 'The cursor of the last message received: the stream goes on after it.'),
  cursors: optional(bool, 'Whether each message names its block and its cursor, beside result.'),
};

const readParameters = parameterReader(parameters);

/** The documented stream: one GraphQL subscription, its messages in the documented shape. */
export const accountStream = {
  method: 'GET',
  path: '/api/v2/stream/accounts',
  summary: 'Accounts as they are, and then every change of a balance',
  parameters,
  operation,
  /** Reads a request; a browser that comes back names the cursor in a header. Throws INVALID_ARGUMENT. */
  read(rawQuery: string, lastEventId?: string): StreamQuestion {
    const given = readParameters({}, rawQuery);
    if (given.asset !== undefined && given.assetId !== undefined && given.asset !== given.assetId) {
      throw invalidArgument(
        'assetId',
        `Parameter assetId is ${quoted(given.assetId)} and asset is ${quoted(given.asset)}; they mean the same, so give one.`,
      );
    }
    const filter = {
      assetId: given.asset ?? given.assetId,
      partyIds: listOf(given.partyId),
      marketIds: listOf(given.marketId),
      accountTypes: listOf(given.type === 'ACCOUNT_TYPE_UNSPECIFIED' ? undefined : given.type),
    };
    const after = lastEventId || given.after;
    return {
      variables: { filter, ...(after === undefined ? {} : { after }) },
      withCursors: given.cursors ?? false,
    };
  },
  /** The documented message of what the operation gave. */
  toMessage(data: unknown): StreamMessage {
    const { snapshot, updates, block, cursor } = (data as ResultOf<typeof operation>).accounts;
    return { result: snapshot === null ? { updates } : { snapshot }, block, cursor };
  },
} as const;

function listOf<T>(value: T | undefined): readonly T[] | undefined {
  return value === undefined ? undefined : [value];
}
