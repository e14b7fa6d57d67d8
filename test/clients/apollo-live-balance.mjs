/**
 * Apollo Client: a live balance reaches the rows that were queried, through a default cache.
 *
 *     node test/clients/apollo-live-balance.mjs http://127.0.0.1:3008 [party]
 *
 * Prints the accounts that were queried, and then again whenever one of them changes.
 */
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [gateway = 'http://127.0.0.1:3008', party] = process.argv.slice(2);
const variables = { filter: { partyIds: party ? [party] : [], accountTypes: ['ACCOUNT_TYPE_GENERAL'] } };

// Browsers have a WebSocket of their own, and need no `webSocketImpl`.
const socket = createClient({ url: `${gateway.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    new HttpLink({ uri: `${gateway}/graphql` }),
  ),
  // The cache knows each account by its type and `id`, which it is told of by both operations.
  cache: new InMemoryCache(),
});

const ACCOUNTS = gql`
  query Accounts($filter: AccountFilter) {
    accounts(filter: $filter, first: 20) {
      edges { node { id owner balance assetNode { id symbol decimals } } }
    }
  }
`;

const CHANGES = gql`
  subscription Changes($filter: AccountFilter) {
    accounts(filter: $filter) {
      snapshot { accounts { id balance } }
      updates { accounts { id balance } }
    }
  }
`;

client.watchQuery({ query: ACCOUNTS, variables }).subscribe(({ data, dataState, error }) => {
  if (error) throw error;
  if (dataState === 'complete') console.log(JSON.stringify(data.accounts.edges.map(({ node }) => node)));
});
// Nothing is done with the messages here: the cache takes them in, and the query above tells of it.
client.subscribe({ query: CHANGES, variables }).subscribe(({ error }) => {
  if (error) throw error;
});
