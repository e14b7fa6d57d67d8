import type { ResultOf, VariablesOf } from 'gql.tada';
import { AccountFields } from './accounts.ts';
import { AssetFields, AssetShape } from './assets.ts';
import {
  MarginLevelFields,
  NamedPartyFields,
  NamedPartyShape,
  PartyProfileFields,
  PartyProfileShape,
  ProposalFields,
  RiskFactorFields,
} from './changed-rows.ts';
import { DepositFields } from './deposits.ts';
import { graphql } from './graphql.ts';
import { answerOf } from './mapped-answers.ts';
import { ABSENT_IN_MARKET_DATA, MarketDataFields, MarketDataShape } from './market-data.ts';
import { MarketFields } from './market-fields.ts';
import { MarketShape } from './market-shape.ts';
import { list, optional, type ParameterValues, requiredList } from './params.ts';
import { ABSENT_IN_REWARDS, RewardFields } from './rewards.ts';
import { route } from './route.ts';
import { flag, has, listOf, type Member, mayHave, object, passing, type Shape, text } from './shape.ts';
import { streamRoute } from './stream-route.ts';
import { TradeFields, TradeShape } from './trades.ts';
import { id, int32, notTaken, onlyFalse, text as textType, type ValueType } from './value-types.ts';
import { ABSENT_IN_VOTES, VoteFields } from './votes.ts';

/*
 * The changes of several kinds of things, polled: each row in the shape that its own path gives it, or with its fields of
 * GraphQL where it has no path. Blocks and cursors are those of the stream and the query of the same name.
 */

/** What so many rows of every noun can cost as of a block is what an operation may. */
const LARGEST_PAGE = 700;
const DEFAULT_PAGE = 500;

const OLDEST_FIRST = 'changes are told from the oldest on';

const BlockFields = graphql(`fragment BlockFields on Block { height timestamp }`);

const ROW_FIELDS = [
  NamedPartyFields,
  AssetFields,
  MarketFields,
  RiskFactorFields,
  MarketDataFields,
  AccountFields,
  DepositFields,
  TradeFields,
  RewardFields,
  ProposalFields,
  VoteFields,
  MarginLevelFields,
  PartyProfileFields,
] as const;

/** The rows of each noun, and by which variables the nouns are chosen whose rows are selected. */
const ROW_VARIABLES = `
  $parties: Boolean!, $assets: Boolean!, $markets: Boolean!, $riskFactors: Boolean!, $marketData: Boolean!
  $accounts: Boolean!, $deposits: Boolean!, $trades: Boolean!, $rewards: Boolean!, $proposals: Boolean!, $votes: Boolean!
  $marginLevels: Boolean!, $partyProfiles: Boolean!
` as const;
const ROW_LISTS = `
  parties @include(if: $parties) { ...NamedPartyFields }
  assets @include(if: $assets) { ...AssetFields }
  markets @include(if: $markets) { ...MarketFields }
  riskFactors @include(if: $riskFactors) { ...RiskFactorFields }
  marketData @include(if: $marketData) { ...MarketDataFields }
  accounts @include(if: $accounts) { ...AccountFields }
  deposits @include(if: $deposits) { ...DepositFields }
  trades @include(if: $trades) { ...TradeFields }
  rewards @include(if: $rewards) { ...RewardFields }
  proposals @include(if: $proposals) { ...ProposalFields }
  votes @include(if: $votes) { ...VoteFields }
  marginLevels @include(if: $marginLevels) { ...MarginLevelFields }
  partyProfiles @include(if: $partyProfiles) { ...PartyProfileFields }
` as const;

const BlockChangesFields = graphql(
  `fragment BlockChangesFields on BlockChanges {
    block { ...BlockFields }
    ${ROW_LISTS}
  }`,
  [BlockFields, ...ROW_FIELDS],
);

