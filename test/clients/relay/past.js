/** What relay-compiler compiles, of the present and of the past alike. */
import { graphql } from 'relay-runtime';

export const now = () => graphql`
  query pastNowQuery($party: ID!) {
    party(id: $party) {
      ...past_balances @relay(mask: false)
    }
  }
`;

export const before = () => graphql`
  query pastBeforeQuery($party: ID!, $height: Uint64!) {
    asOf(height: $height) {
      party(id: $party) {
        ...past_balances @relay(mask: false)
      }
    }
  }
`;

export const balances = () => graphql`
  fragment past_balances on Party {
    accounts {
      edges {
        node {
          balance
        }
      }
    }
  }
`;
