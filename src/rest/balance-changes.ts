import type { ResultOf } from 'gql.tada';
import { accountFilterOf, accountFilterParameters } from './accounts.ts';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { pageAnswer } from './mapped-answers.ts';
import { pageOf, pagination } from './pagination.ts';
import { optional } from './params.ts';
import { route } from './route.ts';
import { has, object, scalar, text } from './shape.ts';
import { timestamp } from './value-types.ts';

const BalanceChangeFields = graphql(`
  fragment BalanceChangeFields on AccountVersion {
    block { timestamp }
    node { balance owner asset marketId type }
    cursor
  }
`);

type BalanceChange = ResultOf<typeof BalanceChangeFields>;

const BalanceChangeShape = object<Pick<BalanceChange, 'block' | 'node'>>(
  'AggregatedBalance',
  'The balance of an account at the end of a block that changed it.',
  {
    timestamp: has('The time of the block.', scalar('Timestamp'), ({ block }) => block.timestamp),
    balance: has("The balance, in the asset's smallest unit.", scalar('Integer'), ({ node }) => node.balance),
    partyId: has('The party that owns the account.', text, ({ node }) => node.owner),
    assetId: has('The asset that the account holds.', text, ({ node }) => node.asset),
    marketId: has(
      'The market that the account belongs to; empty for none.',
      text,
      ({ node }) => node.marketId,
    ),
    accountType: has('The type of the account.', scalar('AccountType'), ({ node }) => node.type),
  },
);

const answer = pageAnswer('balances', 'AggregatedBalance', BalanceChangeShape);

export const balanceChangeRoutes = [
  route({
    path: '/api/v2/balance/changes',
    summary: 'What the balances of accounts were after each block that changed one',
    parameters: {
      ...accountFilterParameters,
      'dateRange.startTimestamp': optional(timestamp, 'Only changes in blocks of this time or later.'),
      'dateRange.endTimestamp': optional(timestamp, 'Only changes in blocks before this time.'),
      ...pagination('accountsHistory'),
    },
    operation: graphql(
      `query ListBalanceChanges($filter: AccountFilter, $dateRange: DateRange, ${PAGE_VARIABLES}) {
        balanceChanges(filter: $filter, dateRange: $dateRange, ${PAGE_ARGUMENTS}) {
          edges { ...BalanceChangeFields }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [BalanceChangeFields, PageInfoFields],
    ),
    variables: (given) => ({
      filter: accountFilterOf(given),
      dateRange: {
        startTimestamp: given['dateRange.startTimestamp'],
        endTimestamp: given['dateRange.endTimestamp'],
      },
      ...pageOf(given),
    }),
    schema: answer.schema,
    body: ({ balanceChanges: { edges, pageInfo } }, given) =>
      answer.body(
        { balances: { edges: edges.map((edge) => ({ node: edge, cursor: edge.cursor })), pageInfo } },
        given,
      ),
  }),
];