const operation = graphql(
  `query ListChanges(
    $nouns: [ChangedNoun!]!, $filter: ChangesFilter, $first: Int, $after: String
    ${ROW_VARIABLES}
  ) {
    changes(nouns: $nouns, filter: $filter, first: $first, after: $after) {
      edges {
        node {
          ...BlockChangesFields
        }
        cursor
      }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  [BlockChangesFields],
);

const observed = graphql(
  `subscription ObserveChanges(
    $nouns: [ChangedNoun!]!, $filter: ChangesFilter, $after: String, $progress: Boolean
    ${ROW_VARIABLES}
  ) {
    changes(nouns: $nouns, filter: $filter, after: $after, progress: $progress) {
      snapshot {
        ${ROW_LISTS}
        lastPage
      }
      updates {
        ...BlockChangesFields
      }
      block { height timestamp }
      cursor
    }
  }`,
  [BlockChangesFields, ...ROW_FIELDS],
);

type Page = ResultOf<typeof operation>['changes'];
type Edge = Page['edges'][number];
type Node = Edge['node'];
type Name = Exclude<keyof Node, 'block'>;
type Lists = Omit<Node, 'block'>;
type Snapshot = NonNullable<ResultOf<typeof observed>['changes']['snapshot']>;

/** How the rows of each noun are written. */
const ROWS: { readonly [N in Name]: Shape<NonNullable<Node[N]>[number]> } = {
  parties: NamedPartyShape,
  assets: AssetShape,
  markets: MarketShape,
  riskFactors: passing(RiskFactorFields),
  marketData: MarketDataShape,
  accounts: passing(AccountFields),
  deposits: passing(DepositFields),
  trades: TradeShape,
  rewards: passing(RewardFields),
  proposals: passing(ProposalFields),
  votes: passing(VoteFields),
  marginLevels: passing(MarginLevelFields),
  partyProfiles: PartyProfileShape,
};

const names = Object.keys(ROWS) as readonly Name[];

function rowsOf<N extends Name>(name: N): Member<Lists> {
  const rows: Shape<NonNullable<Node[N]>> = listOf(ROWS[name]);
  return mayHave(
    `A list of the ${name} that changed, each once, as they are at the end of the block. Absent where nouns does not name them.`,
    rows,
    (node) => node[name] ?? null,
  );
}

const LISTS = Object.fromEntries(names.map((name) => [name, rowsOf(name)]));

const NodeShape = object<Node>('BlockChanges', 'What a block changed.', {
  block: has('The block.', passing(BlockFields), ({ block }) => block),
  ...LISTS,
});

const SnapshotShape = object<Snapshot>('ChangesSnapshot', 'A page of the rows at the end of a block.', {
  ...LISTS,
  lastPage: has('Whether this is the last page of the snapshot.', flag, ({ lastPage }) => lastPage),
});

const EdgeShape = object<Edge>('ChangesEdge', 'The changes of a block in a page.', {
  node: has('What the block changed.', NodeShape, ({ node }) => node),
  cursor: has(
    'The cursor of the block, for pagination.after, and for after of changes in GraphQL, here and as a stream.',
    text,
    ({ cursor }) => cursor,
  ),
});

const PageInfoShape = object<Page['pageInfo']>('ChangesPageInfo', 'Information about a page of changes.', {
  hasNextPage: has(
    'Whether changes follow, or may follow: a page can end before it is full where what passes the filter is little or lies far apart.',
    flag,
    ({ hasNextPage }) => hasNextPage,
  ),
  endCursor: has(
    'The cursor of where the page ends. It is there on an empty page, too: hand it in the next time.',
    text,
    ({ endCursor }) => endCursor,
  ),
});

const PageShape = object<Page>('ChangesConnection', 'A page of changes, by blocks.', {
  edges: has(
    'A list of the blocks that changed something, oldest first.',
    listOf(EdgeShape),
    ({ edges }) => edges,
  ),
  pageInfo: has('Information about the page.', PageInfoShape, ({ pageInfo }) => pageInfo),
});

/** A noun by its name in the answer, or in GraphQL. */
const noun: ValueType<Name> = {
  accepts: `one of ${names.join(', ')}`,
  schema: { type: 'string', enum: names },
  read: (given) => names.find((name) => name === given || inGraphql(name) === given),
};

function inGraphql(name: Name) {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase() as VariablesOf<typeof operation>['nouns'][number];
}

const PARAMETERS = {
  nouns: requiredList(noun, 'The kinds of things whose changes are wanted.'),
  'filter.partyIds': list(id, 'Only rows about one of these parties.'),
  'filter.marketIds': list(id, 'Only rows about one of these markets.'),
  'filter.assetIds': list(id, 'Only rows about one of these assets.'),
} as const;

const ABSENT = [
  ...ABSENT_IN_MARKET_DATA,
  ...ABSENT_IN_REWARDS,
  ...ABSENT_IN_VOTES,
  ...['orderMargin', 'marginMode', 'marginFactor'],
  ...['requiredLiquidityProviderParticipation', 'requiredLiquidityProviderMajority'],
  ...['reason', 'errorDetails', 'batchId', 'terms', 'batchTerms', 'change'],
];

/** What is not asked for is not selected either, and so costs nothing. */
function askedBy(given: ParameterValues<typeof PARAMETERS>) {
  return {
    nouns: given.nouns.map(inGraphql),
    filter: {
      partyIds: given['filter.partyIds'],
      marketIds: given['filter.marketIds'],
      assetIds: given['filter.assetIds'],
    },
    ...(Object.fromEntries(names.map((name) => [name, given.nouns.includes(name)])) as Record<Name, boolean>),
  };
}

function countRows(node: Partial<Record<Name, readonly unknown[]>>): number {
  return names.reduce((sum, name) => sum + (node[name]?.length ?? 0), 0);
}

export const changesRoutes = [
  route({
    path: '/api/v2/changes',
    summary: 'What blocks changed, of the kinds of things that are named; the oldest first, by whole blocks',
    parameters: {
      ...PARAMETERS,
      'pagination.first': optional(
        int32(1, LARGEST_PAGE),
        `About how many changed rows: the last block is whole. ${DEFAULT_PAGE} unless said.`,
      ),
      'pagination.after': optional(
        textType,
        'The cursor of a block, of a page or of a message of the stream: changes after it. Without it, the first that are kept.',
      ),
      'pagination.newestFirst': optional(onlyFalse(OLDEST_FIRST), 'False: the oldest changes come first.'),
      'pagination.last': optional(notTaken(OLDEST_FIRST), 'Not taken.'),
      'pagination.before': optional(notTaken(OLDEST_FIRST), 'Not taken.'),
    },
    operation,
    absentWhenNull: ABSENT,
    variables: (given) => ({
      ...askedBy(given),
      first: given['pagination.first'] ?? DEFAULT_PAGE,
      after: given['pagination.after'],
    }),
    ...answerOf('changes', PageShape),
    countOf: countRows,
  }),
];

export const changesStream = streamRoute({
  path: '/api/v2/stream/changes',
  summary: 'Several kinds of things as they are, and then what each block changes of them',
  parameters: PARAMETERS,
  operation: observed,
  absentWhenNull: ABSENT,
  variables: askedBy,
  message: ({ changes }) => changes,
  written: { name: 'Changes', snapshot: SnapshotShape, updates: NodeShape },
});
