import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { oneAnswer, pageAnswer } from './mapped-answers.ts';
import { MarketFields } from './market-fields.ts';
import { MarketShape } from './market-shape.ts';
import { pageOf, pagination } from './pagination.ts';
import { inPath, optional } from './params.ts';
import { route } from './route.ts';
import { bool, id } from './value-types.ts';

/** What so many markets cost as of a block is what an operation may. */
const LARGEST_PAGE = 2500;

export const marketRoutes = [
  route({
    path: '/api/v2/markets',
    summary: 'A list of markets, without those that were rejected',
    parameters: {
      includeSettled: optional(bool, 'Whether markets are included that are settled; true unless said.'),
      ...pagination('markets', LARGEST_PAGE),
    },
    operation: graphql(
      `query ListMarkets($exceptStates: [MarketState!], ${PAGE_VARIABLES}) {
        markets(exceptStates: $exceptStates, ${PAGE_ARGUMENTS}) {
          edges { node { ...MarketFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [MarketFields, PageInfoFields],
    ),
    variables: ({ includeSettled = true, ...given }) => ({
      exceptStates: ['STATE_REJECTED', ...(includeSettled ? [] : ['STATE_SETTLED'])],
      ...pageOf(given),
    }),
    ...pageAnswer('markets', 'Market', MarketShape),
  }),
  route({
    path: '/api/v2/market/:marketId',
    summary: 'One market',
    parameters: { marketId: inPath(id, 'The id of the market.') },
    operation: graphql(`query GetMarket($id: ID!) { market(id: $id) { ...MarketFields } }`, [MarketFields]),
    variables: ({ marketId }) => ({ id: marketId }),
    ...oneAnswer('market', MarketShape, ({ marketId }: { readonly marketId: string }) => marketId),
  }),
];
