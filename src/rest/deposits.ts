import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { pageOf, pagination } from './pagination.ts';
import { inPath, optional } from './params.ts';
import { route } from './route.ts';
import { id, timestamp } from './value-types.ts';

// The fields of each object stand in the order of the documented answer.
export const DepositFields = graphql(`
  fragment DepositFields on Deposit { id status partyId asset amount txHash creditedTimestamp createdTimestamp }
`);

export const depositRoutes = [
  route({
    path: '/api/v2/deposits',
    summary: 'A list of deposits',
    parameters: {
      partyId: optional(id, 'Only deposits for this party.'),
      'dateRange.startTimestamp': optional(timestamp, 'Only deposits last updated at this time or later.'),
      'dateRange.endTimestamp': optional(timestamp, 'Only deposits last updated before this time.'),
      ...pagination('deposits'),
    },
    operation: graphql(
      `query ListDeposits($partyId: ID, $dateRange: DateRange, ${PAGE_VARIABLES}) {
        deposits(partyId: $partyId, dateRange: $dateRange, ${PAGE_ARGUMENTS}) {
          edges { node { ...DepositFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [DepositFields, PageInfoFields],
    ),
    variables: (given) => ({
      partyId: given.partyId,
      dateRange: {
        startTimestamp: given['dateRange.startTimestamp'],
        endTimestamp: given['dateRange.endTimestamp'],
      },
      ...pageOf(given),
    }),
    passes: 'data',
  }),
  route({
    path: '/api/v2/deposit/:id',
    summary: 'One deposit',
    parameters: { id: inPath(id, 'The id of the deposit.') },
    operation: graphql(`query GetDeposit($id: ID!) { deposit(id: $id) { ...DepositFields } }`, [
      DepositFields,
    ]),
    variables: ({ id }) => ({ id }),
    passes: 'data',
    missing: { field: 'deposit', noun: 'deposit', name: ({ id }) => id },
  }),
];
