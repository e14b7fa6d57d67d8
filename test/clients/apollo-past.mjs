/**
 * Apollo Client: an answer about the past leaves the present in the cache as it is.
 *
 *     node test/clients/apollo-past.mjs http://127.0.0.1:3008 PARTY HEIGHT
 *
 * Prints the balances of a party as the cache has them once both have been asked for: now, and as of the block.
 */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';

const [gateway = 'http://127.0.0.1:3008', party = '', height = '1'] = process.argv.slice(2);

// Their `id` is the documented one, which names them at every block. All others have their block in it.
const byNodeId = { keyFields: ['nodeId'] };

const client = new ApolloClient({
  link: new HttpLink({ uri: `${gateway}/graphql` }),
  cache: new InMemoryCache({
    typePolicies: {
      Asset: byNodeId,
      Deposit: byNodeId,
      Market: byNodeId,
      Party: byNodeId,
      Proposal: byNodeId,
      Trade: byNodeId,
    },
  }),
});

const BALANCES = gql`
  fragment Balances on Party { nodeId accounts { edges { node { id balance } } } }
`;
const NOW = gql`
  query Now($party: ID!) { party(id: $party) { ...Balances } }
  ${BALANCES}
`;
const BEFORE = gql`
  query Before($party: ID!, $height: Uint64!) { asOf(height: $height) { party(id: $party) { ...Balances } } }
  ${BALANCES}
`;

await client.query({ query: NOW, variables: { party } });
await client.query({ query: BEFORE, variables: { party, height } });
const now = client.readQuery({ query: NOW, variables: { party } });
const before = client.readQuery({ query: BEFORE, variables: { party, height } });
console.log(JSON.stringify({ now: balancesOf(now.party), before: balancesOf(before.asOf.party) }));
client.stop();

function balancesOf({ accounts }) {
  return accounts.edges.map(({ node }) => node.balance);
}
