/**
 * Relay, without React: a pagination fragment, of which five rows become ten.
 *
 *     npx relay-compiler test/clients/relay/relay.config.json
 *     node test/clients/relay/walk-pages.mjs http://127.0.0.1:3008 PARTY
 *
 * Prints the deposits of a party, and again with the next page. In a component `usePaginationFragment` does the same.
 */
import relay from 'relay-runtime';
// Babel's plugin puts these in the place of the `graphql` tags.
import fragment from './__generated__/deposits_party.graphql.js';
import query from './__generated__/depositsQuery.graphql.js';
import { createEnvironment } from './environment.mjs';

const [gateway = 'http://127.0.0.1:3008', party = ''] = process.argv.slice(2);

const environment = createEnvironment(gateway);

const { party: reference } = await relay.fetchQuery(environment, query, { party }).toPromise();
environment.retain(relay.createOperationDescriptor(query, { party }));
const selector = relay.getSelector(fragment, reference);
const { deposits, nodeId } = show();

const { connectionPathInFragmentData, paginationMetadata, paginationRequest } = relay.getPaginationMetadata(
  fragment,
  'deposits_party',
);
const { count, cursor } = paginationMetadata.forward;
if (connectionPathInFragmentData.join() !== 'deposits')
  throw new Error('the fragment has another connection');
await relay
  .fetchQuery(environment, paginationRequest, { nodeId, [count]: 5, [cursor]: deposits.pageInfo.endCursor })
  .toPromise();
show();

function show() {
  const { data } = environment.lookup(selector);
  console.log(JSON.stringify(data.deposits.edges.map(({ node }) => node)));
  return data;
}
