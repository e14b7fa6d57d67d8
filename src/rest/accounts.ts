import { accountTypes } from '../domain/enumerations.ts';
import { includeDerivedParties } from './derived-parties.ts';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { pageOf, pagination } from './pagination.ts';
import { list, optional, type ParameterValues } from './params.ts';
import { route } from './route.ts';
import { enumOf, id } from './value-types.ts';

/** What chooses among accounts. */
export const accountFilterParameters = {
  'filter.assetId': optional(id, 'Only accounts that hold this asset.'),
  'filter.partyIds': list(id, 'Only accounts that one of these parties owns.'),
  'filter.marketIds': list(id, 'Only accounts that belong to one of these markets.'),
  'filter.accountTypes': list(enumOf(accountTypes), 'Only accounts of one of these types.'),
};

/** Gives what chooses among accounts as GraphQL takes it. */
export function accountFilterOf(given: ParameterValues<typeof accountFilterParameters>) {
  return {
    assetId: given['filter.assetId'],
    partyIds: given['filter.partyIds'],
    marketIds: given['filter.marketIds'],
    accountTypes: given['filter.accountTypes'],
  };
}

export const AccountFields = graphql(`
  fragment AccountFields on Account { owner balance asset marketId type }
`);

export const accountRoutes = [
  route({
    path: '/api/v2/accounts',
    summary: 'A list of accounts',
    parameters: {
      ...accountFilterParameters,
      includeDerivedParties,
      ...pagination('accounts'),
    },
    operation: graphql(
      `query ListAccounts($filter: AccountFilter, ${PAGE_VARIABLES}) {
        accounts(filter: $filter, ${PAGE_ARGUMENTS}) {
          edges { node { ...AccountFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [AccountFields, PageInfoFields],
    ),
    variables: (given) => ({
      filter: accountFilterOf(given),
      ...pageOf(given),
    }),
    passes: 'data',
  }),
];
