import { nameListAt, readSumCursor, writeSumCursor } from '../domain/cursors.ts';
import { includeDerivedParties } from './derived-parties.ts';
import { graphql } from './graphql.ts';
import { pageAnswer } from './mapped-answers.ts';
import { pageOf, pagination } from './pagination.ts';
import { list, optional } from './params.ts';
import { route, wholeListRoute } from './route.ts';
import { has, object, scalar, text } from './shape.ts';
import { id, uint64 } from './value-types.ts';

/** The most groups that GraphQL gives at once. */
const PAGE_SIZE = 1000;

interface EpochSum {
  readonly key: {
    readonly epoch: string | null;
    readonly marketId: string | null;
    readonly assetId: string | null;
    readonly type: string | null;
  };
  readonly amount: string;
}

const EpochSumShape = object<EpochSum>(
  'EpochRewardSummary',
  'What the rewards of one type, in one asset, for one market and epoch come to.',
  {
    epoch: has('The epoch that the rewards are for.', scalar('Uint64'), ({ key }) => key.epoch ?? ''),
    marketId: has('The market that they are for; empty for none.', text, ({ key }) => key.marketId ?? ''),
    assetId: has('The asset paid out.', text, ({ key }) => key.assetId ?? ''),
    rewardType: has('The type of the rewards.', text, ({ key }) => key.type ?? ''),
    amount: has(
      "What they come to, in the asset's smallest unit.",
      scalar('Integer'),
      ({ amount }) => amount,
    ),
  },
);

const SumShape = object<object>('RewardSummary', 'What the rewards of a party in an asset come to.', {
  assetId: has('The asset paid out.', text, () => ''),
  partyId: has('The party that was rewarded.', text, () => ''),
  amount: has("What they come to, in the asset's smallest unit.", scalar('Integer'), () => ''),
});

const epochSums = pageAnswer('summaries', 'EpochRewardSummary', EpochSumShape);

/** Whether a text is a cursor of sums that have the keys of this path. */
function isCursor(given: string): boolean {
  return readSumCursor('rewards.sums', given)?.by.join() === 'EPOCH,MARKET,ASSET,TYPE';
}

