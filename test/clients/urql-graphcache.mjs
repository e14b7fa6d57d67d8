/**
 * urql with its normalized cache: pages become one list, and a live balance reaches its rows.
 *
 *     node test/clients/urql-graphcache.mjs http://127.0.0.1:3008 [party]
 *
 * Prints the first five accounts, then ten, and then again whenever one of them changes.
 */
import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { keys } from './graphcache-keys.mjs';

const [gateway = 'http://127.0.0.1:3008', party] = process.argv.slice(2);
const filter = { partyIds: party ? [party] : [], accountTypes: ['ACCOUNT_TYPE_GENERAL'] };

const socket = createClient({ url: `${gateway.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
const client = new Client({
  url: `${gateway}/graphql`,
  preferGetMethod: false,
  exchanges: [
    cacheExchange({ keys, resolvers: { Query: { accounts: relayPagination() } } }),
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

const ACCOUNTS = gql`
  query Accounts($filter: AccountFilter, $after: String) {
    accounts(filter: $filter, first: 5, after: $after, newestFirst: false) {
      edges { node { id owner balance assetNode { id symbol decimals } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

const CHANGES = gql`
  subscription Changes($filter: AccountFilter) {
    accounts(filter: $filter) {
      block { height }
      snapshot { accounts { id balance } lastPage }
      updates { accounts { id balance } }
    }
  }
`;

let after = null;
let shown = '';
client.query(ACCOUNTS, { filter }).subscribe(show);
client.subscription(CHANGES, { filter }).subscribe(({ error }) => {
  if (error) throw error;
});

function show({ data, error, stale }) {
  if (error) throw error;
  const rows = data.accounts.edges.map(({ node }) => node);
  const text = JSON.stringify(rows);
  if (!stale && text !== shown) console.log(text);
  shown = text;
  const { hasNextPage, endCursor } = data.accounts.pageInfo;
  if (after !== null || !hasNextPage) return;
  after = endCursor;
  // The cache puts its rows behind those of the first page, and tells the query above.
  client.query(ACCOUNTS, { filter, after }).subscribe(() => {});
}
