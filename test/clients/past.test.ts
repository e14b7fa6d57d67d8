import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { expect, test } from 'vitest';
import type { AnyNoun } from '../../src/data/noun.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { startExample } from './example.ts';
import { keysOfPast } from './graphcache-keys.mjs';
import { findPastBalances } from './past.ts';

const simulated = await forAllTests(createSimulatedDatabase({ seed: 3, blocks: 60, parties: 3, markets: 2 }));
const gateway = await forAllTests(startTestGateway(simulated.url));
const parties = (await simulated.readTable('parties')).map(({ id }) => `${id}`);
const found = await findPastBalances(gateway, parties, '30');

test.each(['apollo-past.mjs', 'urql-past.mjs'])(
  'a cache that holds the present is not overwritten by an answer about the past, and has both: %s',
  async (file) => {
    await using example = startExample(`test/clients/${file}`, gateway.url, found.party, found.height);
    expect(await example.next()).toEqual(found.shown);
    expect([await example.ended, example.complaints]).toEqual([0, '']);
  },
);

test('without its keys it would be: what has a documented id has the same one at every block', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${gateway.url}/graphql` }),
    cache: new InMemoryCache(),
  });
  const party = 'party(id: $party) { id accounts { edges { node { id balance } } } }';
  const now = gql(`query ($party: ID!) { ${party} }`);
  const then = gql(`query ($party: ID!, $height: Uint64!) { asOf(height: $height) { ${party} } }`);
  await client.query({ query: now, variables: { party: found.party } });
  await client.query({ query: then, variables: { party: found.party, height: found.height } });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation above.
  const { accounts } = client.readQuery<any>({ query: now, variables: { party: found.party } }).party;
  const balances = accounts.edges.map(({ node }: { node: { balance: string } }) => node.balance);
  expect(balances).toEqual(found.shown.before);
  client.stop();
});

const LISTS = 'accounts assets deposits markets marketsData parties proposals rewards trades votes'.split(
  ' ',
);

test('the keys are those of every type whose rows have the id in the past that they have now', async () => {
  const lists = LISTS.map((list) => `${list}(first: 1, newestFirst: false) { nodes { __typename id } }`).join(
    ' ',
  );
  const { data } = await gateway.graphql(`{ ${lists} asOf(height: "30") { ${lists} } }`);
  const same = LISTS.flatMap((list) => {
    const [now, then] = [data, data.asOf].map((at) => at[list].nodes[0]);
    return now.id === then.id ? [now.__typename] : [];
  });
  expect(Object.keys(keysOfPast).sort()).toEqual(same.sort());
});

test('the keys are those of every type whose id is the documented one', () => {
  const named = Object.values<AnyNoun>(nouns).filter(
    (noun) => noun.isListed && noun.key.length === 1 && noun.key[0] === 'id',
  );
  // A trade is kept by its position, and shown by the documented id.
  expect(Object.keys(keysOfPast).sort()).toEqual([...named.map(({ model }) => model), 'Trade'].sort());
});