export const rewardSumRoutes = [
  wholeListRoute({
    path: '/api/v2/rewards/summaries',
    summary: 'What the rewards of each party in each asset come to; by asset and party',
    parameters: {
      partyId: optional(id, 'Only rewards of this party.'),
      assetId: optional(id, 'Only rewards paid in this asset.'),
      includeDerivedParties,
    },
    operation: graphql(`
      query ListRewardSummaries($partyId: ID, $assetId: ID, $first: Int, $after: String) {
        rewards(partyId: $partyId, assetId: $assetId) {
          sums(by: [ASSET, PARTY], first: $first, after: $after, orderBy: KEY) {
            key { assetId partyId } amount cursor hasNextPage
          }
        }
      }
    `),
    variables: ({ partyId, assetId }, after) => ({ partyId, assetId, first: PAGE_SIZE, after }),
    field: 'summaries',
    schema: SumShape.schema,
    page: ({ rewards: { sums } }) => ({
      rows: sums.map(({ key, amount }) => ({ ...key, amount })),
      next: sums.at(-1)?.hasNextPage ? (sums.at(-1)?.cursor ?? null) : null,
    }),
  }),
  route({
    path: '/api/v2/rewards/epoch/summaries',
    summary: 'What the rewards of each epoch come to, by market, asset and type',
    parameters: {
      'filter.assetIds': list(id, 'Only rewards paid in one of these assets.'),
      'filter.marketIds': list(id, 'Only rewards for one of these markets.'),
      'filter.fromEpoch': optional(uint64, 'Only rewards for this epoch and later ones.'),
      'filter.toEpoch': optional(uint64, 'Only rewards for this epoch and earlier ones.'),
      ...pagination('rewards.sums', PAGE_SIZE, isCursor),
    },
    operation: graphql(`
      query ListEpochRewardSummaries(
        $assetIds: [ID!], $marketIds: [ID!], $fromEpoch: Uint64, $toEpoch: Uint64
        $first: Int, $after: String, $orderBy: SumOrder
        $isBehind: Boolean!, $upTo: String, $backwards: SumOrder
      ) {
        rewards(assetIds: $assetIds, marketIds: $marketIds, fromEpoch: $fromEpoch, toEpoch: $toEpoch) {
          sums(by: [EPOCH, MARKET, ASSET, TYPE], first: $first, after: $after, orderBy: $orderBy) {
            key { epoch marketId assetId type } amount cursor hasNextPage
          }
          behind: sums(by: [EPOCH, MARKET, ASSET, TYPE], first: 1, after: $upTo, orderBy: $backwards) @include(if: $isBehind) { count }
        }
      }
    `),
    variables: (given) => {
      const { size, cursor, isFalling } = walkOf(pageOf(given));
      return {
        assetIds: given['filter.assetIds'],
        marketIds: given['filter.marketIds'],
        fromEpoch: given['filter.fromEpoch'],
        toEpoch: given['filter.toEpoch'],
        first: size,
        after: cursor,
        orderBy: orderOf(isFalling),
        isBehind: cursor !== undefined,
        upTo: cursor && cursorBeyond(cursor, isFalling),
        backwards: orderOf(!isFalling),
      };
    },
    schema: epochSums.schema,
    body({ rewards: { sums, behind } }, given) {
      const { isBackward } = walkOf(pageOf(given));
      const edges = sums.map((node) => ({ node, cursor: node.cursor }));
      if (isBackward) edges.reverse();
      const [goesOn, isBehind] = [sums.at(-1)?.hasNextPage ?? false, (behind ?? []).length > 0];
      const pageInfo = {
        hasNextPage: isBackward ? isBehind : goesOn,
        hasPreviousPage: isBackward ? goesOn : isBehind,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      };
      return epochSums.body({ summaries: { edges, pageInfo } }, given);
    },
  }),
];

/** A page from the end is walked from there. */
function walkOf(page: ReturnType<typeof pageOf>) {
  const isBackward = 'last' in page;
  const size = isBackward ? page.last : page.first;
  const cursor = isBackward ? page.before : page.after;
  return { isBackward, size, cursor, isFalling: page.newestFirst !== isBackward };
}

function orderOf(isFalling: boolean): 'KEY' | 'KEY_DESC' {
  return isFalling ? 'KEY_DESC' : 'KEY';
}

/**
 * The cursor next to another on the way of a walk: back from there, the group of the other comes first, if it is among those that
 * are asked for. Texts in keys are in the order of their bytes.
 */
function cursorBeyond(text: string, isFalling: boolean): string {
  const cursor = readSumCursor('rewards.sums', text);
  if (cursor === null) return text;
  const list = nameListAt('rewards.sums', cursor.asOf);
  const next = isFalling ? keyBefore(cursor.key) : keyBehind(cursor.key);
  return writeSumCursor({ ...cursor, list, key: next });
}

function keyBehind(key: readonly string[]): readonly string[] {
  return [...key.slice(0, -1), `${key.at(-1)}${FIRST}`];
}

/** Of a key that begins with an epoch, which has another before it as well. Before the empty text there is no other. */
function keyBefore(key: readonly string[]): readonly string[] {
  const [start, last = ''] = [key.slice(0, -1), key.at(-1)];
  if (start.length === 0) return [/^\d+$/.test(last) ? `${BigInt(last) - 1n}` : last];
  return last === '' ? [...keyBefore(start), LAST] : [...start, textBefore(last)];
}

function textBefore(text: string): string {
  const characters = [...text];
  const point = characters.pop()?.codePointAt(0) ?? 0;
  const start = characters.join('');
  if (point <= 1) return start;
  // Between these two there are none that a text may have.
  return `${start}${String.fromCodePoint(point === 0xe000 ? 0xd7ff : point - 1)}${LAST}`;
}

/** The characters before and behind all others that a text may have. */
const [FIRST, LAST] = ['\u0001', '\u{10FFFF}'];
