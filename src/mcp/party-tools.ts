import { graphql } from '../rest/graphql.ts';
import { after, count, text, texts, tool } from './tool.ts';

const AMOUNTS =
  "Amounts are whole numbers in the asset's smallest unit, as exact text: divide by 10^decimals of the asset, with decimals and not with floats. Times are nanoseconds since 1970 UTC.";

/** Tools that ask about those who trade, and what they decide. */
export const partyTools = [
  tool({
    name: 'get_party',
    title: 'A party, its accounts and what it was rewarded',
    description: `The accounts of a party (one that was emptied has balance 0), and what its rewards come to in each asset. ${AMOUNTS}`,
    arguments: {
      id: text('The identifier of the party, its public key.'),
      accounts: { ...count(200, 'accounts'), default: 50 },
      after,
    },
    required: ['id'],
    missing: { field: 'party', noun: 'party', argument: 'id' },
    operation: graphql(`
      query ToolParty($id: ID!, $accounts: Int = 50, $after: String) {
        block { height timestamp }
        party(id: $id) {
          id
          accounts(first: $accounts, after: $after) {
            totalCount
            nodes { type balance marketId assetNode { id symbol decimals } }
            pageInfo { hasNextPage endCursor }
          }
          rewards(first: 0) { totalCount sums(by: [ASSET], first: 50) { amount count key { asset { id symbol decimals } } } }
        }
      }
    `),
  }),
  tool({
    name: 'list_deposits',
    title: 'Deposits',
    description: `Deposits, the newest first, of one party or of all. ${AMOUNTS}`,
    arguments: {
      partyId: text('Only deposits of this party.'),
      first: { ...count(100, 'deposits'), default: 20 },
      after,
    },
    operation: graphql(`
      query ToolListDeposits($partyId: ID, $first: Int = 20, $after: String) {
        block { height timestamp }
        deposits(partyId: $partyId, first: $first, after: $after) {
          totalCount
          nodes { id partyId amount status txHash createdTimestamp creditedTimestamp assetNode { id symbol decimals } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `),
  }),
  tool({
    name: 'list_proposals',
    title: 'Proposals and their tallies',
    description:
      "Governance proposals, the newest first, with the tally of their votes. Tokens are whole numbers in the governance asset's smallest unit; majority, participation and what is required of them are shares of 1. Times are nanoseconds since 1970 UTC.",
    arguments: {
      states: texts('Only proposals in these states, as STATE_OPEN, STATE_ENACTED, STATE_DECLINED.'),
      first: { ...count(30, 'proposals'), default: 10 },
      after,
    },
    operation: graphql(`
      query ToolListProposals($states: [ProposalState!], $first: Int = 10, $after: String) {
        block { height timestamp }
        proposals(states: $states, first: $first, after: $after) {
          totalCount
          nodes {
            id partyId reference state reason timestamp
            terms { change closingTimestamp enactmentTimestamp }
            tally {
              majority requiredMajority requiredParticipation
              yes { votes tokens weight }
              no { votes tokens weight }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    `),
  }),
];
