/**
 * urql with its normalized cache: an answer about the past leaves the present in the cache as it is.
 *
 *     node test/clients/urql-past.mjs http://127.0.0.1:3008 PARTY HEIGHT
 *
 * Prints the balances of a party as the cache has them once both have been asked for: now, and as of the block.
 */
import { Client, fetchExchange, gql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { keys, keysOfPast } from './graphcache-keys.mjs';

const [gateway = 'http://127.0.0.1:3008', party = '', height = '1'] = process.argv.slice(2);

const client = new Client({
  url: `${gateway}/graphql`,
  preferGetMethod: false,
  exchanges: [cacheExchange({ keys: { ...keys, ...keysOfPast } }), fetchExchange],
});

const NOW = gql`
  query Now($party: ID!) {
    party(id: $party) { nodeId accounts { edges { node { id balance } } } }
  }
`;
const BEFORE = gql`
  query Before($party: ID!, $height: Uint64!) {
    asOf(height: $height) { party(id: $party) { nodeId accounts { edges { node { id balance } } } } }
  }
`;

await ask(NOW, { party });
await ask(BEFORE, { party, height });
// Whatever is not in the cache would be null here.
const now = await ask(NOW, { party }, 'cache-only');
const before = await ask(BEFORE, { party, height }, 'cache-only');
console.log(JSON.stringify({ now: balancesOf(now.party), before: balancesOf(before.asOf.party) }));

async function ask(query, variables, requestPolicy) {
  const { data, error } = await client.query(query, variables, { requestPolicy }).toPromise();
  if (error) throw error;
  return data;
}

function balancesOf({ accounts }) {
  return accounts.edges.map(({ node }) => node.balance);
}
