/** What relay-compiler compiles. With Babel's plugin a component has this beside it, and imports nothing of it. */
import { graphql } from 'relay-runtime';

export const query = () => graphql`
  query depositsQuery($party: ID!) {
    party(id: $party) {
      ...deposits_party
    }
  }
`;

export const fragment = () => graphql`
  fragment deposits_party on Party
  @argumentDefinitions(count: { type: "Int", defaultValue: 5 }, cursor: { type: "String" })
  @refetchable(queryName: "depositsPaginationQuery") {
    deposits(first: $count, after: $cursor) @connection(key: "deposits_party_deposits") {
      edges {
        node {
          id
          amount
          status
        }
      }
    }
  }
`;
