import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { print } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const QUERY = gql('{ deposits(first: 1) { totalCount } }');

const database = await forAllTests(createDisposableDatabase());

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Apollo's client with Apollo's own link for persisted queries, and what each of its requests sent. */
function connect({ url }: TestGateway, useGETForHashedQueries = false) {
  const sent: { readonly method: string; readonly hasText: boolean; readonly status: number }[] = [];
  const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(
    new HttpLink({
      uri: `${url}/graphql`,
      fetch: async (asked, init) => {
        const { method = '', body } = init ?? {};
        const address = new URL(String(asked));
        const hasText =
          method === 'GET' ? address.searchParams.has('query') : 'query' in JSON.parse(String(body));
        const response = await fetch(asked, init);
        sent.push({ method, hasText, status: response.status });
        return response;
      },
    }),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each answer what it must be.
  const ask = () => client.query<any>({ query: QUERY, fetchPolicy: 'no-cache' });
  return { ask, sent };
}

test.each([
  ['POST', false],
  ['GET', true],
])(
  "Apollo's link asks by hash with %s, sends the text when that is not known, and then the hash alone",
  async (method, byGet) => {
    await using gateway = await startTestGateway(database.url);
    const { ask, sent } = connect(gateway, byGet);
    expect((await ask()).data).toMatchObject({ deposits: { totalCount: 0 } });
    expect(sent.map(({ hasText }) => hasText)).toEqual([false, true]);
    expect((await ask()).data).toMatchObject({ deposits: { totalCount: 0 } });
    expect(sent.slice(2)).toEqual([{ method, hasText: false, status: 200 }]);
    // Another client finds what the first has sent.
    const other = connect(gateway, byGet);
    await other.ask();
    expect(other.sent).toEqual([{ method, hasText: false, status: 200 }]);
  },
);

test('a text that is refused is refused with the reason, and a listed one needs no text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'list.json');
  // As Apollo's cache has it ask.
  const listed = print(gql('{ deposits(first: 1) { totalCount __typename } }'));
  writeFileSync(path, JSON.stringify({ [sha256(listed)]: listed }));
  await using gateway = await startTestGateway(database.url, { OPERATION_LIST: path });
  const { ask, sent } = connect(gateway);
  await ask();
  expect(sent).toEqual([{ method: 'POST', hasText: false, status: 200 }]);

  writeFileSync(path, JSON.stringify({ other: '{ __typename }' }));
  await using closed = await startTestGateway(database.url, { OPERATION_LIST: path });
  const refused = connect(closed);
  await expect(refused.ask()).rejects.toThrow(/only the operations of its list|status code 400/);
  expect(refused.sent.map(({ hasText }) => hasText)).toEqual([false, true]);
});
