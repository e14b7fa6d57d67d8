/**
 * Relay: an answer about the past leaves the present in the store as it is.
 *
 *     npx relay-compiler test/clients/relay/relay.config.json
 *     node test/clients/relay/past.mjs http://127.0.0.1:3008 PARTY HEIGHT
 *
 * Prints the balances of a party as the store has them once both have been asked for: now, and as of the block.
 */
import relay from 'relay-runtime';
import beforeQuery from './__generated__/pastBeforeQuery.graphql.js';
// Babel's plugin puts these in the place of the `graphql` tags.
import nowQuery from './__generated__/pastNowQuery.graphql.js';
import { createEnvironment } from './environment.mjs';

const [gateway = 'http://127.0.0.1:3008', party = '', height = '1'] = process.argv.slice(2);
const environment = createEnvironment(gateway);

const now = await ask(nowQuery, { party });
const before = await ask(beforeQuery, { party, height });
console.log(JSON.stringify({ now: balancesOf(now().party), before: balancesOf(before().asOf.party) }));

/** Asks, and gives what reads the answer from the store. */
async function ask(query, variables) {
  const operation = relay.createOperationDescriptor(query, variables);
  environment.retain(operation);
  await relay.fetchQuery(environment, query, variables).toPromise();
  return () => environment.lookup(operation.fragment).data;
}

function balancesOf({ accounts }) {
  return accounts.edges.map(({ node }) => node.balance);
}
