import { graphql } from './graphql.ts';
import { optional } from './params.ts';
import { wholeListRoute } from './route.ts';
import { id } from './value-types.ts';

export const VoteFields = graphql(`
  fragment VoteFields on Vote {
    partyId value proposalId timestamp
    totalGovernanceTokenBalance totalGovernanceTokenWeight totalEquityLikeShareWeight
    elsPerMarket { marketId els }
  }
`);

/** Of what newer releases added. */
export const ABSENT_IN_VOTES = ['elsPerMarket'];

const PAGE_SIZE = 1000;

export const voteRoutes = [
  wholeListRoute({
    path: '/votes',
    summary: 'All votes, on a proposal or of a party; the newest first',
    parameters: {
      proposal: optional(id, 'Only votes on this proposal.'),
      party: optional(id, 'Only votes of this party.'),
    },
    operation: graphql(
      `query ListVotes($proposalId: ID, $partyId: ID, $first: Int, $after: String) {
        votes(proposalId: $proposalId, partyId: $partyId, first: $first, after: $after) {
          edges { node { ...VoteFields } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      [VoteFields],
    ),
    absentWhenNull: ABSENT_IN_VOTES,
    variables: ({ proposal, party }, after) => ({
      proposalId: proposal,
      partyId: party,
      first: PAGE_SIZE,
      after,
    }),
    field: 'votes',
    page: ({ votes }) => ({
      rows: votes.edges.map(({ node }) => node),
      next: votes.pageInfo.hasNextPage ? votes.pageInfo.endCursor : null,
    }),
  }),
];
