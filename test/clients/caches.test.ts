import { readFileSync } from 'node:fs';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { isIntrospectionType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { startExample } from './example.ts';
import { keys } from './graphcache-keys.mjs';

const OWNERS = Array.from({ length: 12 }, (_, n) => party(n + 1));

let balance = 1000;

const network = await forAllTests(startAccountNetwork());
await network.block(...OWNERS.map((owner) => ({ owner, balance: '1000' })));
const gateway = await forAllTests(startTestGateway(network.url));

/** The key arguments that docs/clients.md names, which are all that the list takes but for what chooses a page. */
const [, listed = ''] =
  /accounts: relayStylePagination\((.*?)\)/.exec(readFileSync('docs/clients.md', 'utf8')) ?? [];
const KEYS: string[] = JSON.parse(listed.replaceAll("'", '"'));

test('the key arguments of pages are all that tells lists apart', () => {
  const args =
    schema
      .getQueryType()
      ?.getFields()
      ['accounts']?.args.map(({ name }) => name) ?? [];
  expect(KEYS).toEqual(args.filter((name) => !['after', 'before', 'first', 'last'].includes(name)));
});

interface Row {
  readonly owner: string;
  readonly balance: string;
}

test("Apollo's default cache brings a live balance to the row that was queried", async () => {
  await using example = startExample('test/clients/apollo-live-balance.mjs', gateway.url);
  const first: readonly Row[] = await example.next();
  expect(first.map(({ owner }) => owner)).toEqual(OWNERS.toReversed());
  const changed = OWNERS[3] as string;
  // The stream may begin after the first of these, with the snapshot of a later block: the row has the newest in the end.
  await expectBalance(example, changed);
  await expectBalance(example, changed);
  expect(example.complaints).toBe('');
});

test("Apollo's own policy for pages joins them, as docs/clients.md has it", async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${gateway.url}/graphql` }),
    cache: new InMemoryCache({
      typePolicies: { Query: { fields: { accounts: relayStylePagination(KEYS) } } },
    }),
  });
  const query = gql`
    query ($after: String) {
      accounts(first: 5, after: $after, newestFirst: false) {
        edges { node { id owner } }
        pageInfo { hasNextPage endCursor }
      }
    }`;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation above.
  const { data } = await client.query<any>({ query });
  const pages = client.watchQuery({ query });
  const watched = pages.subscribe(() => {});
  await pages.fetchMore({ variables: { after: data?.accounts.pageInfo.endCursor } });
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  const { edges, pageInfo } = client.readQuery<any>({ query }).accounts;
  expect(edges.map(({ node }: { node: Row }) => node.owner)).toEqual(OWNERS.slice(0, 10));
  expect(pageInfo.hasNextPage).toBe(true);
  watched.unsubscribe();
  client.stop();
});

test('graphcache brings a live balance to the rows of two pages, and complains of no key', async () => {
  await using example = startExample('test/clients/urql-graphcache.mjs', gateway.url);
  const first: readonly Row[] = await example.next();
  expect(first.map(({ owner }) => owner)).toEqual(OWNERS.slice(0, 5));
  let both: readonly Row[] = first;
  while (both.length === 5) both = await example.next();
  expect(both.map(({ owner }) => owner)).toEqual(OWNERS.slice(0, 10));
  await expectBalance(example, OWNERS[1] as string);
  await expectBalance(example, OWNERS[8] as string);
  expect(example.complaints).toBe('');
});

test('every type without an id has its place among the keys of graphcache, and no other', () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type) && !('id' in type.getFields()),
  );
  // It knows those of connections itself.
  const wanted = types
    .map(({ name }) => name)
    .filter((name) => !/^(Query|Subscription|PageInfo)$|(Connection|Edge)$/.test(name));
  expect(Object.keys(keys).sort()).toEqual(wanted.sort());
});

/** Changes the balance of an account, and waits until the program shows it. */
async function expectBalance(example: ReturnType<typeof startExample>, changed: string): Promise<void> {
  balance += 1;
  await network.block({ owner: changed, balance: `${balance}` });
  for (;;) {
    const rows: readonly Row[] = await example.next();
    if (rows.find(({ owner }) => owner === changed)?.balance === `${balance}`) return;
  }
}
